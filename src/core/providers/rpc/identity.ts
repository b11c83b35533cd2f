import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { throwIfAborted } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import { createBatchedEndpoint, getRpcLabel, type RpcProviderOptions } from '../../client/endpointClient.ts';
import { type Address, type Hex, parseAddress, parseHexData, parseQuantity } from '../../eth/hex.ts';
import type {
  Creation,
  Identity,
  IdentityFacts,
  IdentityKind,
  IdentityOptions,
  IdentityPart,
  IdentityProvider,
} from '../../identity/identity.ts';
import { fetchContractSnapshot, resolveProxy } from '../../identity/proxyReader.ts';
import {
  fetchTokenResponses,
  hasTokenResponses,
  toTokenIdentity,
  withAsset,
} from '../../identity/tokenReader.ts';
import { explorerApiUrl } from '../../networks/network.ts';
import type { BatchKnowledge } from '../../rpc/batching.ts';
import { type ContractReader, createContractReader, type MethodResult } from '../../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../../rpc/rpcClient.ts';

/** As `createIdentityReader`, through the endpoint at `url`, with what is learnt about it. */
export function createEndpointReader(options: RpcProviderOptions) {
  return createIdentityReader({
    ...createBatchedEndpoint(options),
    isNode: explorerApiUrl(options.url, '/api') === undefined,
  });
}

/**
 * What is at addresses, as the chain itself says through the network's endpoint, without a key. Where the endpoint has
 * no `eth_getCode` nothing is known, and the answer says so.
 *
 * @example
 * const { identity } = createRpcIdentity({ ...http, url, chainId, revoked });
 * await identity(address); // { kind: 'contract', token: { standard: 'ERC-20', symbol: 'USDC', … }, … }
 */
export function createRpcIdentity(options: RpcProviderOptions): IdentityProvider {
  const { clock, revoked } = options;
  const { read, glance } = createEndpointReader(options);
  const kept = createIdentityCache(clock);
  const label = getRpcLabel(options.url);
  return {
    label,
    offers: { identity: 'free' },
    identity: (address, asked) =>
      kept(
        address,
        async (signal) => {
          const ends = { signal: AbortSignal.any([signal, revoked]) };
          const { tells, ...facts } = await (asked?.glance ? glance : read)(address, ends);
          const teller = { source: label, readAt: clock.now(), tells };
          const sources = [tells.length > 0 ? teller : { ...teller, gap: 'notOffered' as const }];
          return { address, ...facts, sources };
        },
        asked,
      ),
  };
}

interface IdentityReading {
  /** Sends what is asked at the same time together, as `createBatchedCall` does. */
  readonly call: RpcClient['call'];
  readonly batches: Pick<BatchKnowledge, 'support'>;
  /** Whether the endpoint is a node, which may know the creation of a contract. */
  readonly isNode: boolean;
}

/** What somebody else says of it: of that only the rest is asked. */
type KnownIdentity = Pick<IdentityFacts, 'created' | 'token'>;

/** Nothing is known. */
export const noFacts: IdentityFacts = {
  kind: 'unknown',
  name: undefined,
  token: undefined,
  proxy: undefined,
  created: undefined,
  tells: [],
};

/**
 * Reads what is at an address from the chain itself: by `eth_getCode`, `eth_getStorageAt` and `eth_call`, in one
 * request where the server takes batches, and a second one for what hangs on it. Where it takes none, an account is
 * asked for its code alone.
 *
 * @returns `read`, which takes what is known already, and `glance`, which asks by one request whether it is a contract
 *   and what token. Both throw AppError of any network kind but `rpc`; without `eth_getCode` nothing is told.
 */
function createIdentityReader({ call, batches, isNode }: IdentityReading) {
  const begin = createContractReader(call);

  /** One request: with what shows a token where the server takes batches, else for the code alone. */
  async function glance(address: Address, options: RpcCallOptions): Promise<IdentityFacts> {
    const ask = begin(options);
    const isAlone = batches.support() === 'refused';
    const [code, answers] = await Promise.all([
      ask.code(address),
      isAlone ? undefined : fetchTokenResponses(ask, address),
    ]);
    const kind = kindOf(code);
    if (!hasCode(kind)) return withoutCode(code);
    const token = kind === 'contract' && answers ? toTokenIdentity(answers) : undefined;
    const isTold = token !== undefined || (answers !== undefined && hasTokenResponses(answers));
    return { ...noFacts, kind, token, tells: isTold ? ['kind', 'token'] : ['kind'] };
  }

  async function read(
    address: Address,
    { known, ...options }: RpcCallOptions & { readonly known?: KnownIdentity } = {},
  ): Promise<IdentityFacts> {
    const beside = new AbortController();
    const signals = options.signal ? [options.signal, beside.signal] : [beside.signal];
    const ask = begin({ ...options, signal: AbortSignal.any(signals) });
    const asked = ask.code(address);
    if (batches.support() === 'refused' && !hasCode(kindOf(await asked))) return withoutCode(await asked);
    const rest = Promise.all([
      fetchContractSnapshot(ask, address, asked),
      fetchTokenResponses(ask, address, known?.token),
      isNode && !known?.created ? fetchCreator(ask, address) : undefined,
      known?.created && fetchCreationBlock(ask, known.created),
    ]);
    rest.catch(() => undefined);
    const code = await asked;
    const kind = kindOf(code);
    if (!hasCode(kind)) {
      // Where each call goes alone, most of them are still to be sent.
      beside.abort();
      return withoutCode(code);
    }
    const [look, answers, creator, recorded] = await rest;
    const [proxy, token, created] = await Promise.all([
      resolveProxy(ask, look),
      withAsset(ask, kind === 'contract' ? toTokenIdentity(answers, known?.token) : undefined),
      creator && creator !== 'none' ? fetchCreationBlock(ask, creator) : recorded,
    ]);
    return {
      kind,
      name: undefined,
      token,
      proxy,
      created,
      tells: partsWhere({
        kind: true,
        proxy: proxy !== undefined || look.whole,
        token: token !== undefined || hasTokenResponses(answers),
        created: creator !== undefined || recorded !== undefined,
      }),
    };
  }

  return { read, glance };
}

function withoutCode(code: MethodResult<Hex>): IdentityFacts {
  if (code.state !== 'told') return noFacts;
  return { ...noFacts, kind: 'account', tells: ['kind', 'token', 'proxy', 'created'] };
}

function kindOf(code: MethodResult<Hex>): IdentityKind {
  if (code.state !== 'told') return 'unknown';
  if (code.value === '0x' || CLEARED.test(code.value)) return 'account';
  return DELEGATED.test(code.value) ? 'delegated' : 'contract';
}

function hasCode(kind: IdentityKind): boolean {
  return kind === 'contract' || kind === 'delegated';
}

const DELEGATED = /^0xef0100[0-9a-f]{40}$/;
/** A delegation to nobody. */
const CLEARED = /^0xef01000{40}$/;

function partsWhere(parts: Readonly<Record<IdentityPart, boolean>>): readonly IdentityPart[] {
  return (Object.keys(parts) as IdentityPart[]).filter((part) => parts[part]);
}

const Creator = z.object({ hash: z.string(), creator: z.string() });
const Transaction = z.object({ blockNumber: z.string() });

/** Who made a contract, and in which transaction. */
interface Created {
  readonly transaction: Hex;
  readonly deployer: Address | undefined;
}

/**
 * Asks by `ots_getContractCreator` of the Otterscan namespace (erigon, reth, anvil) how a contract came to be.
 *
 * @returns `none` where the node knows of no such transaction, as of the genesis block; undefined where it does not
 *   tell.
 * @throws AppError as the asker's questions do.
 */
async function fetchCreator(ask: ContractReader, contract: Address): Promise<Created | 'none' | undefined> {
  const answer = await ask.method('ots_getContractCreator', [contract]);
  if (answer.state !== 'told') return undefined;
  if (answer.value === null) return 'none';
  const { hash, creator } = Creator.safeParse(answer.value).data ?? {};
  const transaction = parseHexData(hash, 32);
  return transaction && { transaction, deployer: parseAddress(creator) };
}

/**
 * The block of the transaction that made a contract, by `eth_getTransactionByHash`.
 *
 * @throws AppError as the asker's questions do.
 */
async function fetchCreationBlock(ask: ContractReader, created: Omit<Creation, 'block'>): Promise<Creation> {
  if (created.transaction === undefined) return { ...created, block: undefined };
  const answer = await ask.method('eth_getTransactionByHash', [created.transaction]);
  const found = answer.state === 'told' ? Transaction.safeParse(answer.value).data : undefined;
  return { ...created, block: parseQuantity(found?.blockNumber) };
}

/** An account can become a contract with the next block, and a delegated one somebody else's. */
const CACHE_TTL_MS = 60_000;
/** A contract stays one; what a proxy runs is seldom changed. */
const CONTRACT_CACHE_TTL_MS = 15 * 60_000;
const MAX_CACHE_ENTRIES = 500;

/** Answers of one source about one chain. */
export type IdentityCache = (
  address: Address,
  load: (signal: AbortSignal) => Promise<Identity>,
  options?: IdentityOptions,
) => Promise<Identity>;

/**
 * Keeps what is at addresses, that of contracts for longer, and shares what is on its way. A glance takes what is known
 * of a contract, and never stands in for a whole answer. An answer to which a source has failed to add is kept as that of
 * an account: for a minute.
 *
 * @example
 * const kept = createIdentityCache(systemClock);
 * await kept(address, (signal) => read(address, { signal }));
 */
export function createIdentityCache(clock: Clock): IdentityCache {
  const kept = { clock, ttlMs: CACHE_TTL_MS, maxEntries: MAX_CACHE_ENTRIES };
  const answers = createExpiringCache<Identity>(kept);
  const glances = createExpiringCache<Identity>(kept);
  const contracts = new Map<Address, { readonly identity: Identity; readonly keptAt: number }>();

  function keep(identity: Identity): void {
    contracts.delete(identity.address);
    const isWhole = identity.sources.every(({ gap }) => gap !== 'failed');
    if (identity.kind !== 'contract' || !isWhole) return;
    contracts.set(identity.address, { identity, keptAt: clock.elapsed() });
    const [oldest] = contracts.keys();
    if (contracts.size > MAX_CACHE_ENTRIES && oldest !== undefined) contracts.delete(oldest);
  }

  return async (address, load, options = {}) => {
    throwIfAborted(options.signal);
    const known = options.fresh ? undefined : contracts.get(address);
    if (known && clock.elapsed() - known.keptAt < CONTRACT_CACHE_TTL_MS) return known.identity;
    const loaded = async (signal: AbortSignal): Promise<Identity> => {
      const identity = await load(signal);
      if (options.glance) return identity.kind === 'account' ? identity : { ...identity, isGlance: true };
      keep(identity);
      return identity;
    };
    return (options.glance ? glances : answers).get(address, loaded, options);
  };
}
