import * as vscode from 'vscode';
import {
  type AbiEvent,
  type AbiFunction,
  type AbiType,
  type Address,
  type ContractIndex,
  createIndexKnowledge,
  createTimeSlices,
  findQueryCursor,
  formatAbiItem,
  formatDistinctName,
  formatShortAddress,
  listArgumentEnums,
  listEventArguments,
  listFunctions,
  MAX_QUERY_FILE_CHARS,
  type PartialQuery,
  parseAddress,
  parseDeclaredEvent,
  parsePartialQuery,
  type QueryCursor,
  toChecksumAddress,
} from '../../core/index.ts';
import { collectEvents, toQueryableEvent } from '../../host/contracts/knownEvents.ts';
import { getDocumentStart } from '../../host/places/documents.ts';
import type { Completion, Completions } from '../../host/ui/languageFeatures.ts';
import type { QueryFilesDeps } from './queryDocument.ts';

/** More are found by typing on. */
const MAX_OFFERED = 200;

export async function completeQueryFile(
  document: vscode.TextDocument,
  position: vscode.Position,
  deps: QueryFilesDeps,
): Promise<Completions | undefined> {
  const text = getDocumentStart(document, MAX_QUERY_FILE_CHARS + 1);
  const cursor = findQueryCursor(text, document.offsetAt(position));
  if (!cursor) return undefined;
  const offers = await listOffers(cursor, await createContext(text, deps), deps);
  return offers.length === 0 ? undefined : toCompletions(offers, cursor, { document, position });
}

interface CompletionContext {
  readonly query: PartialQuery;
  readonly index: ContractIndex;
  readonly knowledge: ReturnType<typeof createIndexKnowledge>;
  /** The addresses that the query filters by. */
  readonly addresses: readonly Address[];
}

async function createContext(text: string, { contracts }: QueryFilesDeps): Promise<CompletionContext> {
  const query = parsePartialQuery(text);
  const index = await contracts.index();
  const knowledge = createIndexKnowledge(index, query.chainId ?? 0);
  const addresses = query.addresses.flatMap((one) => parseAddress(one) ?? knowledge.findAddressesByName(one));
  return { query, index, knowledge, addresses };
}

/** `value` is written as JSON. */
interface Offer extends Omit<Completion, 'text' | 'typed'> {
  readonly value: string | number;
}

async function listOffers(
  { path, isKey }: QueryCursor,
  context: CompletionContext,
  deps: QueryFilesDeps,
): Promise<readonly Offer[]> {
  const [part, name] = path;
  if (isKey) return part === 'args' && path.length === 1 ? listArgumentOffers(context) : [];
  if (part === 'chainId') return listChainOffers(deps);
  if (part === 'address') return listNameOffers(context);
  if (part === 'event') return listEventOffers(context, deps);
  if (part === 'read') return listReadOffers(path.slice(1), context);
  if (part === 'code' && name === 'contract') return listContractOffers(context);
  if (takesAddress(path)) return listNameOffers(context);
  if (part === 'groupBy' || part === 'sum') return listFieldOffers(context, part);
  if (part !== 'args' || typeof name !== 'string') return [];
  const type = listArgumentTypes(context).find(({ key }) => key === name)?.type;
  return type?.kind === 'address' ? listNameOffers(context) : listMemberOffers(context, name);
}

/** Whether a check of code or state has an address there. */
function takesAddress([part, name, key]: QueryCursor['path']): boolean {
  if (part === 'code') return name === 'address';
  if (part === 'state') return name === 'contract' || name === 'owner';
  const isIn = (list: readonly unknown[]) => list.includes(name) && key !== undefined;
  return part === 'expect' && isIn(['holders', 'spenders', 'members', 'immutables', 'libraries']);
}

/** The contracts of the project, with their path where others have the same name. */
function listContractOffers({ index }: CompletionContext): readonly Offer[] {
  const own = index.contracts.filter(({ isOwn, source }) => isOwn && source !== undefined);
  const isShared = (name: string) => index.contractNamed(name).filter(({ isOwn }) => isOwn).length > 1;
  return own.map(({ name, source = '' }) => ({
    label: name,
    description: source,
    detail: source,
    documentation: [],
    value: isShared(name) ? `${source}:${name}` : name,
  }));
}

function listMemberOffers(context: CompletionContext, name: string): readonly Offer[] {
  const event = findEvent(context);
  const query = { event: event ? formatAbiItem(event) : '', address: context.addresses.join(', ') };
  const { name: enumName = '', members = [] } =
    listArgumentEnums(query, context.knowledge.findDeclaredEvents ?? (() => [])).get(name) ?? {};
  return members.map((member) => ({
    label: member,
    description: enumName,
    detail: enumName,
    documentation: [],
    value: member,
  }));
}

/** The contract and sender of a read, its view functions, and the addresses and members of enums among its arguments. */
function listReadOffers([key, index]: QueryCursor['path'], context: CompletionContext): readonly Offer[] {
  if (key === 'contract' || key === 'from') return listNameOffers(context);
  const views = listViews(context);
  if (key === 'function') {
    const names = views.map(({ name }) => name);
    const isRepeated = (name: string) => names.filter((other) => other === name).length > 1;
    return views.map((item) => {
      const declared = formatAbiItem(item).replace(/^function /, '');
      return {
        label: item.name,
        description: item.outputs.map(({ type }) => type.text).join(', '),
        detail: declared,
        documentation: [declared],
        value: isRepeated(item.name) ? item.signature : item.name,
      };
    });
  }
  const { viewFunction } = context.query;
  const view = views.find(({ name, signature }) => viewFunction === name || viewFunction === signature);
  const type = key === 'arguments' && typeof index === 'number' ? view?.inputs[index]?.type : undefined;
  if (type?.kind === 'address') return listNameOffers(context);
  const enumeration = type?.kind === 'uint' ? type.enumeration : undefined;
  return (enumeration?.members ?? []).map((member) => ({
    label: member,
    description: enumeration?.name ?? '',
    detail: enumeration?.name ?? '',
    documentation: [],
    value: member,
  }));
}

/** The view functions of the contract that is read, if its ABI is known. */
function listViews({ query, index, addresses }: CompletionContext): readonly AbiFunction[] {
  const { chainId = 0 } = query;
  const abis = addresses.flatMap((address) => index.abisAt({ address, chainId }));
  return listFunctions(abis.flatMap(({ items = [] }) => items)).filter(({ isView }) => isView);
}

function listChainOffers({ settings }: QueryFilesDeps): readonly Offer[] {
  const ids = new Set(settings.current.networks.map(({ chainId }) => chainId));
  return [...ids].map((chainId) => {
    const names = settings.current.networks.filter((one) => one.chainId === chainId).map(({ name }) => name);
    const detail = names.join(', ');
    return { label: String(chainId), description: detail, detail, documentation: [], value: chainId };
  });
}

/** Each address with a name that means it: `Token`, or `Token@0x12ab34` where `Token` means another one. */
function listNameOffers({ knowledge }: CompletionContext): readonly Offer[] {
  const { names } = knowledge;
  const byName = new Map(names.map((named) => [formatDistinctName(named, names), named.address]));
  return [...byName].map(([name, address]) => {
    const full = toChecksumAddress(address);
    return {
      label: name,
      description: formatShortAddress(full),
      detail: full,
      documentation: [],
      value: name,
    };
  });
}

async function listEventOffers(
  { query, index, addresses }: CompletionContext,
  { clock }: QueryFilesDeps,
): Promise<readonly Offer[]> {
  const { chainId = 0 } = query;
  const local = addresses
    .flatMap((address) => index.contractsAt({ address, chainId }).flatMap(({ abi }) => abi))
    .flatMap((text) => toQueryableEvent(text) ?? [])
    .map(({ declaration }) => declaration.replace(/^event /, ''));
  const own = await collectEvents(
    index.contracts.filter(({ isOwn }) => isOwn),
    [],
    createTimeSlices(clock),
  );
  const contractOf = new Map(own.map(({ declared, contract = '' }) => [declared, contract]));
  return [...new Set([...local, ...contractOf.keys()])].map((declared) => {
    const contract = contractOf.get(declared) ?? '';
    const detail = local.includes(declared) ? vscode.l10n.t('at this address') : contract;
    return { label: declared, description: contract, detail, documentation: [declared], value: declared };
  });
}

function listArgumentOffers(context: CompletionContext): readonly Offer[] {
  return listArgumentTypes(context)
    .filter(({ key }) => !context.query.args.includes(key))
    .map(({ key, type }) => ({
      label: key,
      description: type.text,
      detail: vscode.l10n.t('indexed {0}', type.text),
      documentation: [],
      value: key,
    }));
}

/** The parameters of the event that logs can be grouped by or summed, then what every log has. */
function listFieldOffers(context: CompletionContext, part: 'groupBy' | 'sum'): readonly Offer[] {
  const inputs = findEvent(context)?.inputs ?? [];
  const parameters = inputs
    .filter(
      ({ name, type: { kind } }) => name !== '' && (part === 'groupBy' || kind === 'uint' || kind === 'int'),
    )
    .map(({ name, type }) => ({ value: name, detail: type.text }));
  const { l10n } = vscode;
  const ofLogs = [
    { value: 'address', detail: l10n.t('the contract') },
    { value: 'event', detail: l10n.t('the event') },
    { value: 'block', detail: l10n.t('the block number') },
    { value: 'block:1000', detail: l10n.t('ranges of 1,000 blocks') },
    { value: 'day', detail: l10n.t('the day of the block in UTC') },
  ];
  const offers = part === 'groupBy' ? [...parameters, ...ofLogs] : parameters;
  return offers.map(({ value, detail }) => ({
    label: value,
    description: detail,
    detail,
    documentation: [],
    value,
  }));
}

/** The indexed parameters of the event, which may be given by its name alone. */
function listArgumentTypes(
  context: CompletionContext,
): readonly { readonly key: string; readonly type: AbiType }[] {
  const declared = findEvent(context);
  return declared
    ? listEventArguments(declared).map(({ key, parameter }) => ({ key, type: parameter.type }))
    : [];
}

function findEvent({ query: { event }, knowledge, addresses }: CompletionContext): AbiEvent | undefined {
  const [match] = knowledge.findEventsByName?.(event.trim(), addresses) ?? [];
  return parseDeclaredEvent(event) ?? match;
}

/** Replaces what is typed; inside quotes up to the closing one. */
function toCompletions(
  offers: readonly Offer[],
  { typed, isKey }: QueryCursor,
  { document, position }: { readonly document: vscode.TextDocument; readonly position: vscode.Position },
): Completions {
  const start = typed ? document.positionAt(typed.offset) : position;
  const end = typed ? document.positionAt(typed.offset + typed.length) : position;
  // A string without a closing quote extends to the end of its line.
  const behind = end.line === position.line ? end : document.lineAt(position.line).range.end;
  const items = offers.slice(0, MAX_OFFERED).map(({ value, ...rest }): Completion => {
    const text = JSON.stringify(value);
    return { ...rest, text: isKey && !typed ? `${text}: ` : text, typed: text };
  });
  return {
    items,
    inserting: new vscode.Range(start, position),
    replacing: new vscode.Range(start, behind.isBefore(position) ? position : behind),
    isCut: offers.length > MAX_OFFERED,
  };
}
