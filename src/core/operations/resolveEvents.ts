import { type AbiEvent, formatAbiItem, parseAbiItem } from '../abi/item.ts';
import { AppError, badInput, toMessage } from '../base/errors.ts';
import { joinTexts, type OwnText, ownText, ownWord } from '../base/ownText.ts';
import { editDistance, formatMessage, type Message } from '../base/text.ts';
import { isWrittenAddress, requireWrittenAddress } from '../eth/address.ts';
import type { Address } from '../eth/hex.ts';
import { listDevelopmentAccounts } from '../identity/developmentAccounts.ts';
import { findKnownAddress } from '../identity/knownAddresses.ts';
import { listEventArguments } from '../logs/query/eventArguments.ts';
import { splitList } from '../logs/query/fieldValues.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { QueryForm } from '../logs/query/form.ts';
import { toQueryForm } from '../logs/query/queryJson.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import { explainMissingName, findAddressesByName, formatPickedName } from '../queries/namedAddresses.ts';
import {
  createAnonymousError,
  createIndexKnowledge,
  isAnonymousSignature,
  resolveQuery,
} from '../queries/resolveQuery.ts';
import { loadStandardEvents } from '../standards/standards.ts';
import { abiText, MAX_MESSAGE_CHARS, pickPlainNames, userText } from './agentText.ts';
import type { OperationKnowledge } from './operation.ts';
import type { OpenQueryInput, QueryEventsInput } from './tools.ts';

/**
 * Resolves the filter of a call: names to addresses, and the name of an event to its declaration.
 *
 * @throws AppError `badInput` with the parameter as `field`.
 * @example const { filter } = await resolveEvents({ address: 'Token', event: 'Transfer' }, knowledge, 1);
 */
export async function resolveEvents(
  input: EventQueryInput,
  knowledge: OperationKnowledge,
  chainId: number | undefined,
): Promise<ResolvedEvents> {
  const nameBook = createNameBook(knowledge, chainId);
  const addresses = [input.address ?? []]
    .flat()
    .flatMap((text) => splitNames(text, nameBook))
    .map((text) => resolveAddress(text, nameBook, 'address'));
  const name = input.event?.trim() ?? '';
  const lookup = { addresses, knowledge, chainId };
  const candidates = NAME.test(name) ? await findEventsByName(name, lookup) : undefined;
  if (!candidates && (await isAnonymous(name, lookup))) throw createAnonymousError(name);
  const named = candidates && { ...candidates, events: chooseEvents(name, candidates, input) };
  const query = toQueryForm({
    ...(addresses.length > 0 && { address: addresses }),
    ...(named ? toEventParts(named.events) : input.event !== undefined && { event: input.event }),
    ...(input.args && { args: input.args }),
    ...(input.from !== undefined && { fromBlock: input.from }),
    ...(input.to !== undefined && { toBlock: input.to }),
    order: input.order,
  });
  const { index } = knowledge;
  const indexKnowledge = index && createIndexKnowledge(index, chainId ?? 0);
  const { filter, form, errors } = resolveQuery(
    { query },
    {
      findAddressesByName: nameBook.findAddressesByName,
      findDeployment: indexKnowledge?.findDeployment,
      findDeclaredEvents: indexKnowledge?.findDeclaredEvents,
    },
  );
  if (filter) return { filter, form, named };
  throw toAgentInputError(errors[0], nameBook);
}

type EventQueryInput = Pick<
  QueryEventsInput | OpenQueryInput,
  'address' | 'event' | 'args' | 'from' | 'to' | 'order'
>;

interface ResolvedEvents {
  readonly filter: LogFilter;
  readonly form: QueryForm;
  /** What the bare name of an event was resolved to; undefined if the call has none. */
  readonly named: NamedEvents | undefined;
}

export interface NamedEvents {
  readonly events: readonly AbiEvent[];
  readonly declaredBy: 'contract' | 'project' | 'standards';
}

const NAME = /^[A-Za-z_$][\w$]*$/;
const PARAMETER_NAMES: Readonly<Record<string, string>> = { fromBlock: 'from', toBlock: 'to' };

/** The events with this name in the contracts at the addresses, else in the projects, else in standards. */
async function findEventsByName(name: string, lookup: EventLookup): Promise<NamedEvents> {
  const contractEvents = await findEventsAt(lookup.addresses, lookup);
  const matching = contractEvents.filter((event) => event.name === name);
  if (matching.length > 0) return { events: matching, declaredBy: 'contract' };
  // A proxy has the events of its implementation, so the contract may not declare this one itself.
  const { index } = lookup.knowledge;
  const projectEvents =
    (index && createIndexKnowledge(index, lookup.chainId ?? 0).findEventsByName?.(name, [])) ?? [];
  if (projectEvents.length > 0) return { events: projectEvents, declaredBy: 'project' };
  const standardEvents = (await loadStandardEvents()).flatMap(({ text }) => parseEventNamed(text, name));
  if (standardEvents.length > 0) return { events: standardEvents, declaredBy: 'standards' };
  const names =
    contractEvents.length > 0
      ? contractEvents.map((event) => event.name)
      : await findSimilarNames(name, index);
  const isChainUnknown = lookup.chainId === undefined && lookup.addresses.length > 0;
  const message = formatUnknownEvent(name, names, contractEvents.length > 0);
  throw badInput('event', isChainUnknown ? ownText`${message} ${ownWord(UNKNOWN_CHAIN_OF_EVENT)}` : message);
}

const UNKNOWN_CHAIN_OF_EVENT =
  'The chain ID is unknown, so it is not known which contract is at the address. The user can set it with --chain-id N.';
/** Whether the contracts, else the projects, declare the typed event as anonymous. */
async function isAnonymous(text: string, lookup: EventLookup): Promise<boolean> {
  if (!text.includes('(')) return false;
  const { index } = lookup.knowledge;
  const contractEvents = await findEventsAt(lookup.addresses, lookup);
  return isAnonymousSignature(text, (name) => {
    const named = contractEvents.filter((event) => event.name === name);
    if (named.length > 0 || !index) return named;
    return createIndexKnowledge(index, lookup.chainId ?? 0).findEventsByName?.(name, []) ?? [];
  });
}

interface EventLookup {
  readonly addresses: readonly Address[];
  readonly knowledge: OperationKnowledge;
  readonly chainId: number | undefined;
}

export async function findEventsAt(
  addresses: readonly Address[],
  { knowledge, chainId }: EventLookup,
): Promise<readonly AbiEvent[]> {
  if (chainId === undefined || addresses.length === 0) return [];
  const itemsAt = (address: Address) => {
    const at = { address, chainId };
    const own = knowledge.index?.contractsAt(at).flatMap(({ abi }) => abi) ?? [];
    return own.length > 0 ? own : (knowledge.code.abiAt(at)?.items ?? []).map(({ text }) => text);
  };
  const unknownAddresses = addresses.filter((address) => itemsAt(address).length === 0);
  if (unknownAddresses.length > 0) await knowledge.prefetchAbis(unknownAddresses);
  const texts = new Set(addresses.flatMap(itemsAt).filter((text) => text.startsWith('event ')));
  return [...texts].flatMap((text) => {
    const item = parseAbiItem(text);
    return item?.kind === 'event' ? [item] : [];
  });
}

function parseEventNamed(text: string, name: string): readonly AbiEvent[] {
  if (!text.startsWith(`event ${name}(`)) return [];
  const item = parseAbiItem(text);
  return item?.kind === 'event' ? [item] : [];
}

/** If the contract is unknown: names of the project and of standards that differ by a typo. */
async function findSimilarNames(name: string, index: ContractIndex | undefined): Promise<readonly string[]> {
  const projectItems = (index?.contracts ?? []).flatMap(({ abi }) => abi);
  const standardItems = (await loadStandardEvents()).map(({ text }) => text);
  const names = [...projectItems, ...standardItems].flatMap(
    (text) => /^event ([\w$]+)\(/.exec(text)?.[1] ?? [],
  );
  return names.filter(
    (candidate) => editDistance(candidate.toLowerCase(), name.toLowerCase(), 2) !== undefined,
  );
}

function formatUnknownEvent(name: string, names: readonly string[], isContractKnown: boolean): OwnText {
  const nearest = joinTexts(pickPlainNames(findNearest(name, names)), ', ');
  const start = ownWord(isContractKnown ? 'Events of the contract' : 'Similar known events');
  const suggestion = nearest === '' ? ownWord('') : ownText` ${start}: ${nearest}.`;
  const shown = userText(name, MAX_NAME_CHARS);
  return ownText`No event called ${shown} is known.${suggestion} Or write its declaration, with indexed: ${shown}(address indexed from, uint256 value).`;
}

/**
 * Chooses the events to query. Events with the same topic0 and the arguments at the same topics are equivalent: rows
 * carry their own encoding. Without arguments, all events of this name are queried. With arguments, only one may match.
 * Of standards, the first event is meant, as tokens come first; arguments choose among its encodings only, since
 * a rare standard would otherwise be queried by the name of an argument.
 *
 * @throws AppError `badInput` if the arguments fit several events, or none.
 */
function chooseEvents(
  name: string,
  { events, declaredBy }: NamedEvents,
  { args = {} }: EventQueryInput,
): readonly AbiEvent[] {
  const byEncoding = new Map<string, AbiEvent>();
  for (const event of events) {
    const encoding = describeEncoding(event, Object.keys(args));
    if (!byEncoding.has(encoding)) byEncoding.set(encoding, event);
  }
  const distinct = [...byEncoding.values()];
  if (distinct.every(({ anonymous }) => anonymous)) throw createAnonymousError(name);
  const argumentNames = Object.keys(args);
  const hasAnonymous = distinct.some(({ anonymous }) => anonymous);
  if (distinct.length === 1 || (argumentNames.length === 0 && !hasAnonymous)) return distinct;
  const isStandard = declaredBy === 'standards';
  const meant = isStandard ? distinct.filter(({ topic0 }) => topic0 === distinct[0]?.topic0) : distinct;
  const matching = meant.filter((event) =>
    argumentNames.every((key) => listArgumentKeys(event).includes(key)),
  );
  const [match] = matching;
  if (matching.length === 1 && match?.anonymous) throw createAnonymousError(name);
  const queryable = matching.filter(({ anonymous }) => !anonymous);
  if (matching.length === 1 || (queryable.length > 0 && isStandard)) return queryable.slice(0, 1);
  const declarations = (matching.length > 0 ? matching : distinct)
    .slice(0, 5)
    .map((event) => abiText(event, formatEventDeclaration(event)));
  const listed = joinTexts(
    argumentNames.map((key) => userText(key, MAX_NAME_CHARS)),
    ', ',
  );
  const shown = userText(name, MAX_NAME_CHARS);
  const known = joinTexts(declarations, '; ');
  throw matching.length > 0
    ? badInput(
        'event',
        ownText`Several events are called ${shown}. Enter one of these declarations: ${known}.`,
      )
    : badInput(
        'args',
        isStandard
          ? ownText`The standard event ${shown} has no indexed parameters ${listed}. If you mean another event, write its declaration in event. Known declarations: ${known}.`
          : ownText`No event ${shown} has the indexed parameters ${listed}. Its declarations: ${known}.`,
      );
}

const listArgumentKeys = (event: AbiEvent) => listEventArguments(event).map(({ key }) => key);

/**
 * An event as Solidity declares it, without the keyword.
 *
 * @example const declared = events.map(formatEventDeclaration); // ['Paused(address account)']
 */
export function formatEventDeclaration(event: AbiEvent): string {
  return formatAbiItem(event).slice('event '.length);
}

function toEventParts(events: readonly AbiEvent[]) {
  const [only, ...others] = events;
  if (only && others.length === 0) return { event: formatAbiItem(only) };
  return { topics: [[...new Set(events.map(({ topic0 }) => topic0))]] };
}

function describeEncoding(event: AbiEvent, args: readonly string[]): string {
  const indexed = listEventArguments(event).filter(({ key }) => args.includes(key));
  return `${event.topic0} ${event.anonymous} ${indexed.map(({ key, position }) => `${key} ${position}`).join(' ')}`;
}

/** The same error, with the names that the tool has for its parameters. */
function toAgentInputError(error: AppError | undefined, nameBook: NameBook): AppError {
  if (!error) return badInput('event', 'The query is not valid.');
  const { field = 'event', validation } = error.details;
  const isNameError = validation?.code === 'unknownName' || validation?.code === 'ambiguousName';
  const [name, count = 0] = validation?.args ?? [];
  const text = typeof name === 'object' && 'foreign' in name ? name.foreign : '';
  const parameter = PARAMETER_NAMES[field] ?? field;
  return isNameError
    ? createNameError(parameter, text, nameBook, { count: Number(count) })
    : badInput(parameter, toMessage(error));
}

/** The names of deployments and labels on a chain, and a user's own. */
export function createNameBook(
  { index, names }: Pick<OperationKnowledge, 'index' | 'names'>,
  chainId: number | undefined,
): NameBook {
  // On an unknown chain, labels of every chain still count.
  const indexNames = index ? createIndexKnowledge(index, chainId ?? 0).names : [];
  const all = [...names, ...indexNames];
  const found = [...all, ...listDevelopmentAccounts(chainId ?? 0)];
  return {
    isChainKnown: chainId !== undefined,
    findAddressesByName: (name) => findAddressesByName(name, found),
    explainMissingName: (name) =>
      index && chainId !== undefined ? explainMissingName(name, index, chainId) : undefined,
    findNames: (address) => {
      // The name of an implementation means its proxies, but it is still called so.
      const deployed = index?.deploymentsAt(address, chainId ?? 0).map(({ contract }) => contract) ?? [];
      const named = found.map((entry) => (entry.address === address ? entry.name : undefined));
      return [...new Set([...named, ...deployed])].filter((name) => name !== undefined);
    },
    get all() {
      return [...new Set(all.map(({ name }) => name))];
    },
    findNear(name) {
      // Nobody means a precompile by a name.
      const named = all.filter(({ address }) => !findKnownAddress(address));
      const development = new Set(listDevelopmentAccounts(chainId ?? 0).map(({ address }) => address));
      const isOwn = ({ address }: (typeof all)[number]) => !development.has(address);
      return findNearest(
        name,
        named.filter(isOwn).map((entry) => entry.name),
        named.filter((entry) => !isOwn(entry)).map((entry) => entry.name),
      );
    },
  };
}

interface NameBook {
  /** Whether names of deployments and labels of one chain can be found. */
  readonly isChainKnown: boolean;
  findAddressesByName(name: string): readonly Address[];
  /** Why a name of files means no address of the chain. */
  explainMissingName?(name: string): Message | undefined;
  /** The names of one address, without duplicates. */
  findNames(address: Address): readonly string[];
  /** Without duplicates. */
  readonly all: readonly string[];
  /** Names similar to `name`, the most similar first. */
  findNear(name: string): readonly string[];
}

/** A few candidates, the most similar to a name first. From `others`, such as well-known names, only similar ones. */
export function findNearest(
  name: string,
  candidates: readonly string[],
  others: readonly string[] = [],
): readonly string[] {
  const lower = name.slice(0, MAX_NAME_CHARS).toLowerCase();
  const own = new Set(candidates);
  const scored = [...new Set([...candidates, ...others])].map((candidate) => {
    const other = candidate.slice(0, MAX_NAME_CHARS).toLowerCase();
    const isPart = other.includes(lower) || lower.includes(other);
    return { candidate, distance: isPart ? 0 : (editDistance(lower, other, 3) ?? UNLIKE) };
  });
  const best = scored
    .filter(({ candidate, distance }) => own.has(candidate) || distance < UNLIKE)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS);
  return best.map(({ candidate }) => candidate);
}

/** The distance of names that have nothing in common. */
const UNLIKE = 9;
const MAX_SUGGESTIONS = 12;
const MAX_NAME_CHARS = 60;

/**
 * Resolves an address, or a name that one address has.
 *
 * @throws AppError `badInput` for `field`, with the names that exist.
 */
export function resolveAddress(text: string, nameBook: NameBook, field: string): Address {
  if (isWrittenAddress(text)) return requireWrittenAddress(text, field);
  const [only, ...others] = nameBook.findAddressesByName(text.trim());
  if (only && others.length === 0) return only;
  throw createNameError(field, text, nameBook, { count: others.length + (only ? 1 : 0) });
}

/** A text that is no name as a whole may have several between commas. */
function splitNames(text: string, nameBook: NameBook): readonly string[] {
  const isOne = text.startsWith('[') || nameBook.findAddressesByName(text.trim()).length > 0;
  return isOne ? [text] : splitList(text);
}

/** Says why a name is not one address, with the names that may be meant. */
export function createNameError(
  field: string,
  text: string,
  nameBook: NameBook,
  { count = 0, suggestion = ownText``, names = [] }: NameErrorOptions = {},
): AppError {
  const shown = userText(text, MAX_NAME_CHARS);
  if (count > 1) {
    const addresses = nameBook.findAddressesByName(text.trim()).slice(0, MAX_SUGGESTIONS);
    const [first = '0x12ab'] = addresses;
    const picked = formatPickedName(shown.replace(/@[^@]*$/, ''), first, addresses);
    return badInput(
      field,
      ownText`${count} addresses are called ${shown} on this chain: ${userText(addresses.join(', '), 400)}. Enter one of them, or ${userText(picked)}.`,
    );
  }
  const nearest = nameBook.findNear(text);
  const plainNames = pickPlainNames(nearest);
  const known = !nameBook.isChainKnown
    ? ownWord(UNKNOWN_CHAIN)
    : plainNames.length > 0
      ? ownText`Names known on this chain: ${joinTexts(plainNames, ', ')}.`
      : nearest.length > 0
        ? ownText`See names for those known on this chain.`
        : ownText`No names are known on this chain. Use 0x and 40 hex digits.`;
  const missing = nameBook.explainMissingName?.(text);
  // Besides what the caller sent it has addresses and chain IDs.
  const first = missing
    ? userText(formatMessage(missing), MAX_MESSAGE_CHARS)
    : ownText`No address is called ${shown} on this chain.`;
  const message = ownText`${first} ${known}${suggestion}`;
  return new AppError('badInput', message, { field, names: [...nearest, ...names] });
}

interface NameErrorOptions {
  readonly count?: number;
  readonly suggestion?: OwnText;
  /** More names that may be meant. */
  readonly names?: readonly string[];
}

const UNKNOWN_CHAIN =
  'The chain ID is unknown, since the endpoint does not report it, so names of deployments and labels cannot be found. The user can set it with --chain-id N. Use 0x and 40 hex digits.';
