import { type AbiEvent, type AbiItemText, formatAbiItem, parseAbiItem } from '../abi/item.ts';
import { type AppError, badInput, isAppError } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import { type Address, parseAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import {
  type AmbiguousName,
  type FindAddressesByName,
  replaceAddressNames,
} from '../logs/query/addressNames.ts';
import {
  listEventArguments,
  parseDeclaredEvent,
  splitArgument,
  validateArguments,
} from '../logs/query/eventArguments.ts';
import { splitList } from '../logs/query/fieldValues.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import {
  getFieldText,
  parseQueryForm,
  type QueryForm,
  toQueryForm,
  withFieldText,
} from '../logs/query/form.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { QueryDefinition } from './queryDefinition.ts';

/** What is known of the chain that a question is about. */
export interface QueryKnowledge {
  readonly findAddressesByName: FindAddressesByName;
  /** A name that stands for this address and no other. */
  readonly nameOf?: ((address: Address) => string | undefined) | undefined;
  readonly findDeployment?: FindDeployment | undefined;
  /** Events of this name that the contracts at these addresses have, or, without addresses, any that are known. */
  readonly findEventsByName?:
    | ((name: string, addresses: readonly Address[]) => readonly AbiEvent[])
    | undefined;
}

/** What a question asks for, or what is wrong with each of its fields. */
export type ResolvedQuery =
  | {
      readonly filter: LogFilter;
      /** The form that stands for it, with addresses for names and the event as it is declared. */
      readonly form: QueryForm;
      /** The event, where its declaration is known. */
      readonly event: AbiEvent | undefined;
      readonly errors?: undefined;
    }
  | { readonly filter?: undefined; readonly form?: undefined; readonly errors: readonly AppError[] };

/** Events that a message names. */
const MAX_SUGGESTED_EVENTS = 5;
const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * Reads a question with all that is known: names become addresses, the bare name of an event its declaration, and an
 * absent first block that of the deployments asked for.
 *
 * @example resolveQuery(parseQueryDefinition({ address: 'Vault' }), { addressesNamed }).filter?.addresses;
 */
export function resolveQuery(question: QueryDefinition, knowledge: QueryKnowledge): ResolvedQuery {
  const { findAddressesByName } = knowledge;
  const { form: written, problem } = withEvent(toQueryForm(question.query), knowledge);
  // Which arguments are addresses, the event tells.
  const { form, unclear } = replaceAddressNames(written, findAddressesByName);
  const problems: AppError[] = unclear.map(unclearName);
  if (problem) problems.push(problem);
  else {
    const wrong = wrongArguments(form, question);
    if (wrong) problems.push(wrong);
  }
  const read = parseQueryForm(withFirstBlock(form, knowledge));
  const told = new Set(problems.map(({ details }) => details.field));
  for (const one of read.errors ?? []) if (!told.has(one.details.field)) problems.push(one);
  if (problems.length > 0 || !read.filter) return { errors: problems };
  return { filter: read.filter, form, event: parseDeclaredEvent(form.event) };
}

function withEvent(
  form: QueryForm,
  { findAddressesByName, findEventsByName }: QueryKnowledge,
): { readonly form: QueryForm; readonly problem?: AppError } {
  const name = form.event.trim();
  if (!NAME.test(name)) return { form };
  const { address } = replaceAddressNames(form, findAddressesByName).form;
  const addresses = splitList(address).flatMap((text) => parseAddress(text) ?? []);
  const texts = new Set(findEventsByName?.(name, addresses).map(formatAbiItem));
  const [only, ...others] = texts;
  if (only !== undefined && others.length === 0)
    return { form: withFieldText(form, 'event', formatQueryEvent(only)) };
  if (only === undefined) {
    const message = `No event ${name} is known. Write it as Solidity declares it: ${name}(address indexed from, uint256 value).`;
    return { form, problem: badInput('event', message, { code: 'unknownEvent', values: [name] }) };
  }
  const some = [only, ...others].slice(0, MAX_SUGGESTED_EVENTS).map(formatQueryEvent).join('; ');
  const message = `Several events are called ${name}: write one of ${some}.`;
  return { form, problem: badInput('event', message, { code: 'severalEvents', values: [name, some] }) };
}

/** Without the word `event`, as a query has it. */
function formatQueryEvent(item: string): string {
  return item.replace(/^event /, '');
}

/** Of all names: the form passes over those of other events. */
function wrongArguments({ event }: QueryForm, { query }: QueryDefinition): AppError | undefined {
  try {
    validateArguments(event, query.args ?? {});
    return undefined;
  } catch (error) {
    if (isAppError(error, 'badInput')) return error;
    throw error;
  }
}

function withFirstBlock(form: QueryForm, { findDeployment }: QueryKnowledge): QueryForm {
  const first = findDeployment && findFirstBlock(form, findDeployment);
  if (!first) return form;
  const later = withFieldText(form, 'fromBlock', first.block.toString());
  // A range that ends before the deployment is asked for as it was written.
  return parseQueryForm(later).filter ? later : form;
}

function unclearName({ field, name, count }: AmbiguousName): AppError {
  const shown = sanitizeText(name, 80);
  if (count === 0) {
    const message = `No address is called ${shown}. Write 0x and 40 hex digits, or a name of the project: of a deployment on this chain, or a label in foundry.toml or .chainside/labels.json.`;
    return badInput(field, message, { code: 'unknownName', values: [shown] });
  }
  const message = `${count} addresses are called ${shown}: write the address of the one that is meant.`;
  return badInput(field, message, { code: 'severalNamed', values: [shown, String(count)] });
}

/** The block from which an empty field asks, and the contract that was created in it, where it has a name. */
export interface FirstBlock {
  readonly block: bigint;
  readonly contract: string | undefined;
}

/** What is deployed at an address of the chain that is asked. */
export type FindDeployment = (
  address: Address,
) => { readonly block?: bigint | undefined; readonly contract?: string | undefined } | undefined;
/** What others tell of contracts that no deployment is known of. */
export type FindCreation = (address: Address) => FirstBlock | undefined;

/**
 * The block of the first deployment that a form asks for; undefined where one is not known, or a block is typed. Nothing
 * is lost by asking from there: a contract has no logs before it is there.
 *
 * @example findFirstBlock({ ...form, address: vault }, deployedAt)?.block; // the block that made the vault
 */
export function findFirstBlock(
  form: Pick<QueryForm, 'address' | 'fromBlock'>,
  deployedAt: FindDeployment,
  createdAt: FindCreation = () => undefined,
): FirstBlock | undefined {
  if (form.fromBlock.trim() !== '') return undefined;
  let first: FirstBlock | undefined;
  for (const text of splitList(form.address)) {
    const address = parseAddress(text);
    if (!address) return undefined;
    const { block, contract } = deployedAt(address) ?? {};
    const known = block === undefined ? createdAt(address) : { block, contract };
    if (!known) return undefined;
    if (!first || known.block < first.block) first = known;
  }
  return first;
}

/** A name, and what it stands for. */
export interface NameEntry {
  readonly name: string;
  readonly address: Address;
}

/**
 * Addresses with exactly this name, each once; where none has it, those that have it in another letter case.
 *
 * @example findAddressesByName('vault', [{ name: 'Vault', address: '0x12' }]) // ['0x12']
 */
export function findAddressesByName(name: string, named: readonly NameEntry[]): readonly Address[] {
  const exact = named.filter((one) => one.name === name);
  const lower = name.toLowerCase();
  const found = exact.length > 0 ? exact : named.filter((one) => one.name.toLowerCase() === lower);
  return [...new Set(found.map(({ address }) => address))];
}

/** What a form does not say of the question that it stands for. */
interface QueryDefinitionExtras {
  readonly title?: string | undefined;
  readonly chainId: number;
}

/**
 * The question that a form stands for, as people read it: names where they are clear, the event as it is declared, its
 * arguments by name, the range as it was typed. {@link resolveQuery} with the same knowledge reads the same filter.
 *
 * @example queryDefinitionToJson(toQueryDefinition(form, { chainId: 1 }, knowledge)).address; // 'Vault'
 */
export function toQueryDefinition(
  form: QueryForm,
  asked: QueryDefinitionExtras,
  knowledge: QueryKnowledge,
): QueryDefinition {
  const named = written(form, asked, (text) => nameFor(text, knowledge));
  // A name that is read otherwise where it stands, as by a topic that may be a text, gives way to the address.
  return resolveQuery(named, knowledge).errors ? written(form, asked, (text) => text) : named;
}

function written(
  form: QueryForm,
  { title, chainId }: QueryDefinitionExtras,
  nameIn: (text: string) => string,
): QueryDefinition {
  const event = form.event.trim();
  const declared = parseDeclaredEvent(event);
  const args = (declared ? listEventArguments(declared) : []).flatMap(({ key, parameter }) => {
    const values = splitArgument(parameter.type, getFieldText(form, `args.${key}`));
    return [[key, parameter.type.kind === 'address' ? values.map(nameIn) : values] as const];
  });
  const topics = [form.topic1, form.topic2, form.topic3].map((text) => splitList(text));
  return {
    title,
    chainId,
    query: {
      addresses: splitList(form.address).map(nameIn),
      event: event || undefined,
      args: Object.fromEntries(args.filter(([, values]) => values.length > 0)),
      topics: [null, ...topics.map((texts) => (texts.length > 0 ? texts : null))],
      fromBlock: form.fromBlock.trim() || undefined,
      toBlock: form.toBlock.trim() || undefined,
      // The newest first is how each place reads by itself.
      order: form.order === 'oldestFirst' ? form.order : undefined,
    },
  };
}

function nameFor(text: string, { nameOf }: QueryKnowledge): string {
  const address = parseAddress(text);
  return address ? (nameOf?.(address) ?? toChecksumAddress(address)) : text;
}

/**
 * What the files of a project tell of a chain: addresses by the names of the contracts deployed there and by labels, in
 * this letter case before any other; events of the contract at an address, else of the project's own, else of any.
 *
 * @example resolveQuery(question, createIndexKnowledge(index, 31337)).filter;
 */
export function createIndexKnowledge(
  index: Pick<ContractIndex, 'abiAt' | 'contracts' | 'deployments' | 'deploymentsAt' | 'labels'>,
  chainId: number,
): QueryKnowledge & { readonly names: readonly NameEntry[] } {
  const chain = String(chainId);
  const named = [
    ...index.deployments.flatMap(({ chainId: at, address, contract }) =>
      at === chain && contract !== undefined ? [{ name: contract, address }] : [],
    ),
    ...index.labels.filter(({ chainId: at }) => at === undefined || at === chain),
  ];

  function eventsNamed(name: string, addresses: readonly Address[]): readonly AbiEvent[] {
    const own = index.contracts.filter(({ isOwn }) => isOwn);
    const places = [
      addresses.flatMap((address) => index.abiAt({ address, chainId })?.items ?? []).map(({ text }) => text),
      own.flatMap(({ abi }) => abi),
      index.contracts.flatMap(({ abi }) => abi),
    ];
    return places.map((abi) => eventsIn(abi, name)).find((events) => events.length > 0) ?? [];
  }

  const addressesNamed = (name: string) => findAddressesByName(name, named);

  return {
    names: named,
    findAddressesByName: addressesNamed,
    findEventsByName: eventsNamed,
    nameOf: (address) =>
      named.find((one) => one.address === address && addressesNamed(one.name).length === 1)?.name,
    findDeployment: (address) => index.deploymentsAt(address, chainId)[0],
  };
}

function eventsIn(abi: readonly AbiItemText[], name: string): readonly AbiEvent[] {
  const start = `event ${name}(`;
  const texts = new Set(abi.filter((text) => text.startsWith(start)));
  return [...texts].flatMap((text) => {
    const item = parseAbiItem(text);
    return item?.kind === 'event' ? [item] : [];
  });
}
