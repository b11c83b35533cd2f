import { getReadingsOfSet } from './conformanceCases.ts';
import type { InjectableServer } from './injectFetch.ts';
import type { LogDataSet } from './logDataSets.ts';
import {
  assertVerdictHolds,
  expectedKeys,
  openInjectQuery,
  type QueryJson,
  type ReadLogs,
} from './logReading.ts';

/** A kind of server, and what may be asked of it. */
export interface ServerCase {
  start(set: LogDataSet): Promise<InjectableServer & { stop(): Promise<void> }>;
  readonly queries: readonly (readonly [name: string, query: QueryJson])[];
  /** Whether no client could do better than doubt the answer. */
  mayDoubt(set: LogDataSet, query: QueryJson): boolean;
  /** What is asked in the place of `query`; itself by default. */
  asked?(set: LogDataSet, query: QueryJson): QueryJson;
  /** What else holds of an answer. */
  assertMore?(answer: ReadLogs, wanted: readonly string[]): void;
}

/** Holds queries of a data set against a server of its own, in every way of reading. */
export function describeDataSet(
  name: string,
  makeSet: () => LogDataSet,
  { start, queries, mayDoubt, asked = (_, query) => query, assertMore }: ServerCase,
): void {
  describe(`data set: ${name}`, () => {
    let set: LogDataSet;
    let server: Awaited<ReturnType<ServerCase['start']>>;
    before(async () => {
      set = makeSet();
      server = await start(set);
    });
    after(() => server.stop());

    for (const [nth, [queryName, query]] of queries.entries()) {
      it(`gives every log of ${queryName}`, async () => {
        const sent = asked(set, query);
        for (const [read, order] of getReadingsOfSet(name, nth)) {
          const wanted = expectedKeys(set, sent, order);
          const answer = await read(openInjectQuery(server, sent, order));
          assertVerdictHolds(answer, wanted, () => mayDoubt(set, query));
          assertMore?.(answer, wanted);
        }
      });
    }
  });
}
