import * as z from 'zod/mini';
import type { Abortable } from '../../base/concurrency.ts';
import { throwIfAborted } from '../../base/errors.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import { type ExplorerDeps, fetchFromExplorer } from '../../http/fetchJson.ts';
import { explorerApiUrl } from '../../networks/network.ts';
import { PAGE_LIMIT } from './dialect.ts';

/** The origin of a log seen elsewhere: enough for a request, but not a row. */
interface WitnessedLog {
  readonly address: Address;
  readonly topic0: Hex | undefined;
}

interface WitnessRequest {
  readonly block: bigint;
  readonly address?: Address | undefined;
  readonly topic0?: Hex | undefined;
}

/** The first logs of a block by another route of the same server; empty if there is no such route. */
export type BlockWitness = (request: WitnessRequest, options: Abortable) => Promise<readonly WitnessedLog[]>;

const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const Row = z.object({
  address: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  topics: z.array(z.unknown()),
});
const Topic = z.nullish(z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)));
const WitnessResponse = z.object({ result: z.nullable(z.array(z.unknown())) });

/**
 * Fetches the first 1,000 logs of a block from a Blockscout explorer by `GET /api?module=logs&action=getLogs`. That
 * page is in order on every release, even if the one of `eth_getLogs` is not. Its rows lack the block hash, so they
 * only show which addresses and topics to request.
 *
 * Returns no logs if the server does not support it.
 *
 * @throws AppError `aborted` only.
 */
export function createBlockWitness(http: ExplorerDeps, rpcUrl: string): BlockWitness {
  return async ({ block, address, topic0 }, { signal }) => {
    const params = { module: 'logs', action: 'getLogs', fromBlock: `${block}`, toBlock: `${block}` };
    const url = explorerApiUrl(rpcUrl, '/api', { ...params, address, topic0 });
    if (url === undefined) return [];
    try {
      const body = await fetchFromExplorer(http, url, { signal, maxBytes: MAX_RESPONSE_BYTES });
      const rows = (WitnessResponse.parse(body).result ?? []).slice(0, PAGE_LIMIT);
      return rows.map((row) => {
        const { address: from, topics } = Row.parse(row);
        return {
          address: from.toLowerCase() as Address,
          topic0: Topic.parse(topics[0])?.toLowerCase() as Hex | undefined,
        };
      });
    } catch {
      throwIfAborted(signal);
      return [];
    }
  };
}
