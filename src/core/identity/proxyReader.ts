import { toAbiWord } from '../abi/encode.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import type { CallResult, ContractReader, MethodResult } from '../rpc/ethCall.ts';
import type { Implementation, ProxyConflict, ProxyIdentity, ProxyType } from './identity.ts';
import {
  beaconGetters,
  type CodePattern,
  decodeAddressResult,
  decodeFacets,
  encodeGetAddress,
  FACET_ADDRESSES,
  getResolverSlots,
  hasDelegateCall,
  matchCodePattern,
  mayCallTarget,
  parseAddressWord,
  parseShortTextWord,
  proxyGetters,
  proxySlots,
  TARGET,
} from './proxyPatterns.ts';

/**
 * The implementation of a contract, and that of the implementation if it is a proxy too. One round of
 * requests serves beacons, registries and implementations; another follows only for each further proxy, at
 * most three deep. Facets and the implementations that beacons name are not inspected.
 *
 * @param before the proxies that led to this one.
 * @returns undefined if the contract is not a proxy.
 * @throws AppError as {@link fetchContractSnapshot} does.
 * @example
 * const { type } = await resolveProxy(reader, await fetchContractSnapshot(reader, address)); // 'eip1967'
 */
export async function resolveProxy(
  reader: ContractReader,
  snapshot: ContractSnapshot,
  before: readonly Address[] = [],
): Promise<ProxyIdentity | undefined> {
  const candidates = findProxyCandidates(snapshot);
  if (candidates.length === 0) return undefined;
  const path = [...before, snapshot.address];
  const pending = fetchSnapshots(reader, candidates, path);
  const resolving = candidates.map((candidate) => resolve(reader, candidate, snapshot.address));
  const [snapshots, resolved] = await Promise.all([awaitSnapshots(pending), Promise.all(resolving)]);
  const isCredible = ({ isClaim, implementations }: ProxyCandidate) =>
    !isClaim || implementations.every((address) => snapshots.get(address)?.code !== '0x');
  const credible = resolved.filter(isCredible);
  const chosen = credible.find(({ implementations }) => implementations.length > 0) ?? credible[0];
  if (!chosen) return undefined;
  const implementing = chosen.implementations.map((address) =>
    toImplementation(reader, address, { snapshots, path }),
  );
  return {
    type: chosen.type,
    implementations: await Promise.all(implementing),
    left: chosen.left,
    admin: parseAddressWord(snapshot.slots.admin),
    beacon: chosen.beacon,
    conflict: findConflicts(chosen, resolved),
  };
}

type SlotName = keyof typeof proxySlots | 'ownAddress' | 'resolverName' | 'resolver';

const MAX_PROXY_DEPTH = 3;

/**
 * Requests code, storage slots and getters together: every request starts before the first is awaited, so
 * that the reader batches them.
 *
 * @param code the result, if it is already requested.
 * @throws AppError as `reader` does.
 */
export async function fetchContractSnapshot(
  reader: ContractReader,
  address: Address,
  code: Promise<MethodResult<Hex>> = reader.code(address),
): Promise<ContractSnapshot> {
  const resolver = getResolverSlots(address);
  const slots = {
    ...proxySlots,
    ownAddress: toAbiWord(address),
    resolverName: resolver.name,
    resolver: resolver.registry,
  };
  const names = Object.keys(slots) as SlotName[];
  const slotResults = Promise.all(names.map((name) => reader.slot(address, slots[name])));
  const getterResults = Promise.all(proxyGetters.map(({ data }) => reader.call(address, data)));
  const facetsResult = reader.call(address, FACET_ADDRESSES);
  const targetResult = reader.call(address, TARGET);
  const [codeResult, words, getters, facets, target] = await Promise.all([
    code,
    slotResults,
    getterResults,
    facetsResult,
    targetResult,
  ]);
  const entries = names.map((name, place) => [name, getResult(words[place])] as const);
  return {
    address,
    code: getResult(codeResult),
    slots: Object.fromEntries(entries) as ContractSnapshot['slots'],
    getters,
    facets,
    target,
    isComplete:
      codeResult.state === 'told' &&
      words.every(({ state }) => state === 'told') &&
      [...getters, facets, target].every(({ state }) => state !== 'notOffered'),
  };
}

/** Undefined if the endpoint does not serve the method. */
export function getResult<T>(result: MethodResult<T> | undefined): T | undefined {
  return result?.state === 'told' ? result.value : undefined;
}

/** Everything that one round of requests reveals about a contract's implementation. */
export interface ContractSnapshot {
  readonly address: Address;
  /** Undefined if the endpoint does not serve code. */
  readonly code: Hex | undefined;
  /** Each slot as a word; undefined if the endpoint does not serve storage. */
  readonly slots: Readonly<Record<SlotName, Hex | undefined>>;
  /** The results of `proxyGetters`, in the same order. */
  readonly getters: readonly CallResult[];
  readonly facets: CallResult;
  /** The result of `target()`. */
  readonly target: CallResult;
  /** Whether the endpoint served code, storage and calls. */
  readonly isComplete: boolean;
}

interface ProxyCandidate {
  readonly type: ProxyType;
  readonly implementations: readonly Address[];
  readonly left: number;
  /** The calls that return the implementation; the first result counts. */
  readonly getters?: { readonly contract: Address; readonly anyOf: readonly Hex[] } | undefined;
  readonly beacon?: Address | undefined;
  /** Only a function of the contract reports it. It is accepted if that address has code. */
  readonly isClaim: boolean;
}

/**
 * The implementations by each pattern, the most trusted first. A code pattern decides alone. Storage comes before
 * getters because a function may return anything. A getter counts only if storage shows a proxy, if the code can
 * delegate at all, or if the code does not contain the getter's selector: a factory or a beacon with an
 * `implementation()` is not a proxy. Zero and the address itself are not implementations, except for an account that
 * delegates to itself (EIP-7702).
 *
 * @example
 * const [chosen, ...others] = findProxyCandidates(await fetchContractSnapshot(reader, address));
 */
export function findProxyCandidates(snapshot: ContractSnapshot): readonly ProxyCandidate[] {
  const { code } = snapshot;
  if (code === '0x') return [];
  const pattern = code === undefined ? undefined : matchCodePattern(code);
  const fromCode = pattern ? findByCode(pattern, snapshot) : undefined;
  if (fromCode) return [fromCode];
  const stored = findBySlots(snapshot);
  if (code === undefined) return stored;
  const mayDelegate = stored.length > 0 || hasDelegateCall(code);
  const counts = (call: Hex) => mayDelegate || !code.includes(call.slice(2));
  const found = [...stored, ...findByGetters(snapshot, counts)];
  return found.length > 0 ? found : findCallTarget(snapshot, code);
}

/** Of a contract that is no proxy by any other pattern, because `target` is a common name. */
function findCallTarget(snapshot: ContractSnapshot, code: Hex): readonly ProxyCandidate[] {
  if (!mayCallTarget(code)) return [];
  const candidate = toCandidate(snapshot, 'call_target', decodeAddressResult(snapshot.target));
  return candidate ? [{ ...candidate, isClaim: true }] : [];
}

function findByCode(pattern: CodePattern, snapshot: ContractSnapshot): ProxyCandidate | undefined {
  const { slots } = snapshot;
  const { type } = pattern;
  if ('implementation' in pattern) return toCandidate(snapshot, type, pattern.implementation);
  switch (pattern.storedIn) {
    case 'eip1967':
      return toCandidate(snapshot, type, parseAddressWord(slots.eip1967));
    case 'ownAddress':
      return toCandidate(snapshot, type, parseAddressWord(slots.ownAddress));
    case 'masterCopy':
      return toCandidate(snapshot, type, parseAddressWord(slots.masterCopy, { packed: true }));
    case 'beacon':
      return findByBeacon(snapshot, type);
    case 'resolver': {
      const name = parseShortTextWord(slots.resolverName);
      const contract = parseAddressWord(slots.resolver);
      if (!name || !contract) return undefined;
      const getters = { contract, anyOf: [encodeGetAddress(name)] };
      return { type, implementations: [], left: 0, getters, isClaim: false };
    }
  }
}

function findBySlots(snapshot: ContractSnapshot): readonly ProxyCandidate[] {
  const { slots } = snapshot;
  const found = [
    toCandidate(snapshot, 'eip1967', parseAddressWord(slots.eip1967) ?? parseAddressWord(slots.eip1967Above)),
    findByBeacon(snapshot, 'eip1967_beacon'),
    toCandidate(snapshot, 'eip1967_oz', parseAddressWord(slots.openZeppelin)),
    toCandidate(snapshot, 'eip1822', parseAddressWord(slots.eip1822)),
  ];
  return found.filter((one) => one !== undefined);
}

function findByBeacon(snapshot: ContractSnapshot, type: ProxyType): ProxyCandidate | undefined {
  const beacon = parseAddressWord(snapshot.slots.beacon);
  if (!beacon || beacon === snapshot.address) return undefined;
  const getters = { contract: beacon, anyOf: beaconGetters };
  return { type, implementations: [], left: 0, getters, beacon, isClaim: false };
}

/** @param counts whether the result of a getter counts, by its calldata. */
function findByGetters(
  snapshot: ContractSnapshot,
  counts: (call: Hex) => boolean,
): readonly ProxyCandidate[] {
  const { facets, left } = decodeFacets(snapshot.facets, snapshot.address);
  const isDiamond = facets.length > 0 && counts(FACET_ADDRESSES);
  const diamond: readonly ProxyCandidate[] = isDiamond
    ? [{ type: 'eip2535', implementations: facets, left, isClaim: false }]
    : [];
  const claimed = proxyGetters.map(({ type, data }, place) =>
    counts(data) ? toCandidate(snapshot, type, decodeAddressResult(snapshot.getters[place])) : undefined,
  );
  const claims = claimed.filter((one) => one !== undefined);
  return [...diamond, ...claims.map((one) => ({ ...one, isClaim: true }))];
}

function toCandidate(
  { address }: ContractSnapshot,
  type: ProxyType,
  implementation: Address | undefined,
): ProxyCandidate | undefined {
  if (implementation === undefined || (implementation === address && type !== 'eip7702')) return undefined;
  // EIP-7702 clears a delegation with zero.
  if (implementation === ZERO_ADDRESS) return undefined;
  return { type, implementations: [implementation], left: 0, isClaim: false };
}

async function resolve(
  reader: ContractReader,
  candidate: ProxyCandidate,
  self: Address,
): Promise<ProxyCandidate> {
  const { getters } = candidate;
  if (!getters) return candidate;
  const results = await Promise.all(getters.anyOf.map((data) => reader.call(getters.contract, data)));
  const found = results.map(decodeAddressResult).find((address) => address !== undefined);
  return found === undefined || found === self ? candidate : { ...candidate, implementations: [found] };
}

/** Fetches the implementation of the first candidate that is not a diamond, and all that getters claim. */
function fetchSnapshots(
  reader: ContractReader,
  candidates: readonly ProxyCandidate[],
  path: readonly Address[],
): ReadonlyMap<Address, Promise<ContractSnapshot>> {
  const snapshots = new Map<Address, Promise<ContractSnapshot>>();
  if (path.length >= MAX_PROXY_DEPTH) return snapshots;
  for (const { type, isClaim, implementations } of candidates) {
    const [address] = implementations;
    if (address === undefined || type === 'eip2535' || path.includes(address)) continue;
    if ((snapshots.size === 0 || isClaim) && !snapshots.has(address))
      snapshots.set(address, fetchContractSnapshot(reader, address));
  }
  return snapshots;
}

async function awaitSnapshots(
  snapshots: ReadonlyMap<Address, Promise<ContractSnapshot>>,
): Promise<ReadonlyMap<Address, ContractSnapshot>> {
  return new Map(
    await Promise.all([...snapshots].map(async ([address, snapshot]) => [address, await snapshot] as const)),
  );
}

async function toImplementation(
  reader: ContractReader,
  address: Address,
  {
    snapshots,
    path,
  }: { readonly snapshots: ReadonlyMap<Address, ContractSnapshot>; readonly path: readonly Address[] },
): Promise<Implementation> {
  if (path.includes(address)) return { address, stopped: 'loop' };
  const snapshot = snapshots.get(address);
  if (!snapshot) return path.length >= MAX_PROXY_DEPTH ? { address, stopped: 'depth' } : { address };
  if (snapshot.code === undefined) return { address };
  if (snapshot.code === '0x') return { address, code: 'noCode' };
  const proxy = await resolveProxy(reader, snapshot, path);
  return proxy ? { address, code: 'code', proxy } : { address, code: 'code' };
}

function findConflicts(
  { type: chosen, implementations }: ProxyCandidate,
  resolved: readonly ProxyCandidate[],
): readonly ProxyConflict[] {
  return resolved.flatMap(({ type, implementations: others }) =>
    type === chosen
      ? []
      : others.filter((other) => !implementations.includes(other)).map((address) => ({ type, address })),
  );
}
