import type { Hex } from 'ox';
import type { RecordedRequest } from '../http/faults.ts';
import type { Reply } from '../http/recordingServer.ts';
import type { ExplorerIndex } from '../index/explorerIndex.ts';
import type { VerifiedRegistry } from '../verified/registry.ts';
import type { RestKnobs } from './restKnobs.ts';

/**
 * How the REST interface of a release speaks: `v5` writes `address` and `tx_hash`; `v8` writes `address_hash` and
 * `transaction_hash`; `v10` refuses what its OpenAPI description does not have; `v12` takes `items_count` as the size
 * of a page.
 */
export type RestEra = 'v5' | 'v8' | 'v10' | 'v12';

/** One question to the REST interface (`/api/v2`) or to its Etherscan-shaped sibling (`/api?module=`). */
export type RestCall = {
  readonly era: RestEra;
  readonly query: URLSearchParams;
  readonly headers: RecordedRequest['headers'];
  readonly index: ExplorerIndex;
  /** What the node behind the explorer answers; undefined where it refuses or cannot be reached. */
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>;
  readonly knobs: RestKnobs;
  /** What the explorer has verified; undefined for nothing. */
  readonly verified?: ExplorerVerified | undefined;
};

export type ExplorerVerified = {
  readonly registry: VerifiedRegistry;
  readonly chainId: number;
  /** What other patterns than the first have given as implementations of proxies, in lower case. */
  readonly conflicts?: ReadonlyMap<Hex.Hex, readonly Hex.Hex[]>;
};

/** Answers one route; `path` are the groups of its pattern. */
export type RestRoute = {
  readonly pattern: RegExp;
  readonly answer: (call: RestCall, path: readonly string[]) => Promise<Reply>;
};

/** Answers the actions of one module; undefined for an action that it does not have. */
export type ModuleAnswer = (call: RestCall, action: string) => Promise<Reply | undefined>;

const json = { 'content-type': 'application/json; charset=utf-8' };

export function restReply(status: number, body: unknown): Reply {
  return { status, headers: json, body: JSON.stringify(body) };
}

/** An answer of the Etherscan-shaped sibling, which is HTTP 200 whatever it says. */
export function moduleReply(status: '0' | '1', message: string, result: unknown): Reply {
  return restReply(200, { status, message, result });
}
