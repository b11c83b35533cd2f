import type { BatchKnowledge } from '../rpc/callsTogether.ts';
import { type Asked, createContractAsker } from '../rpc/contractAsker.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import { askCreationBlock, askCreator } from './creationCalls.ts';
import type { IdentityFacts, IdentityKind, IdentityPart } from './identity.ts';
import { lookAtContract } from './proxies/contractLook.ts';
import { followProxy } from './proxies/followProxy.ts';
import { askToken, isTokenTold, tokenOf, withAsset } from './tokenCalls.ts';

interface IdentityReading {
  /** Sends what is asked at the same time together, as `gatherCalls` does. */
  readonly call: RpcClient['call'];
  readonly batches: Pick<BatchKnowledge, 'support'>;
  /** Whether the endpoint is a node, which may know the creation of a contract. */
  readonly isNode: boolean;
}

/** What somebody else says of it: of that only the rest is asked. */
type KnownBefore = Pick<IdentityFacts, 'created' | 'token'>;

/** Nothing is known. */
export const noFacts: IdentityFacts = {
  ...{ kind: 'unknown', name: undefined, token: undefined },
  ...{ proxy: undefined, created: undefined, tells: [] },
};

/**
 * Reads what is at an address from the chain itself: by `eth_getCode`, `eth_getStorageAt` and `eth_call`, in one
 * request where the server takes batches, and a second one for what hangs on it. Where it takes none, an account is
 * asked for its code alone.
 *
 * @returns `read`, which takes what is known already, and `glance`, which asks by one request whether it is a contract
 *   and what token. Both throw AppError of any network kind but `rpc`; without `eth_getCode` nothing is told.
 * @example
 * const { read } = createIdentityReader({ call: gatherCalls(together), batches, isNode: true });
 * await read(address, { signal }); // { kind: 'contract', proxy: { type: 'eip1967', … }, … }
 */
export function createIdentityReader({ call, batches, isNode }: IdentityReading) {
  const begin = createContractAsker(call);

  /** One request: with what shows a token where the server takes batches, else for the code alone. */
  async function glance(address: Address, options: RpcCallOptions): Promise<IdentityFacts> {
    const ask = begin(options);
    const isAlone = batches.support() === 'refused';
    const [code, answers] = await Promise.all([
      ask.code(address),
      isAlone ? undefined : askToken(ask, address),
    ]);
    const kind = kindOf(code);
    if (!hasCode(kind)) return withoutCode(code);
    const token = kind === 'contract' && answers ? tokenOf(answers) : undefined;
    const isTold = token !== undefined || (answers !== undefined && isTokenTold(answers));
    return { ...noFacts, kind, token, tells: isTold ? ['kind', 'token'] : ['kind'] };
  }

  async function read(
    address: Address,
    { known, ...options }: RpcCallOptions & { readonly known?: KnownBefore } = {},
  ): Promise<IdentityFacts> {
    const beside = new AbortController();
    const signals = options.signal ? [options.signal, beside.signal] : [beside.signal];
    const ask = begin({ ...options, signal: AbortSignal.any(signals) });
    const asked = ask.code(address);
    if (batches.support() === 'refused' && !hasCode(kindOf(await asked))) return withoutCode(await asked);
    const rest = Promise.all([
      lookAtContract(ask, address, asked),
      askToken(ask, address, known?.token),
      isNode && !known?.created ? askCreator(ask, address) : undefined,
      known?.created && askCreationBlock(ask, known.created),
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
      followProxy(ask, look),
      withAsset(ask, kind === 'contract' ? tokenOf(answers, known?.token) : undefined),
      creator && creator !== 'none' ? askCreationBlock(ask, creator) : recorded,
    ]);
    return {
      ...{ kind, name: undefined, token, proxy, created },
      tells: partsWhere({
        kind: true,
        proxy: proxy !== undefined || look.whole,
        token: token !== undefined || isTokenTold(answers),
        created: creator !== undefined || recorded !== undefined,
      }),
    };
  }

  return { read, glance };
}

function withoutCode(code: Asked<Hex>): IdentityFacts {
  if (code.state !== 'told') return noFacts;
  return { ...noFacts, kind: 'account', tells: ['kind', 'token', 'proxy', 'created'] };
}

function kindOf(code: Asked<Hex>): IdentityKind {
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
