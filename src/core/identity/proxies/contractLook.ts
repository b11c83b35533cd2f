import { toAbiWord } from '../../abi/abiWord.ts';
import type { Asked, ContractAsker } from '../../rpc/contractAsker.ts';
import type { CallAnswer } from '../../rpc/ethCall.ts';
import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import { FACET_ADDRESSES, proxyGetters } from './getters.ts';
import { proxySlots, resolverSlots } from './slots.ts';

type SlotName = keyof typeof proxySlots | 'ownAddress' | 'resolverName' | 'resolver';

/** All that one round of questions tells of what an address runs. */
export interface ContractLook {
  readonly address: Address;
  /** Undefined where the endpoint does not tell code. */
  readonly code: Hex | undefined;
  /** Each slot as a word; undefined where the endpoint does not tell storage. */
  readonly slots: Readonly<Record<SlotName, Hex | undefined>>;
  /** The answers to `proxyGetters`, in their order. */
  readonly getters: readonly CallAnswer[];
  readonly facets: CallAnswer;
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
export async function lookAtContract(
  ask: ContractAsker,
  address: Address,
  code: Promise<Asked<Hex>> = ask.code(address),
): Promise<ContractLook> {
  const resolver = resolverSlots(address);
  const wanted = {
    ...{ ...proxySlots, ownAddress: toAbiWord(address) },
    ...{ resolverName: resolver.name, resolver: resolver.registry },
  };
  const names = Object.keys(wanted) as SlotName[];
  const slotsAsked = Promise.all(names.map((name) => ask.slot(address, wanted[name])));
  const gettersAsked = Promise.all(proxyGetters.map(({ data }) => ask.call(address, data)));
  const facetsAsked = ask.call(address, FACET_ADDRESSES);
  const [answered, words, getters, facets] = await Promise.all([code, slotsAsked, gettersAsked, facetsAsked]);
  const entries = names.map((name, place) => [name, toldBy(words[place])] as const);
  return {
    address,
    code: toldBy(answered),
    slots: Object.fromEntries(entries) as ContractLook['slots'],
    getters,
    facets,
    whole:
      answered.state === 'told' &&
      words.every(({ state }) => state === 'told') &&
      [...getters, facets].every(({ state }) => state !== 'notOffered'),
  };
}

function toldBy<T>(asked: Asked<T> | undefined): T | undefined {
  return asked?.state === 'told' ? asked.value : undefined;
}
