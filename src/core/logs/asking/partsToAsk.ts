import type { Abortable } from '../../base/abortable.ts';
import { asExplorer } from '../server/dialect.ts';
import { dependsOnServer, type ServerFilter, serverFilters } from '../server/serverFilters.ts';
import type { LogSource } from './logSource.ts';

/** The requests that together give every row of the filter; asks what the server is where that decides. */
export async function partsToAsk(source: LogSource, options: Abortable): Promise<readonly ServerFilter[]> {
  const { filter, memory } = source;
  if (dependsOnServer(filter, memory.current())) await source.identify(options);
  const dialect = memory.current();
  const parts = serverFilters(filter, dialect);
  return parts.length > 0 ? parts : serverFilters(filter, asExplorer(dialect));
}
