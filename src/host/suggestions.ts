import {
  type Address,
  type EnumType,
  type IndexedDeployment,
  type LogStore,
  sanitizeText,
  toChecksumAddress,
} from '../core/index.ts';
import { MAX_SUGGESTIONS, type Suggestion } from '../messaging/panel.ts';
import type { Localizer } from './l10n.ts';
import {
  type AddressName,
  getFuzzyScore,
  isPrecompile,
  isWellKnown,
  type NamedAddress,
  parseChainId,
} from './names/addressName.ts';
import type { AddressNames } from './names/addressNames.ts';
import { formatNumber } from './numbers.ts';

/** An address without a name that a user may mean. */
export interface FoundAddress {
  readonly address: Address;
  /** The file and line; undefined if it is in the rows. */
  readonly place: string | undefined;
}

interface AddressKnowledge {
  readonly names: AddressNames;
  readonly chainId: number;
  readonly deployments: readonly IndexedDeployment[];
  readonly found: () => Iterable<FoundAddress>;
  /** Where a name is from. */
  readonly formatDetail: (name: AddressName) => string;
  readonly l10n: Localizer;
}

/**
 * Addresses for typed text: by name, those of all deployments of a contract together first; by their first digits also
 * those in the rows and in files of the workspace, and well-known ones last. Precompiles emit no logs.
 */
export function createAddressSuggestions(typed: string, knowledge: AddressKnowledge): readonly Suggestion[] {
  const text = typed.trim();
  if (/^0x/i.test(text)) return suggestByDigits(text.toLowerCase(), knowledge).slice(0, MAX_SUGGESTIONS);
  const { names, chainId } = knowledge;
  const named = names.find(text, chainId).filter((each) => !isPrecompile(each));
  return [
    ...suggestAllDeployments(text, knowledge),
    ...(text === ''
      ? suggestByDigits('0x', knowledge)
      : putOwnFirst(named).map((each) => toSuggestion(each, knowledge))),
  ].slice(0, MAX_SUGGESTIONS);
}

/** Deployments and labels before what others have named; well-known addresses last. */
function putOwnFirst(named: readonly NamedAddress[]): readonly NamedAddress[] {
  return named.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ provider }: NamedAddress): number {
  if (provider === 'deployment') return 0;
  if (provider === 'mine' || provider === 'label' || provider === 'foundry') return 1;
  return isWellKnown({ provider }) ? 3 : 2;
}

function toSuggestion(
  named: NamedAddress,
  { formatDetail }: Pick<AddressKnowledge, 'formatDetail'>,
): Suggestion {
  const value = toChecksumAddress(named.address);
  return { value, label: named.name, detail: `${value} · ${formatDetail(named)}` };
}

/** A list in one field; more are better queried without an address. */
const MAX_TOGETHER = 100;

/** Contracts with several deployments on the chain, each with all their addresses. */
function suggestAllDeployments(
  text: string,
  { deployments, chainId, l10n }: AddressKnowledge,
): readonly Suggestion[] {
  const byName = new Map<string, Set<Address>>();
  for (const { contract, address, chainId: at } of deployments) {
    if (contract === undefined || parseChainId(at) !== chainId) continue;
    if (text !== '' && getFuzzyScore(text, contract) === undefined) continue;
    byName.set(contract, (byName.get(contract) ?? new Set()).add(address));
  }
  return [...byName]
    .filter(([, { size }]) => size > 1 && size <= MAX_TOGETHER)
    .map(([name, addresses]) => ({
      value: [...addresses].map(toChecksumAddress).join(', '),
      label: l10n.t('{0}: all {1} deployments', name, formatNumber(addresses.size)),
      detail: l10n.t('all deployments on this chain'),
    }));
}

function suggestByDigits(
  digits: string,
  { names, chainId, found, l10n, formatDetail }: AddressKnowledge,
): readonly Suggestion[] {
  const named = names.all(chainId).filter((each) => each.address.startsWith(digits) && !isPrecompile(each));
  const suggest = (each: NamedAddress) => toSuggestion(each, { formatDetail });
  const seen = new Set(named.map(({ address }) => address));
  const suggestions = putOwnFirst(named.filter((each) => !isWellKnown(each))).map(suggest);
  for (const { address, place } of found()) {
    if (seen.has(address) || !address.startsWith(digits)) continue;
    if (suggestions.length >= MAX_SUGGESTIONS) break;
    seen.add(address);
    const value = toChecksumAddress(address);
    suggestions.push({ value, label: value, detail: place ?? l10n.t('in the rows') });
  }
  return [...suggestions, ...named.filter(isWellKnown).map(suggest)];
}

/** Rows that are searched: completions come while people type. */
const MAX_SEARCHED_ROWS = 5_000;
/** Smaller words are numbers: addresses do not have that many leading zeros. */
const ADDRESS_WORD = /^0x0{24}(?!0{16})[0-9a-f]{40}$/;

/** The addresses of contracts and of indexed arguments in the first rows of a result. */
export function* listRowAddresses(rows: Pick<LogStore, 'get' | 'length'>): Generator<FoundAddress> {
  for (let row = 0; row < Math.min(rows.length, MAX_SEARCHED_ROWS); row++) {
    const { address, topics } = rows.get(row);
    yield { address, place: undefined };
    for (const topic of topics.slice(1)) {
      if (ADDRESS_WORD.test(topic)) yield { address: `0x${topic.slice(26)}`, place: undefined };
    }
  }
}

/** The most of an enum in Solidity since 0.8: https://docs.soliditylang.org/en/latest/types.html#enums */
const MAX_MEMBERS = 256;

/** The members of an enum or a flag, with their numbers. */
export function createMemberSuggestions({ members, isFlag }: EnumType): readonly Suggestion[] {
  return members.slice(0, MAX_MEMBERS).map((member, index) => {
    const label = sanitizeText(member);
    return { value: label, label, detail: String(isFlag ? 1n << BigInt(index) : index) };
  });
}
