import { safeUrl } from '../base/errors.ts';
import type { LogFilter } from '../logs/query/logFilter.ts';
import { logFilterToJson } from '../logs/query/queryJson.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import { verdictToJson } from '../logs/query/verdictJson.ts';
import type { Network } from '../networks/network.ts';
import type { ExportDecoding } from './exportDecoding.ts';
import { type ExportFormat, formatOf } from './formats.ts';

/** Where the logs of a file came from. */
export interface ExportFacts {
  readonly format: ExportFormat;
  /** Logs in the file. */
  readonly rows: number;
  readonly filter: LogFilter;
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
export function exportRecord({ format, rows, filter, network, decoding, ...facts }: ExportFacts) {
  const { state, reasons, fromBlock, toBlock, head, readThrough, requests } = verdictToJson(facts.verdict);
  return {
    format,
    columns: formatOf(format).columns(decoding),
    rows,
    query: logFilterToJson(filter),
    network: {
      id: network.id,
      name: network.name,
      chainId: network.chainId,
      rpcOrigin: safeUrl(network.rpcUrl),
    },
    ...{ fromBlock, toBlock, head, readThrough },
    verdict: { state, reasons },
    requests,
    startedAt: new Date(facts.startedAt).toISOString(),
    finishedAt: new Date(facts.finishedAt).toISOString(),
    generator: { name: 'Chainside', version: facts.version },
  };
}
