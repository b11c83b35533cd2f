import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { throwIfAborted } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import { isRecord } from '../../base/values.ts';
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
import { noBlocksError } from '../../rpc/latestBlock.ts';
import type { RpcCallOptions, RpcClient } from '../../rpc/rpcClient.ts';

/** Reads identities through the endpoint at `url`, with what is known about its batch support. */
export function createEndpointReader(options: RpcProviderOptions) {
  return createIdentityReader({
    ...createBatchedEndpoint(options),
    isNode: explorerApiUrl(options.url, '/api') === undefined,
  });
}

/**
 * Identities read from the chain through the network's endpoint, without a key. If the endpoint has no
 * `eth_getCode`, the identity is unknown and says why.
 *
 * @example
 * const { identity } = createRpcIdentity({ ...http, url, chainId, revoked });
 * await identity(address); // { kind: 'contract', token: { standard: 'ERC-20', symbol: 'USDC', … }, … }
 */
export function createRpcIdentity(options: RpcProviderOptions): IdentityProvider {
  const { clock, revoked } = options;
  const { read, glance } = createEndpointReader(options);
  const cached = createIdentityCache(clock);
  const label = getRpcLabel(options.url);
  return {
    label,
    offers: { identity: 'free' },
    identity: (address, fetchOptions) =>
      cached(
        address,
        async (signal) => {
          const requestOptions = { signal: AbortSignal.any([signal, revoked]) };
          const { tells, ...facts } = await (fetchOptions?.glance ? glance : read)(address, requestOptions);
          const result = { source: label, readAt: clock.now(), tells };
          const sources = [tells.length > 0 ? result : { ...result, reason: 'notOffered' as const }];
          return { address, ...facts, sources };
        },
        fetchOptions,
      ),
  };
}

/** An account can become a contract with the next block, and a delegation can change. */
const CACHE_TTL_MS = 60_000;
/** A contract stays a contract, and a proxy is rarely upgraded. */
const CONTRACT_CACHE_TTL_MS = 15 * 60_000;
const MAX_CACHE_ENTRIES = 500;

type IdentityCache = (
  address: Address,
  load: (signal: AbortSignal) => Promise<Identity>,
  options?: IdentityOptions,
) => Promise<Identity>;

/**
 * Caches identities, those of contracts for longer, and shares requests in flight. A glance may be served
 * from the full identity of a contract, but never replaces it. A result with a failed provider is cached only
 * briefly, like that of an account.
 *
 * @example
 * const cached = createIdentityCache(systemClock);
 * await cached(address, (signal) => read(address, { signal }));
 */
export function createIdentityCache(clock: Clock): IdentityCache {
  const cacheOptions = { clock, ttlMs: CACHE_TTL_MS, maxEntries: MAX_CACHE_ENTRIES };
  const identities = createExpiringCache<Identity>(cacheOptions);
  const glances = createExpiringCache<Identity>(cacheOptions);
  const contracts = new Map<Address, { readonly identity: Identity; readonly cachedAt: number }>();

  function cacheContract(identity: Identity): void {
    contracts.delete(identity.address);
    const isComplete = identity.sources.every(({ reason }) => reason !== 'failed');
    if (identity.kind !== 'contract' || !isComplete) return;
    contracts.set(identity.address, { identity, cachedAt: clock.elapsed() });
    const [oldest] = contracts.keys();
    if (contracts.size > MAX_CACHE_ENTRIES && oldest !== undefined) contracts.delete(oldest);
  }

  return async (address, load, options = {}) => {
    throwIfAborted(options.signal);
    const cached = options.fresh ? undefined : contracts.get(address);
    if (cached && clock.elapsed() - cached.cachedAt < CONTRACT_CACHE_TTL_MS) return cached.identity;
    const loadAndCache = async (signal: AbortSignal): Promise<Identity> => {
      const identity = await load(signal);
      if (options.glance) return identity.kind === 'account' ? identity : { ...identity, isGlance: true };
      cacheContract(identity);
      return identity;
    };
    return (options.glance ? glances : identities).get(address, loadAndCache, options);
  };
}

interface IdentityReaderOptions {
  /** Batches concurrent calls, as `createBatchedCall` does. */
  readonly call: RpcClient['call'];
  readonly batches: Pick<BatchKnowledge, 'support'>;
  /** Whether the endpoint is a node, which may report the creation of a contract. */
  readonly isNode: boolean;
}

/** Facts that another provider reports; only the rest is requested. */
type RecordedFacts = Pick<IdentityFacts, 'created' | 'token'>;

export const noFacts: IdentityFacts = {
  kind: 'unknown',
  name: undefined,
  token: undefined,
  proxy: undefined,
  created: undefined,
  tells: [],
};

/**
 * Reads an identity from the chain with `eth_getCode`, `eth_getStorageAt` and `eth_call`: in one request if
 * the server accepts batches, and a second one for what depends on it. Without batches, only the code of an
 * account is requested.
 *
 * @returns `read`, which takes facts that are already known, and `glance`, which detects a contract and its
 *   token with one request. Both throw AppError of any network kind except `rpc`, and `blockNotSeen` if a node has no
 *   blocks yet; without `eth_getCode` no facts are returned.
 */
function createIdentityReader({ call, batches, isNode }: IdentityReaderOptions) {
  const createReader = createContractReader(call);
  let hasBlocks = !isNode;

  /** With the code in one batch; without batches only for an account. */
  const askSyncing = (reader: ContractReader) => {
    const syncing = hasBlocks || batches.support() === 'refused' ? undefined : readSyncing(reader);
    syncing?.catch(() => undefined);
    return syncing;
  };

  /** A node without blocks has code of the genesis block only. */
  async function readAccount(
    code: MethodResult<Hex>,
    { reader, syncing }: { readonly reader: ContractReader; readonly syncing: ReturnType<typeof askSyncing> },
  ): Promise<IdentityFacts> {
    if (code.state === 'told' && !hasBlocks) {
      if (await (syncing ?? readSyncing(reader))) throw noBlocksError();
      hasBlocks = true;
    }
    return createAccountFacts(code);
  }

  /** One request: the code and the token calls if the server accepts batches, otherwise the code alone. */
  async function glance(address: Address, options: RpcCallOptions): Promise<IdentityFacts> {
    const reader = createReader(options);
    const syncing = askSyncing(reader);
    const isUnbatched = batches.support() === 'refused';
    const [code, responses] = await Promise.all([
      reader.code(address),
      isUnbatched ? undefined : fetchTokenResponses(reader, address),
    ]);
    const kind = toKind(code);
    if (!hasCode(kind)) return readAccount(code, { reader, syncing });
    const token = kind === 'contract' && responses ? toTokenIdentity(responses) : undefined;
    const knowsToken = token !== undefined || (responses !== undefined && hasTokenResponses(responses));
    return { ...noFacts, kind, token, tells: knowsToken ? ['kind', 'token'] : ['kind'] };
  }

  async function read(
    address: Address,
    { recorded, ...options }: RpcCallOptions & { readonly recorded?: RecordedFacts } = {},
  ): Promise<IdentityFacts> {
    const abandon = new AbortController();
    const signals = options.signal ? [options.signal, abandon.signal] : [abandon.signal];
    const reader = createReader({ ...options, signal: AbortSignal.any(signals) });
    const codeRequest = reader.code(address);
    const syncing = askSyncing(reader);
    if (batches.support() === 'refused' && !hasCode(toKind(await codeRequest)))
      return readAccount(await codeRequest, { reader, syncing });
    const rest = Promise.all([
      fetchContractSnapshot(reader, address, codeRequest),
      fetchTokenResponses(reader, address, recorded?.token),
      isNode && !recorded?.created ? fetchCreator(reader, address) : undefined,
      recorded?.created && fetchCreationBlock(reader, recorded.created),
    ]);
    rest.catch(() => undefined);
    const code = await codeRequest;
    const kind = toKind(code);
    if (!hasCode(kind)) {
      const account = await readAccount(code, { reader, syncing });
      // Without batches, most calls have not been sent yet.
      abandon.abort();
      return account;
    }
    const [snapshot, responses, creator, creation] = await rest;
    const [proxy, token, created] = await Promise.all([
      resolveProxy(reader, snapshot),
      withAsset(reader, kind === 'contract' ? toTokenIdentity(responses, recorded?.token) : undefined),
      creator && creator !== 'none' ? fetchCreationBlock(reader, creator) : creation,
    ]);
    return {
      kind,
      name: undefined,
      token,
      proxy,
      created,
      tells: listParts({
        kind: true,
        proxy: proxy !== undefined || snapshot.isComplete,
        token: token !== undefined || hasTokenResponses(responses),
        created: creator !== undefined || creation !== undefined,
      }),
    };
  }

  return { read, glance };
}

/** Whether a node that fetches the chain is still at block 0. */
async function readSyncing(reader: ContractReader): Promise<boolean> {
  const { state, value } = { value: undefined, ...(await reader.method('eth_syncing', [])) };
  return state === 'told' && isRecord(value) && parseQuantity(value.currentBlock) === 0n;
}

function createAccountFacts(code: MethodResult<Hex>): IdentityFacts {
  if (code.state !== 'told') return noFacts;
  return { ...noFacts, kind: 'account', tells: ['kind', 'token', 'proxy', 'created'] };
}

function toKind(code: MethodResult<Hex>): IdentityKind {
  if (code.state !== 'told') return 'unknown';
  if (code.value === '0x' || CLEARED.test(code.value)) return 'account';
  return DELEGATED.test(code.value) ? 'delegated' : 'contract';
}

function hasCode(kind: IdentityKind): boolean {
  return kind === 'contract' || kind === 'delegated';
}

const DELEGATED = /^0xef0100[0-9a-f]{40}$/;
/** EIP-7702: a delegation that was cleared. */
const CLEARED = /^0xef01000{40}$/;

function listParts(parts: Readonly<Record<IdentityPart, boolean>>): readonly IdentityPart[] {
  return (Object.keys(parts) as IdentityPart[]).filter((part) => parts[part]);
}

const Creator = z.object({ hash: z.string(), creator: z.string() });
const Transaction = z.object({ blockNumber: z.string() });

interface CreationTransaction {
  readonly transaction: Hex;
  readonly deployer: Address | undefined;
}

/**
 * Looks up the creation of a contract with `ots_getContractCreator` of the Otterscan namespace (erigon, reth,
 * anvil).
 *
 * @returns `none` if the node knows no such transaction, as for a contract in the genesis block; undefined if
 *   the node does not report it.
 * @throws AppError as `reader` does.
 */
async function fetchCreator(
  reader: ContractReader,
  contract: Address,
): Promise<CreationTransaction | 'none' | undefined> {
  const result = await reader.method('ots_getContractCreator', [contract]);
  if (result.state !== 'told') return undefined;
  if (result.value === null) return 'none';
  const { hash, creator } = Creator.safeParse(result.value).data ?? {};
  const transaction = parseHexData(hash, 32);
  return transaction && { transaction, deployer: parseAddress(creator) };
}

/**
 * Looks up the block of the creation transaction with `eth_getTransactionByHash`.
 *
 * @throws AppError as `reader` does.
 */
async function fetchCreationBlock(
  reader: ContractReader,
  created: Omit<Creation, 'block'>,
): Promise<Creation> {
  if (created.transaction === undefined) return { ...created, block: undefined };
  const result = await reader.method('eth_getTransactionByHash', [created.transaction]);
  const found = result.state === 'told' ? Transaction.safeParse(result.value).data : undefined;
  return { ...created, block: parseQuantity(found?.blockNumber) };
}
