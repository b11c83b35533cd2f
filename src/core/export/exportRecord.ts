import { safeUrl } from '../base/errors.ts';
import { resolveRelative } from '../logs/query/blockTag.ts';
import type { LogFilter } from '../logs/query/logFilter.ts';
import { logFilterToJson } from '../logs/query/queryJson.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import { verdictToJson } from '../logs/query/verdictJson.ts';
import type { Network } from '../networks/network.ts';
import type { ExportDecoding } from './exportDecoding.ts';
import { type ExportFormat, formatOf } from './formats.ts';

/** How the logs of a file stand. */
export interface ExportOrder {
  /** `block` is the order of the chain, by block and log index. */
  readonly by: string;
  readonly descending: boolean;
}

/** The times of the logs of a file. */
export interface ExportTimesFacts {
  /** Logs of which none is known. */
  readonly without: number;
  /** What told those that were asked for besides. */
  readonly readBy: readonly string[];
}

/** Where the logs of a file came from. */
export interface ExportFacts {
  readonly format: ExportFormat;
  /** Logs in the file. */
  readonly rows: number;
  readonly filter: LogFilter;
  /** Left out where there are none. */
  readonly rowOrder?: ExportOrder | undefined;
  /** The filter that the logs have passed, as it was typed, and how many were looked at. */
  readonly filtered?: { readonly by: string; readonly of: number } | undefined;
  /** Where the logs are written with their times. */
  readonly times?: ExportTimesFacts | undefined;
  /** What the file was written with. */
  readonly decoding?: ExportDecoding | undefined;
  readonly network: Pick<Network, 'id' | 'name' | 'chainId' | 'rpcUrl'>;
  /** What the answer is worth that the logs are. */
  readonly verdict: Verdict;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Version of Chainside. */
  readonly version: string;
}

/**
 * What stands beside an exported file, as plain JSON: how to ask the same again (`query` is what `eth_getLogs` and
 * `parseLogFilter` take), whom, and whether the file holds the whole answer. Of the endpoint only the origin, since
 * path and parameters can hold a key. Block numbers are decimal strings.
 *
 * @throws AppError `badInput` when there is no such format.
 * @example exportRecord({ format: 'csv', rows, filter, network, verdict, startedAt, finishedAt, version }).query
 */
export function exportRecord(all: ExportFacts) {
  const { format, rows, rowOrder, filtered, filter, network, times, decoding, ...facts } = all;
  const verdict = verdictToJson(facts.verdict);
  const { fromBlock, toBlock, head, order, readThrough } = verdict;
  return {
    format,
    columns: formatOf(format).columns(decoding),
    rows,
    ...(rowOrder && { rowOrder }),
    ...(filtered && { filtered }),
    ...(times && { times }),
    query: logFilterToJson({ ...filter, ...resolveRelative(filter, facts.verdict) }),
    network: {
      id: network.id,
      name: network.name,
      chainId: network.chainId,
      rpcOrigin: safeUrl(network.rpcUrl),
    },
    ...{ fromBlock, toBlock, head, order, readThrough },
    ...(verdict.found && { found: verdict.found }),
    verdict: { state: verdict.state, reasons: verdict.reasons },
    requests: verdict.requests,
    startedAt: new Date(facts.startedAt).toISOString(),
    finishedAt: new Date(facts.finishedAt).toISOString(),
    generator: { name: 'Chainside', version: facts.version },
  };
}
