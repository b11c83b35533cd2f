import type { ContractAsker } from '../../rpc/contractAsker.ts';
import type { Address } from '../../values/address.ts';
import { type ProxyCandidate, proxyCandidates } from './candidates.ts';
import { type ContractLook, lookAtContract } from './contractLook.ts';
import { addressReturned } from './getters.ts';
import type { Implementation, ProxyConflict, ProxyIdentity } from './proxy.ts';
import { addressInWord } from './slots.ts';

/** Implementations behind each other that are told. */
const DEEPEST = 3;

/**
 * What a contract runs, by a first look at it, and what that runs in turn. One round of questions goes to beacons, to
 * registries and to implementations together; the next goes only to what is behind a second proxy, three deep at most.
 * Facets, and what a beacon names, are not looked at.
 *
 * @param before the proxies on the way to it.
 * @returns undefined for what is no proxy.
 * @throws AppError as {@link lookAtContract} does.
 * @example
 * const { type } = await followProxy(ask, await lookAtContract(ask, address)); // 'eip1967'
 */
export async function followProxy(
  ask: ContractAsker,
  look: ContractLook,
  before: readonly Address[] = [],
): Promise<ProxyIdentity | undefined> {
  const candidates = proxyCandidates(look);
  if (candidates.length === 0) return undefined;
  const way = [...before, look.address];
  const next = looksAt(ask, candidates, way);
  const asked = candidates.map((candidate) => resolve(ask, candidate, look.address));
  const [looks, told] = await Promise.all([lookedAt(next), Promise.all(asked)]);
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
    admin: addressInWord(look.slots.admin),
    beacon: believed.beacon,
    conflict: conflictsWith(believed, told),
  };
}

/** Asks a beacon or a registry for what it names. */
async function resolve(
  ask: ContractAsker,
  candidate: ProxyCandidate,
  self: Address,
): Promise<ProxyCandidate> {
  const { asks } = candidate;
  if (!asks) return candidate;
  const answers = await Promise.all(asks.anyOf.map((data) => ask.call(asks.contract, data)));
  const named = answers.map(addressReturned).find((address) => address !== undefined);
  return named === undefined || named === self ? candidate : { ...candidate, implementations: [named] };
}

/** Looks at what is named by the first that is no diamond, and at what contracts only claim. */
function looksAt(
  ask: ContractAsker,
  candidates: readonly ProxyCandidate[],
  way: readonly Address[],
): ReadonlyMap<Address, Promise<ContractLook>> {
  const looks = new Map<Address, Promise<ContractLook>>();
  if (way.length >= DEEPEST) return looks;
  for (const { type, isClaim, implementations } of candidates) {
    const [address] = implementations;
    if (address === undefined || type === 'eip2535' || way.includes(address)) continue;
    if ((looks.size === 0 || isClaim) && !looks.has(address))
      looks.set(address, lookAtContract(ask, address));
  }
  return looks;
}

async function lookedAt(
  looks: ReadonlyMap<Address, Promise<ContractLook>>,
): Promise<ReadonlyMap<Address, ContractLook>> {
  return new Map(
    await Promise.all([...looks].map(async ([address, look]) => [address, await look] as const)),
  );
}

async function describe(
  ask: ContractAsker,
  address: Address,
  { looks, way }: { readonly looks: ReadonlyMap<Address, ContractLook>; readonly way: readonly Address[] },
): Promise<Implementation> {
  if (way.includes(address)) return { address, stopped: 'loop' };
  const look = looks.get(address);
  if (!look) return way.length >= DEEPEST ? { address, stopped: 'depth' } : { address };
  if (look.code === undefined) return { address };
  if (look.code === '0x') return { address, code: 'noCode' };
  const proxy = await followProxy(ask, look, way);
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
