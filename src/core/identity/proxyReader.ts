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
  parseAddressWord,
  parseShortTextWord,
  proxyGetters,
  proxySlots,
} from './proxyPatterns.ts';

type SlotName = keyof typeof proxySlots | 'ownAddress' | 'resolverName' | 'resolver';

/** All that one round of questions tells of what an address runs. */
export interface ContractSnapshot {
  readonly address: Address;
  /** Undefined where the endpoint does not tell code. */
  readonly code: Hex | undefined;
  /** Each slot as a word; undefined where the endpoint does not tell storage. */
  readonly slots: Readonly<Record<SlotName, Hex | undefined>>;
  /** The answers to `proxyGetters`, in their order. */
  readonly getters: readonly CallResult[];
  readonly facets: CallResult;
  /** Whether code, storage and calls were all told. */
  readonly whole: boolean;
}

/**
 * Asks for everything that may show a proxy at once: code, slots and getters. Each question is begun before the first
 * answer is waited for, so that they go together.
 *
 * @param code where it is asked for already.
 * @throws AppError as the asker's questions do.
 */
export async function fetchContractSnapshot(
  ask: ContractReader,
  address: Address,
  code: Promise<MethodResult<Hex>> = ask.code(address),
): Promise<ContractSnapshot> {
  const resolver = getResolverSlots(address);
  const wanted = {
    ...proxySlots,
    ownAddress: toAbiWord(address),
    resolverName: resolver.name,
    resolver: resolver.registry,
  };
  const names = Object.keys(wanted) as SlotName[];
  const slotsAsked = Promise.all(names.map((name) => ask.slot(address, wanted[name])));
  const gettersAsked = Promise.all(proxyGetters.map(({ data }) => ask.call(address, data)));
  const facetsAsked = ask.call(address, FACET_ADDRESSES);
  const [answered, words, getters, facets] = await Promise.all([code, slotsAsked, gettersAsked, facetsAsked]);
  const entries = names.map((name, place) => [name, getResult(words[place])] as const);
  return {
    address,
    code: getResult(answered),
    slots: Object.fromEntries(entries) as ContractSnapshot['slots'],
    getters,
    facets,
    whole:
      answered.state === 'told' &&
      words.every(({ state }) => state === 'told') &&
      [...getters, facets].every(({ state }) => state !== 'notOffered'),
  };
}

function getResult<T>(asked: MethodResult<T> | undefined): T | undefined {
  return asked?.state === 'told' ? asked.value : undefined;
}

/** What one pattern says that an address runs. */
interface ProxyCandidate {
  readonly type: ProxyType;
  readonly implementations: readonly Address[];
  /** Facets that are left out. */
  readonly left: number;
  /** Who is to be asked for the implementation, and how: the first answer counts. */
  readonly asks?: { readonly contract: Address; readonly anyOf: readonly Hex[] } | undefined;
  readonly beacon?: Address | undefined;
  /** The contract only says so. It is believed where code is at what it names. */
  readonly isClaim: boolean;
}

/**
 * What the patterns say, the most trusted first. The form of the code says all where it has one. Else storage comes
 * before functions, since functions may say anything; and functions count only where storage shows a proxy, where the
 * code can run others' at all, or where it does not have them itself, so that a factory or a beacon with an
 * `implementation()` is no proxy. Zero and the address itself are no implementation, but for an account that delegates
 * to itself (EIP-7702).
 *
 * @example
 * const [believed, ...others] = findProxyCandidates(await fetchContractSnapshot(ask, address));
 */
export function findProxyCandidates(look: ContractSnapshot): readonly ProxyCandidate[] {
  const { code } = look;
  if (code === '0x') return [];
  const pattern = code === undefined ? undefined : matchCodePattern(code);
  const formed = pattern ? byPattern(pattern, look) : undefined;
  if (formed) return [formed];
  const stored = bySlots(look);
  if (code === undefined) return stored;
  const isAny = stored.length > 0 || hasDelegateCall(code);
  const counts = (call: Hex) => isAny || !code.includes(call.slice(2));
  return [...stored, ...byFunctions(look, counts)];
}

function byPattern(pattern: CodePattern, look: ContractSnapshot): ProxyCandidate | undefined {
  const { slots } = look;
  const { type } = pattern;
  if ('implementation' in pattern) return candidate(look, type, pattern.implementation);
  switch (pattern.storedIn) {
    case 'eip1967':
      return candidate(look, type, parseAddressWord(slots.eip1967));
    case 'ownAddress':
      return candidate(look, type, parseAddressWord(slots.ownAddress));
    case 'masterCopy':
      return candidate(look, type, parseAddressWord(slots.masterCopy, { packed: true }));
    case 'beacon':
      return byBeacon(look, type);
    case 'resolver': {
      const name = parseShortTextWord(slots.resolverName);
      const contract = parseAddressWord(slots.resolver);
      if (!name || !contract) return undefined;
      const asks = { contract, anyOf: [encodeGetAddress(name)] };
      return { type, implementations: [], left: 0, asks, isClaim: false };
    }
  }
}

function bySlots(look: ContractSnapshot): readonly ProxyCandidate[] {
  const { slots } = look;
  const found = [
    candidate(look, 'eip1967', parseAddressWord(slots.eip1967) ?? parseAddressWord(slots.eip1967Above)),
    byBeacon(look, 'eip1967_beacon'),
    candidate(look, 'eip1967_oz', parseAddressWord(slots.openZeppelin)),
    candidate(look, 'eip1822', parseAddressWord(slots.eip1822)),
  ];
  return found.filter((one) => one !== undefined);
}

function byBeacon(look: ContractSnapshot, type: ProxyType): ProxyCandidate | undefined {
  const beacon = parseAddressWord(look.slots.beacon);
  if (!beacon || beacon === look.address) return undefined;
  const asks = { contract: beacon, anyOf: beaconGetters };
  return { type, implementations: [], left: 0, asks, beacon, isClaim: false };
}

/** @param counts whether what a function says is to be looked at. */
function byFunctions(look: ContractSnapshot, counts: (call: Hex) => boolean): readonly ProxyCandidate[] {
  const { facets, left } = decodeFacets(look.facets, look.address);
  const isDiamond = facets.length > 0 && counts(FACET_ADDRESSES);
  const diamond: readonly ProxyCandidate[] = isDiamond
    ? [{ type: 'eip2535', implementations: facets, left, isClaim: false }]
    : [];
  const claimed = proxyGetters.map(({ type, data }, place) =>
    counts(data) ? candidate(look, type, decodeAddressResult(look.getters[place])) : undefined,
  );
  const claims = claimed.filter((one) => one !== undefined);
  return [...diamond, ...claims.map((one) => ({ ...one, isClaim: true }))];
}

function candidate(
  { address }: ContractSnapshot,
  type: ProxyType,
  implementation: Address | undefined,
): ProxyCandidate | undefined {
  if (implementation === undefined || (implementation === address && type !== 'eip7702')) return undefined;
  // Zero is what a delegation is cleared with.
  if (implementation === ZERO_ADDRESS) return undefined;
  return { type, implementations: [implementation], left: 0, isClaim: false };
}

/** Implementations behind each other that are told. */
const MAX_PROXY_DEPTH = 3;

/**
 * What a contract runs, by a first look at it, and what that runs in turn. One round of questions goes to beacons, to
 * registries and to implementations together; the next goes only to what is behind a second proxy, three deep at most.
 * Facets, and what a beacon names, are not looked at.
 *
 * @param before the proxies on the way to it.
 * @returns undefined for what is no proxy.
 * @throws AppError as {@link fetchContractSnapshot} does.
 * @example
 * const { type } = await resolveProxy(ask, await fetchContractSnapshot(ask, address)); // 'eip1967'
 */
export async function resolveProxy(
  ask: ContractReader,
  look: ContractSnapshot,
  before: readonly Address[] = [],
): Promise<ProxyIdentity | undefined> {
  const candidates = findProxyCandidates(look);
  if (candidates.length === 0) return undefined;
  const way = [...before, look.address];
  const next = fetchSnapshots(ask, candidates, way);
  const asked = candidates.map((candidate) => resolve(ask, candidate, look.address));
  const [looks, told] = await Promise.all([fetchSnapshot(next), Promise.all(asked)]);
  const isThere = ({ isClaim, implementations }: ProxyCandidate) =>
    !isClaim || implementations.every((address) => looks.get(address)?.code !== '0x');
  const believable = told.filter(isThere);
  const believed = believable.find(({ implementations }) => implementations.length > 0) ?? believable[0];
  if (!believed) return undefined;
  const described = believed.implementations.map((address) => describe(ask, address, { looks, way }));
  return {
    type: believed.type,
    implementations: await Promise.all(described),
    left: believed.left,
    admin: parseAddressWord(look.slots.admin),
    beacon: believed.beacon,
    conflict: conflictsWith(believed, told),
  };
}

/** Asks a beacon or a registry for what it names. */
async function resolve(
  ask: ContractReader,
  candidate: ProxyCandidate,
  self: Address,
): Promise<ProxyCandidate> {
  const { asks } = candidate;
  if (!asks) return candidate;
  const answers = await Promise.all(asks.anyOf.map((data) => ask.call(asks.contract, data)));
  const named = answers.map(decodeAddressResult).find((address) => address !== undefined);
  return named === undefined || named === self ? candidate : { ...candidate, implementations: [named] };
}

/** Looks at what is named by the first that is no diamond, and at what contracts only claim. */
function fetchSnapshots(
  ask: ContractReader,
  candidates: readonly ProxyCandidate[],
  way: readonly Address[],
): ReadonlyMap<Address, Promise<ContractSnapshot>> {
  const looks = new Map<Address, Promise<ContractSnapshot>>();
  if (way.length >= MAX_PROXY_DEPTH) return looks;
  for (const { type, isClaim, implementations } of candidates) {
    const [address] = implementations;
    if (address === undefined || type === 'eip2535' || way.includes(address)) continue;
    if ((looks.size === 0 || isClaim) && !looks.has(address))
      looks.set(address, fetchContractSnapshot(ask, address));
  }
  return looks;
}

async function fetchSnapshot(
  looks: ReadonlyMap<Address, Promise<ContractSnapshot>>,
): Promise<ReadonlyMap<Address, ContractSnapshot>> {
  return new Map(
    await Promise.all([...looks].map(async ([address, look]) => [address, await look] as const)),
  );
}

async function describe(
  ask: ContractReader,
  address: Address,
  {
    looks,
    way,
  }: { readonly looks: ReadonlyMap<Address, ContractSnapshot>; readonly way: readonly Address[] },
): Promise<Implementation> {
  if (way.includes(address)) return { address, stopped: 'loop' };
  const look = looks.get(address);
  if (!look) return way.length >= MAX_PROXY_DEPTH ? { address, stopped: 'depth' } : { address };
  if (look.code === undefined) return { address };
  if (look.code === '0x') return { address, code: 'noCode' };
  const proxy = await resolveProxy(ask, look, way);
  return proxy ? { address, code: 'code', proxy } : { address, code: 'code' };
}

function conflictsWith(
  { type: believed, implementations }: ProxyCandidate,
  told: readonly ProxyCandidate[],
): readonly ProxyConflict[] {
  return told.flatMap(({ type, implementations: others }) =>
    type === believed
      ? []
      : others.filter((other) => !implementations.includes(other)).map((address) => ({ type, address })),
  );
}
