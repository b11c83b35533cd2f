import {
  type Address,
  compareNewestFirst,
  type EnumType,
  formatDistinctName,
  type LogStore,
  type NameEntry,
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
  /** See {@link AddressNames.entries}. */
  readonly named: readonly NameEntry[];
  /** Whether the field takes several addresses. */
  readonly takesSeveral: boolean;
  readonly found: () => Iterable<FoundAddress>;
  /** Where a name is from. */
  readonly formatDetail: (name: AddressName) => string;
  readonly l10n: Localizer;
}

/**
 * Addresses for typed text: by name, with all deployments of a contract together; by their first digits also those in the
 * rows and in files of the workspace, and well-known ones last. Precompiles emit no logs. After `Token@`, the deployments
 * of Token.
 */
export function createAddressSuggestions(typed: string, knowledge: AddressKnowledge): readonly Suggestion[] {
  const text = typed.trim();
  if (/^0x/i.test(text)) return suggestByDigits(text.toLowerCase(), knowledge).slice(0, MAX_SUGGESTIONS);
  const suggestions: Suggestion[] = [];
  for (const suggestion of listSuggestions(text, knowledge)) {
    if (suggestions.length >= MAX_SUGGESTIONS) break;
    suggestions.push(suggestion);
  }
  return suggestions;
}

function* listSuggestions(text: string, knowledge: AddressKnowledge): Generator<Suggestion> {
  const { names, chainId } = knowledge;
  if (text === '') {
    for (const deployed of findDeployed(text, knowledge)) yield* suggestTogether(deployed, knowledge);
    yield* suggestByDigits('0x', knowledge);
    return;
  }
  const [, name, pick = ''] = /^(.+)@(.*)$/s.exec(text) ?? [];
  for (const deployed of findDeployed(name?.trim() ?? text, knowledge)) {
    const { entries } = deployed;
    const picked = name === undefined ? entries : entries.filter((entry) => canBePicked(entry, pick));
    const [first, ...others] = picked.map((entry) => toSuggestion(toNamed(entry), knowledge));
    if (!first) continue;
    const together = name === undefined ? suggestTogether(deployed, knowledge) : [];
    // A name means the newest deployment, if that is known.
    if (first.label === deployed.name) yield* [first, ...together, ...others];
    else yield* [...together, first, ...others];
  }
  const found = names.find(text, chainId).filter((each) => each.provider !== 'deployment');
  for (const each of putOwnFirst(found)) if (!isPrecompile(each)) yield toSuggestion(each, knowledge);
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
  { named: entries, formatDetail }: Pick<AddressKnowledge, 'formatDetail' | 'named'>,
): Suggestion {
  const value = toChecksumAddress(named.address);
  return { value, label: formatDistinctName(named, entries), detail: `${value} · ${formatDetail(named)}` };
}

type DeployedEntry = NameEntry & Required<Pick<NameEntry, 'deployment'>>;

interface DeployedName {
  readonly name: string;
  /** Of different addresses, the newest first. */
  readonly entries: readonly DeployedEntry[];
}

/** The names of deployments that a typed text matches, the best first. */
function findDeployed(text: string, { named }: Pick<AddressKnowledge, 'named'>): readonly DeployedName[] {
  const byName = new Map<string, Map<Address, DeployedEntry>>();
  for (const { deployment, ...entry } of named) {
    if (!deployment) continue;
    const entries = byName.get(entry.name) ?? new Map<Address, DeployedEntry>();
    byName.set(entry.name, entries.set(entry.address, { ...entry, deployment }));
  }
  return [...byName]
    .flatMap(([name, entries]) => {
      const score = text === '' ? 0 : getFuzzyScore(text, name);
      return score === undefined ? [] : [{ name, entries, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ name, entries }) => ({
      name,
      entries: [...entries.values()].sort((a, b) => compareNewestFirst(a.deployment, b.deployment)),
    }));
}

function canBePicked({ address, deployment: { block, file } }: DeployedEntry, pick: string): boolean {
  const typed = pick.trim().toLowerCase();
  return (
    address.startsWith(typed) || String(block ?? '').startsWith(typed) || file.toLowerCase().includes(typed)
  );
}

function toNamed({ name, address, deployment: { file, block, time } }: DeployedEntry): NamedAddress {
  return { ...{ name: sanitizeText(name, 64), address, provider: 'deployment', file, time }, block };
}

/** A list in one field; more are better queried without an address. */
const MAX_TOGETHER = 100;

/** All deployments of a contract on the chain, where there are several. */
function suggestTogether(
  { name, entries }: DeployedName,
  { takesSeveral, l10n }: AddressKnowledge,
): readonly Suggestion[] {
  if (!takesSeveral || entries.length < 2 || entries.length > MAX_TOGETHER) return [];
  return [
    {
      value: entries.map(({ address }) => toChecksumAddress(address)).join(', '),
      label: l10n.t('{0}: all {1} deployments', sanitizeText(name, 64), formatNumber(entries.length)),
      detail: l10n.t('all deployments on this chain'),
    },
  ];
}

function suggestByDigits(digits: string, knowledge: AddressKnowledge): readonly Suggestion[] {
  const { names, chainId, found, l10n } = knowledge;
  const named = names.all(chainId).filter((each) => each.address.startsWith(digits) && !isPrecompile(each));
  const suggest = (each: NamedAddress) => toSuggestion(each, knowledge);
  const seen = new Set(named.map(({ address }) => address));
  const own = putOwnFirst(named.filter((each) => !isWellKnown(each)));
  const suggestions = own.slice(0, MAX_SUGGESTIONS).map(suggest);
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
