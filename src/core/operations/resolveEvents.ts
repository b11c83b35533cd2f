import { type AbiEvent, formatAbiItem, parseAbiItem } from '../abi/item.ts';
import { type AppError, badInput } from '../base/errors.ts';
import { editDistance, sanitizeText } from '../base/text.ts';
import { type Address, parseAddress } from '../eth/hex.ts';
import { listEventArguments } from '../logs/query/eventArguments.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { QueryForm } from '../logs/query/form.ts';
import { parseQueryParts } from '../logs/query/queryJson.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import { createIndexKnowledge, findAddressesByName, resolveQuery } from '../queries/resolveQuery.ts';
import { loadStandardEvents } from '../standards/standards.ts';
import type { OperationKnowledge } from './operation.ts';
import type { OpenQueryInput, QueryEventsInput } from './tools.ts';

/** The parts of a call that say what is asked for. */
export type EventQueryInput = Pick<
  QueryEventsInput | OpenQueryInput,
  'address' | 'event' | 'args' | 'from' | 'to' | 'order'
>;

/** What is asked for, and the form that stands for it. */
export interface ResolvedEvents {
  readonly filter: LogFilter;
  readonly form: QueryForm;
  /** What the bare name of an event was taken for; undefined where none was given. */
  readonly named: NamedEvents | undefined;
}

/** Declarations that a name was taken for, and who declares them. */
export interface NamedEvents {
  readonly events: readonly AbiEvent[];
  readonly declaredBy: 'contract' | 'project' | 'standards';
}

const NAME = /^[A-Za-z_$][\w$]*$/;
const FIELDS: Readonly<Record<string, string>> = { fromBlock: 'from', toBlock: 'to' };

/**
 * The filter that a call asks for: names become addresses, the name of an event what the contract declares.
 *
 * @throws AppError `badInput` naming the parameter, and what to write there instead.
 * @example const { filter } = await resolveEvents({ address: 'Token', event: 'Transfer' }, knowledge, 1);
 */
export async function resolveEvents(
  asked: EventQueryInput,
  knowledge: OperationKnowledge,
  chainId: number | undefined,
): Promise<ResolvedEvents> {
  const known = createNameBook(knowledge, chainId);
  const addresses = [asked.address ?? []].flat().map((written) => resolveAddress(written, known, 'address'));
  const name = asked.event?.trim() ?? '';
  const called = NAME.test(name) ? await eventsCalled(name, { addresses, knowledge, chainId }) : undefined;
  const named = called && { ...called, events: chosenEvents(name, called, asked) };
  const query = parseQueryParts({
    ...(addresses.length > 0 && { address: addresses }),
    ...(named ? eventParts(named.events) : asked.event !== undefined && { event: asked.event }),
    ...(asked.args && { args: asked.args }),
    ...(asked.from !== undefined && { fromBlock: asked.from }),
    ...(asked.to !== undefined && { toBlock: asked.to }),
    order: asked.order,
  });
  const { index } = knowledge;
  const ofIndex = index && createIndexKnowledge(index, chainId ?? 0);
  const { filter, form, errors } = resolveQuery(
    { query },
    { findAddressesByName: known.findAddressesByName, findDeployment: ofIndex?.findDeployment },
  );
  if (filter) return { filter, form, named };
  throw forAgent(errors[0], known);
}

interface EventLookup {
  readonly addresses: readonly Address[];
  readonly knowledge: OperationKnowledge;
  readonly chainId: number | undefined;
}

/** Events of this name: of the contracts that are asked for, else of the projects, else of standards. */
async function eventsCalled(name: string, looked: EventLookup): Promise<NamedEvents> {
  const ofContracts = await findEventsAt(looked.addresses, looked);
  const own = ofContracts.filter((event) => event.name === name);
  if (own.length > 0) return { events: own, declaredBy: 'contract' };
  // A proxy has the events of what it runs.
  const { index } = looked.knowledge;
  const ofProjects =
    (index && createIndexKnowledge(index, looked.chainId ?? 0).findEventsByName?.(name, [])) ?? [];
  if (ofProjects.length > 0) return { events: ofProjects, declaredBy: 'project' };
  const ofStandards = (await loadStandardEvents()).flatMap(({ text }) => eventOf(text, name));
  if (ofStandards.length > 0) return { events: ofStandards, declaredBy: 'standards' };
  const names =
    ofContracts.length > 0 ? ofContracts.map((event) => event.name) : await likelyNames(name, index);
  throw badInput('event', noEvent(name, names, ofContracts.length > 0));
}

/** Events of what is known to be at these addresses. */
export async function findEventsAt(
  addresses: readonly Address[],
  { knowledge, chainId }: EventLookup,
): Promise<readonly AbiEvent[]> {
  if (chainId === undefined || addresses.length === 0) return [];
  const itemsAt = (address: Address) => {
    const at = { address, chainId };
    return (knowledge.index?.abiAt(at)?.items ?? knowledge.code.abiAt(at)?.items ?? []).map(
      ({ text }) => text,
    );
  };
  const lacking = addresses.filter((address) => itemsAt(address).length === 0);
  if (lacking.length > 0) await knowledge.prefetchAbis(lacking);
  const texts = new Set(addresses.flatMap(itemsAt).filter((text) => text.startsWith('event ')));
  return [...texts].flatMap((text) => {
    const item = parseAbiItem(text);
    return item?.kind === 'event' ? [item] : [];
  });
}

function eventOf(text: string, name: string): readonly AbiEvent[] {
  if (!text.startsWith(`event ${name}(`)) return [];
  const item = parseAbiItem(text);
  return item?.kind === 'event' ? [item] : [];
}

/**
 * Of several of one topic0 any will do that has the arguments at the same topics: the rows tell their own. Without
 * arguments all that are called so are asked for, whatever standard they are of; with them, of standards, the first that
 * takes them, as tokens stand before the rest.
 *
 * @throws AppError `badInput` where arguments need one of them, or none takes them.
 */
function chosenEvents(
  name: string,
  { events, declaredBy }: NamedEvents,
  { args = {} }: EventQueryInput,
): readonly AbiEvent[] {
  const ways = new Map<string, AbiEvent>();
  for (const event of events) {
    const way = wayOf(event, Object.keys(args));
    if (!ways.has(way)) ways.set(way, event);
  }
  const chosen = [...ways.values()];
  const given = Object.keys(args);
  if (chosen.length === 1 || given.length === 0) return chosen;
  const takers = chosen.filter((event) => given.every((key) => keysOf(event).includes(key)));
  if (takers.length === 1 || (takers.length > 1 && declaredBy === 'standards')) return takers.slice(0, 1);
  const written = (takers.length > 0 ? takers : chosen).slice(0, 5).map(formatEventDeclaration).join('; ');
  throw takers.length > 0
    ? badInput('event', `Several events are called ${name}. Give the declaration of one: ${written}.`)
    : badInput(
        'args',
        `No event ${name} has the indexed parameters ${given.map((key) => sanitizeText(key)).join(', ')}: ${written}.`,
      );
}

const keysOf = (event: AbiEvent) => listEventArguments(event).map(({ key }) => key);

/**
 * An event as Solidity declares it, without the keyword.
 *
 * @example const declared = events.map(formatEventDeclaration); // ['Paused(address account)']
 */
export function formatEventDeclaration(event: AbiEvent): string {
  return formatAbiItem(event).slice('event '.length);
}

function eventParts(events: readonly AbiEvent[]) {
  const [only, ...others] = events;
  if (only && others.length === 0 && !only.anonymous) return { event: formatAbiItem(only) };
  return { topics: [[...new Set(events.map(({ topic0 }) => topic0))]] };
}

function wayOf(event: AbiEvent, args: readonly string[]): string {
  const places = listEventArguments(event).filter(({ key }) => args.includes(key));
  return `${event.topic0} ${places.map(({ key, position }) => `${key} ${position}`).join(' ')}`;
}

/** Where nothing is known of the contract: names of the project and of standards that differ by a slip. */
async function likelyNames(name: string, index: ContractIndex | undefined): Promise<readonly string[]> {
  const ofProjects = (index?.contracts ?? []).flatMap(({ abi }) => abi);
  const ofStandards = (await loadStandardEvents()).map(({ text }) => text);
  const names = [...ofProjects, ...ofStandards].flatMap((text) => /^event ([\w$]+)\(/.exec(text)?.[1] ?? []);
  return names.filter((one) => editDistance(one.toLowerCase(), name.toLowerCase(), 2) !== undefined);
}

function noEvent(name: string, names: readonly string[], areOfContract: boolean): string {
  const near = findNearest(name, names);
  const start = areOfContract ? 'The contract has' : 'Known elsewhere are';
  const has = near.length > 0 ? ` ${start}: ${near.join(', ')}.` : '';
  return `No event ${sanitizeText(name)} is known here.${has} Or give its declaration as Solidity writes it, with indexed: ${sanitizeText(name)}(address indexed from, uint256 value).`;
}

/** The same problem, by the names that the tool has for its parameters. */
function forAgent(problem: AppError | undefined, known: NameBook): AppError {
  if (!problem) return badInput('event', 'The question cannot be asked as it is.');
  const { field = 'event', validation } = problem.details;
  const [name, count = '0'] = validation?.values ?? [];
  const isUnclear = validation?.code === 'unknownName' || validation?.code === 'severalNamed';
  const message =
    isUnclear && name !== undefined ? formatAmbiguousAddress(name, Number(count), known) : problem.message;
  return badInput(FIELDS[field] ?? field, message);
}

/** Names that an error offers. */
const MAX_SUGGESTIONS = 12;
const MAX_NAME_CHARS = 60;

/** Addresses by the names that are known on a chain, and which those are. */
interface NameBook {
  findAddressesByName(name: string): readonly Address[];
  /** Of one address, none twice. */
  namesOf(address: Address): readonly string[];
  /** Each once, plain. */
  readonly all: readonly string[];
  /** The nearest to `name` first. */
  findNear(name: string): readonly string[];
}

/** The names of deployments and labels on a chain, and a user's own. */
export function createNameBook(
  { index, names }: Pick<OperationKnowledge, 'index' | 'names'>,
  chainId: number | undefined,
): NameBook {
  const ofIndex = index && chainId !== undefined ? createIndexKnowledge(index, chainId).names : [];
  const all = [...names, ...ofIndex];
  return {
    findAddressesByName: (name) => findAddressesByName(name, all),
    namesOf: (address) => [
      ...new Set(
        all.flatMap((one) => (one.address === address ? [sanitizeText(one.name, MAX_NAME_CHARS)] : [])),
      ),
    ],
    get all() {
      return [...new Set(all.map(({ name }) => sanitizeText(name, MAX_NAME_CHARS)))];
    },
    findNear: (name) =>
      findNearest(
        name,
        all.map((one) => one.name),
      ),
  };
}

/** The words most like `word`, a bounded number of them. */
function findNearest(word: string, words: readonly string[]): readonly string[] {
  const lower = word.slice(0, MAX_NAME_CHARS).toLowerCase();
  const scored = [...new Set(words)].map((one) => {
    const other = one.slice(0, MAX_NAME_CHARS).toLowerCase();
    const isPart = other.includes(lower) || lower.includes(other);
    return { one, far: isPart ? 0 : (editDistance(lower, other, 3) ?? 9) };
  });
  const best = scored.sort((a, b) => a.far - b.far || (a.one < b.one ? -1 : 1)).slice(0, MAX_SUGGESTIONS);
  return best.map(({ one }) => sanitizeText(one, MAX_NAME_CHARS));
}

/**
 * The one address that is written, or called so.
 *
 * @throws AppError `badInput` for `field`, saying which names there are.
 */
export function resolveAddress(written: string, known: NameBook, field: string): Address {
  const address = parseAddress(written);
  if (address) return address;
  const [only, ...others] = known.findAddressesByName(written.trim());
  if (only && others.length === 0) return only;
  throw badInput(field, formatAmbiguousAddress(written, others.length + (only ? 1 : 0), known));
}

/** Why a name stands for no address, and what to write instead. */
export function formatAmbiguousAddress(written: string, count: number, known: NameBook): string {
  const shown = sanitizeText(written, MAX_NAME_CHARS);
  if (count > 1) {
    const addresses = known.findAddressesByName(written.trim()).slice(0, MAX_SUGGESTIONS);
    return `${count} addresses are called ${shown} on this chain: ${addresses.join(', ')}. Give the one that is meant.`;
  }
  const near = known.findNear(written);
  const offered =
    near.length > 0
      ? `Names known on this chain: ${near.join(', ')}.`
      : 'No names are known on this chain: give 0x and 40 hex digits.';
  return `No address is called ${shown} on this chain. ${offered}`;
}
