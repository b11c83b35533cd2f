import * as z from 'zod/mini';
import type { Abortable } from '../../base/concurrency.ts';
import { throwIfAborted } from '../../base/errors.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import { type ExplorerDeps, fetchFromExplorer } from '../../http/fetchJson.ts';
import { explorerApiUrl } from '../../networks/network.ts';
import { PAGE_LIMIT } from './dialect.ts';

/** What a log that was seen elsewhere is from: enough to ask for it, not to take it for a row. */
interface WitnessedLog {
  readonly address: Address;
  readonly topic0: Hex | undefined;
}

interface WitnessRequest {
  readonly block: bigint;
  readonly address?: Address | undefined;
  readonly topic0?: Hex | undefined;
}

/** The first logs of a block by another route of the same server; none where there is no such route. */
export type BlockWitness = (question: WitnessRequest, options: Abortable) => Promise<readonly WitnessedLog[]>;

/** A page has 1,000 rows, each with its data. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const Row = z.object({
  address: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  topics: z.array(z.unknown()),
});
const Topic = z.nullish(z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)));
const WitnessResponse = z.object({ result: z.nullable(z.array(z.unknown())) });

/**
 * Asks a Blockscout explorer for the first 1,000 logs of a block by `GET /api?module=logs&action=getLogs`, whose page is
 * in order on every release, also where that of `eth_getLogs` is not. Its rows lack the block hash, so they only show
 * which addresses and topics are still to be asked for.
 *
 * Gives no logs where the server does not answer that; throws AppError `aborted` only.
 */
export function createBlockWitness(http: ExplorerDeps, rpcUrl: string): BlockWitness {
  return async ({ block, address, topic0 }, { signal }) => {
    const asked = { module: 'logs', action: 'getLogs', fromBlock: `${block}`, toBlock: `${block}` };
    const url = explorerApiUrl(rpcUrl, '/api', { ...asked, address, topic0 });
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
