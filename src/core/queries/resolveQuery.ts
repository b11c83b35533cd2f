import { parseEventDeclaration } from '../abi/declaration.ts';
import { type AbiEvent, type AbiItemText, formatAbiItem, parseAbiItem } from '../abi/item.ts';
import type { AbiType } from '../abi/type.ts';
import { type AppError, badInput, isAppError } from '../base/errors.ts';
import { createMessage, foreign, type Message, sanitizeText } from '../base/text.ts';
import { pushAll } from '../base/values.ts';
import { type Address, type Hex, parseAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { listDevelopmentAccounts } from '../identity/developmentAccounts.ts';
import { type Grouping, validateGrouping } from '../logs/groups/grouping.ts';
import {
  type AmbiguousName,
  type FindAddressesByName,
  findChecksumErrors,
  replaceAddressNames,
} from '../logs/query/addressNames.ts';
import {
  type FindDeclaredEvents,
  formatEnumMembers,
  listArgumentEnums,
  replaceEnumMembers,
} from '../logs/query/enumNames.ts';
import {
  listEventArguments,
  parseDeclaredEvent,
  splitArgument,
  validateArguments,
} from '../logs/query/eventArguments.ts';
import { joinList, joinValues, splitList } from '../logs/query/fieldValues.ts';
import type { DeploymentBlock, LogFilter } from '../logs/query/filter.ts';
import { getFieldText, type QueryForm, withFieldText } from '../logs/query/form.ts';
import { type ParsedQuery, parseQueryForm } from '../logs/query/parseQuery.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import {
  explainMissingName,
  findAddressesByName,
  formatPickedName,
  listNamed,
  listNameEntries,
  type NameEntry,
  type NameOptions,
} from './namedAddresses.ts';
import type { QueryDefinition } from './queryDefinition.ts';

/**
 * Resolves a query: names to addresses, members of enums to numbers, the bare name of an event to its declaration, and a
 * missing first block to that of the deployments.
 *
 * @example resolveQuery(parseQueryDefinition({ address: 'Vault' }), { findAddressesByName }).filter?.addresses;
 */
export function resolveQuery(definition: QueryDefinition, knowledge: QueryKnowledge): ResolvedQuery {
  const { findAddressesByName, findDeclaredEvents = findNoEvents } = knowledge;
  const { form: rawForm, error: eventError } = resolveEventName(definition.query, knowledge);
  // The event must be resolved first: it shows which arguments are addresses.
  const { form: addressedForm, unclear: ambiguousNames } = replaceAddressNames(rawForm, findAddressesByName);
  const { form, errors: memberErrors } = replaceEnumMembers(addressedForm, findDeclaredEvents);
  const errors: AppError[] = [
    ...ambiguousNames.map((one) => toNameError(one, knowledge)),
    ...findChecksumErrors(rawForm),
  ];
  if (eventError) errors.push(eventError);
  else {
    const argumentError = findArgumentError({ event: form.event, args: definition.query.args });
    if (argumentError) errors.push(argumentError);
    pushAll(errors, memberErrors);
  }
  const parsed = parseWithFirstBlock(form, knowledge);
  const reportedFields = new Set(errors.map(({ details }) => details.field));
  for (const error of parsed.errors ?? []) if (!reportedFields.has(error.details.field)) errors.push(error);
  const event = parseDeclaredEvent(form.event);
  const groupingError = event && definition.grouping && findGroupingError(definition.grouping, event);
  if (groupingError) errors.push(groupingError);
  if (errors.length > 0 || !parsed.filter) return { errors };
  return { filter: parsed.filter, form, event };
}

function findGroupingError(grouping: Grouping, event: AbiEvent): AppError | undefined {
  try {
    validateGrouping(grouping, [event]);
    return undefined;
  } catch (error) {
    if (isAppError(error, 'badInput')) return error;
    throw error;
  }
}

/** The filter of a query, or an error for each invalid field. */
export type ResolvedQuery =
  | {
      readonly filter: LogFilter;
      /** The equivalent form, with addresses for names and the full declaration of the event. */
      readonly form: QueryForm;
      /** The event, if its declaration is known. */
      readonly event: AbiEvent | undefined;
      readonly errors?: undefined;
    }
  | { readonly filter?: undefined; readonly form?: undefined; readonly errors: readonly AppError[] };

export interface QueryKnowledge {
  readonly findAddressesByName: FindAddressesByName;
  /** Why a name of files means no address of the chain. */
  readonly explainMissingName?: ((name: string) => Message | undefined) | undefined;
  /** A name that resolves to this address only. */
  readonly nameOf?: ((address: Address) => string | undefined) | undefined;
  readonly findDeployment?: FindDeployment | undefined;
  /** Without it, no member of an enum is known. */
  readonly findDeclaredEvents?: FindDeclaredEvents | undefined;
  /** Events with this name of the contracts at these addresses; without addresses, of any contract. */
  readonly findEventsByName?:
    | ((name: string, addresses: readonly Address[]) => readonly AbiEvent[])
    | undefined;
}

const findNoEvents: FindDeclaredEvents = () => [];

export type FindDeployment = (address: Address) =>
  | {
      readonly block?: bigint | undefined;
      readonly contract?: string | undefined;
      readonly transaction?: Hex | undefined;
      readonly isRepeated?: true | undefined;
    }
  | undefined;

function resolveEventName(
  form: QueryForm,
  { findAddressesByName, findEventsByName }: QueryKnowledge,
): { readonly form: QueryForm; readonly error?: AppError } {
  const name = form.event.trim();
  const { address } = replaceAddressNames(form, findAddressesByName).form;
  const addresses = splitList(address).flatMap((text) => parseAddress(text) ?? []);
  if (!NAME.test(name)) {
    const isAnonymous = isAnonymousSignature(name, (called) => findEventsByName?.(called, addresses) ?? []);
    return isAnonymous ? { form, error: createAnonymousError(name) } : { form };
  }
  const declarations = new Set(findEventsByName?.(name, addresses).map(formatAbiItem));
  const [only, ...others] = declarations;
  if (only?.endsWith(' anonymous') && others.length === 0) return { form, error: createAnonymousError(name) };
  if (only !== undefined && others.length === 0)
    return { form: withFieldText(form, 'event', formatQueryEvent(only)) };
  if (only === undefined) {
    const unknown = createMessage(
      'No event called {0} is known. Enter its declaration, such as {0}(address indexed from, uint256 value).',
      foreign(name),
    );
    return { form, error: badInput('event', { code: 'unknownEvent', ...unknown }) };
  }
  const suggestions = [only, ...others].slice(0, MAX_SUGGESTED_EVENTS).map(formatQueryEvent).join('; ');
  const message = createMessage(
    'Several events are called {0}. Enter one of {1}.',
    foreign(name),
    foreign(suggestions),
  );
  return { form, error: badInput('event', message) };
}

/**
 * Whether a declaration without `anonymous` is one of an event that all known contracts declare as anonymous. A query
 * by its topic0 would find nothing, and seem complete.
 *
 * @example isAnonymousSignature('Raw(uint256)', () => []) // false
 */
export function isAnonymousSignature(
  text: string,
  findEvents: (name: string) => readonly AbiEvent[],
): boolean {
  if (/^0x/i.test(text) || !text.includes('(')) return false;
  const declaration = parseEventDeclaration(text);
  const signature = typeof declaration === 'string' ? undefined : declaration.signature;
  if (signature === undefined) return false;
  const events = findEvents(signature.slice(0, signature.indexOf('(')));
  const same = events.filter((event) => event.signature === signature);
  return same.length > 0 && same.every(({ anonymous }) => anonymous);
}

/** The error of a query by an anonymous event, which says what to do instead. */
export function createAnonymousError(event: string): AppError {
  const template =
    'The event {0} is anonymous, so its logs have no topic0. Leave out the event, and query by the address of the contract.';
  return badInput('event', createMessage(template, foreign(event.replace(/^event\s+/, ''), 80)));
}

const MAX_SUGGESTED_EVENTS = 5;
const NAME = /^[A-Za-z_$][\w$]*$/;

/** Without the keyword `event`, as in a query. */
function formatQueryEvent(item: string): string {
  return item.replace(/^event /, '');
}

/** Checks all argument names: those of other events are ignored when the query is parsed. */
function findArgumentError(query: Pick<QueryForm, 'event' | 'args'>): AppError | undefined {
  try {
    validateArguments(query);
    return undefined;
  } catch (error) {
    if (isAppError(error, 'badInput')) return error;
    throw error;
  }
}

function parseWithFirstBlock(form: QueryForm, { findDeployment }: QueryKnowledge): ParsedQuery {
  const first = findDeployment && findFirstBlock(form, findDeployment);
  const bounded = first && parseQueryForm(withFieldText(form, 'fromBlock', first.block.toString()));
  // A range that ends before the deployment stays as it was typed.
  if (!bounded?.filter) return parseQueryForm(form);
  return { filter: { ...bounded.filter, deployments: first?.deployments } };
}

const MAX_LISTED_ADDRESSES = 5;

/** The error of a name in a file that is not one address. */
export function toNameError(
  { field, name, count, addresses = [] }: Omit<AmbiguousName, 'field'> & { readonly field: string },
  { explainMissingName: explain }: Pick<QueryKnowledge, 'explainMissingName'>,
): AppError {
  const shown = sanitizeText(name, 80);
  if (count === 0) {
    const missing = explain?.(name);
    if (missing) return badInput(field, { code: 'unknownName', ...missing });
    const unknown = createMessage(
      'No address is called {0}. Enter 0x and 40 hex digits, the name of a deployment on this chain, or a label from foundry.toml or .chainside/labels.json.',
      foreign(shown),
    );
    return badInput(field, { code: 'unknownName', ...unknown });
  }
  const listed = addresses.slice(0, MAX_LISTED_ADDRESSES).map(toChecksumAddress).join(', ');
  const [first = '0x12ab'] = addresses;
  const ambiguous = createMessage(
    '{1} addresses are called {0}: {2}. Enter one of them, or {3}.',
    foreign(shown),
    count,
    foreign(listed),
    foreign(formatPickedName(shown, first, addresses)),
  );
  return badInput(field, { code: 'ambiguousName', ...ambiguous });
}

/**
 * The first block of the deployments that a form is for; undefined if one of them is unknown, or a block is typed. A
 * query confirms it: a contract has no logs before its creation, but the block may be wrong.
 *
 * @example findFirstBlock({ ...form, address: vault }, findDeployment)?.block; // the block that created the vault
 */
export function findFirstBlock(
  form: Pick<QueryForm, 'address' | 'fromBlock'>,
  findDeployment: FindDeployment,
  findCreation: FindCreation = () => undefined,
): FirstBlock | undefined {
  if (form.fromBlock.trim() !== '') return undefined;
  let first: FoundCreation | undefined;
  const deployments: DeploymentBlock[] = [];
  for (const text of splitList(form.address)) {
    const address = parseAddress(text);
    if (!address) return undefined;
    const { block, contract, transaction, isRepeated } = findDeployment(address) ?? {};
    const created = block === undefined ? findCreation(address) : { block, contract, transaction };
    if (!created) return undefined;
    deployments.push({
      ...{ address, block: created.block, transaction: created.transaction },
      ...(isRepeated && { isRepeated }),
    });
    if (!first || created.block < first.block) first = created;
  }
  return first && { block: first.block, contract: first.contract, deployments };
}

/** The block that an empty field stands for, and the name of the contract that was created in it. */
export interface FirstBlock {
  readonly block: bigint;
  readonly contract: string | undefined;
  /** Of all addresses, which confirm the block. */
  readonly deployments: readonly DeploymentBlock[];
}

interface FoundCreation {
  readonly block: bigint;
  readonly contract: string | undefined;
  readonly transaction?: Hex | undefined;
}

export type FindCreation = (address: Address) => FoundCreation | undefined;

/**
 * The readable query of a form: names of addresses and members of enums where they are unique, the event as declared, its
 * arguments by name, the range as typed. {@link resolveQuery} with the same knowledge resolves it to the same filter.
 *
 * @example queryDefinitionToJson(toQueryDefinition(form, { chainId: 1 }, knowledge)).address; // 'Vault'
 */
export function toQueryDefinition(
  form: QueryForm,
  extras: QueryDefinitionExtras,
  knowledge: QueryKnowledge,
): QueryDefinition {
  const enums = listArgumentEnums(form, knowledge.findDeclaredEvents ?? findNoEvents);
  const toNames: FormatValues = ({ kind }, values, key) => {
    if (kind === 'address') return values.map((text) => toNameOrAddress(text, knowledge));
    const found = key === undefined ? undefined : enums.get(key);
    return found ? formatEnumMembers(found, values) : values;
  };
  const withNames = createDefinition(form, extras, toNames);
  // A name may be ambiguous in its field, such as in a topic that can be a text: then addresses are used.
  return resolveQuery(withNames, knowledge).errors
    ? createDefinition(form, extras, (_, values) => values)
    : withNames;
}

/** What a form does not contain. */
interface QueryDefinitionExtras {
  readonly title?: string | undefined;
  readonly chainId: number;
}

/** `key`: of the argument whose values they are; undefined for addresses of contracts. */
type FormatValues = (
  type: Pick<AbiType, 'kind'>,
  values: readonly string[],
  key?: string,
) => readonly string[];

function createDefinition(
  form: QueryForm,
  { title, chainId }: QueryDefinitionExtras,
  formatValues: FormatValues,
): QueryDefinition {
  const declared = parseDeclaredEvent(form.event);
  const args = (declared ? listEventArguments(declared) : []).map(({ key, parameter: { type } }) => {
    const values = splitArgument(type, getFieldText(form, `args.${key}`));
    return [key, joinValues(formatValues(type, values, key))] as const;
  });
  return {
    title,
    chainId,
    query: {
      ...form,
      address: joinList(formatValues({ kind: 'address' }, splitList(form.address))),
      args: Object.fromEntries(args.filter(([, text]) => text !== '')),
    },
  };
}

function toNameOrAddress(text: string, { nameOf }: QueryKnowledge): string {
  const address = parseAddress(text);
  return address ? (nameOf?.(address) ?? toChecksumAddress(address)) : text;
}

/** A name of several addresses, and the one that it means. */
export interface ChosenName {
  readonly address: Address;
  readonly count: number;
}

/**
 * What the files of a project say about a chain: addresses by the names of deployed contracts, by labels, and of accounts
 * of development nodes (not in `names`), preferably in the same letter case; events of the contracts that run at an address,
 * else of own contracts, else of any. `chosen` has the names that were looked up and that several deployments have.
 *
 * @example resolveQuery(question, createIndexKnowledge(index, 31337)).filter;
 */
export function createIndexKnowledge(
  index: ContractIndex,
  chainId: number,
  options: NameOptions = {},
): QueryKnowledge & {
  readonly names: readonly NameEntry[];
  readonly chosen: ReadonlyMap<string, ChosenName>;
} {
  const names = listNameEntries(index, chainId);
  const chosen = new Map<string, ChosenName>();
  const named = [...names, ...listDevelopmentAccounts(chainId)];

  function findEventsByName(name: string, addresses: readonly Address[]): readonly AbiEvent[] {
    const own = index.contracts.filter(({ isOwn }) => isOwn);
    const abis = [
      addresses.flatMap((address) => index.contractsAt({ address, chainId }).flatMap(({ abi }) => abi)),
      own.flatMap(({ abi }) => abi),
      index.contracts.flatMap(({ abi }) => abi),
    ];
    return abis.map((abi) => parseEventsByName(abi, name)).find((events) => events.length > 0) ?? [];
  }

  function findByName(name: string): readonly Address[] {
    const found = findAddressesByName(name, named, options);
    const [address, ...others] = found;
    const count = listNamed(name, named).length;
    if (address && others.length === 0 && count > 1) chosen.set(name, { address, count });
    return found;
  }

  return {
    names,
    chosen,
    findAddressesByName: findByName,
    explainMissingName: (name) => explainMissingName(name, index, chainId),
    findEventsByName,
    findDeclaredEvents: (topic0, address) => index.declaredEvents(topic0, address && { address, chainId }),
    nameOf: (address) =>
      named.find((entry) => {
        const [only, ...others] =
          entry.address === address ? findAddressesByName(entry.name, named, options) : [];
        return only === address && others.length === 0;
      })?.name,
    findDeployment: (address) => index.deploymentsAt(address, chainId)[0],
  };
}

function parseEventsByName(abi: readonly AbiItemText[], name: string): readonly AbiEvent[] {
  const prefix = `event ${name}(`;
  const texts = new Set(abi.filter((text) => text.startsWith(prefix)));
  return [...texts].flatMap((text) => {
    const item = parseAbiItem(text);
    return item?.kind === 'event' ? [item] : [];
  });
}
