import * as vscode from 'vscode';
import {
  type AbiType,
  type Address,
  type ContractIndex,
  createIndexKnowledge,
  createTimeSlices,
  findQueryCursor,
  formatShortAddress,
  listEventArguments,
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
  const offers = await offersAt(cursor, await createContext(text, deps), deps);
  return offers.length === 0 ? undefined : toCompletions(offers, cursor, { document, position });
}

interface CompletionContext {
  readonly asked: PartialQuery;
  readonly index: ContractIndex;
  readonly known: ReturnType<typeof createIndexKnowledge>;
  /** The addresses that the query filters by. */
  readonly addresses: readonly Address[];
}

async function createContext(text: string, { contracts }: QueryFilesDeps): Promise<CompletionContext> {
  const asked = parsePartialQuery(text);
  const index = await contracts.index();
  const known = createIndexKnowledge(index, asked.chainId ?? 0);
  const addresses = asked.addresses.flatMap((one) => parseAddress(one) ?? known.findAddressesByName(one));
  return { asked, index, known, addresses };
}

/** `value` is written as JSON. */
interface Offer extends Omit<Completion, 'text' | 'typed'> {
  readonly value: string | number;
}

async function offersAt(
  { path, isKey }: QueryCursor,
  known: CompletionContext,
  deps: QueryFilesDeps,
): Promise<readonly Offer[]> {
  const [part, name] = path;
  if (isKey) return part === 'args' && path.length === 1 ? argumentOffers(known) : [];
  if (part === 'chainId') return chainOffers(deps);
  if (part === 'address') return nameOffers(known);
  if (part === 'event') return eventOffers(known, deps);
  if (part !== 'args' || typeof name !== 'string') return [];
  const type = typesOf(known).find(({ key }) => key === name)?.type;
  return type?.kind === 'address' ? nameOffers(known) : [];
}

function chainOffers({ settings }: QueryFilesDeps): readonly Offer[] {
  const ids = new Set(settings.current.networks.map(({ chainId }) => chainId));
  return [...ids].map((chainId) => {
    const names = settings.current.networks.filter((one) => one.chainId === chainId).map(({ name }) => name);
    const told = names.join(', ');
    return { label: String(chainId), description: told, detail: told, documentation: [], value: chainId };
  });
}

function nameOffers({ known }: CompletionContext): readonly Offer[] {
  const clear = known.names.filter(({ name }) => known.findAddressesByName(name).length === 1);
  const byName = new Map(clear.map(({ name, address }) => [name, address]));
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

async function eventOffers(
  { asked, index, addresses }: CompletionContext,
  { clock }: QueryFilesDeps,
): Promise<readonly Offer[]> {
  const { chainId = 0 } = asked;
  const here = addresses
    .flatMap((address) => index.abiAt({ address, chainId })?.items ?? [])
    .flatMap(({ text }) => toQueryableEvent(text) ?? [])
    .map(({ declaration }) => declaration.replace(/^event /, ''));
  const own = await collectEvents(
    index.contracts.filter(({ isOwn }) => isOwn),
    [],
    createTimeSlices(clock),
  );
  const contractOf = new Map(own.map(({ declared, contract = '' }) => [declared, contract]));
  return [...new Set([...here, ...contractOf.keys()])].map((declared) => {
    const at = contractOf.get(declared) ?? '';
    const detail = here.includes(declared) ? vscode.l10n.t('at this address') : at;
    return { label: declared, description: at, detail, documentation: [declared], value: declared };
  });
}

function argumentOffers(known: CompletionContext): readonly Offer[] {
  return typesOf(known)
    .filter(({ key }) => !known.asked.args.includes(key))
    .map(({ key, type }) => ({
      label: key,
      description: type.text,
      detail: vscode.l10n.t('indexed {0}', type.text),
      documentation: [],
      value: key,
    }));
}

/** The indexed parameters of the event, which may be given by its name alone. */
function typesOf({
  asked: { event },
  known,
  addresses,
}: CompletionContext): readonly { readonly key: string; readonly type: AbiType }[] {
  const [only] = known.findEventsByName?.(event.trim(), addresses) ?? [];
  const declared = parseDeclaredEvent(event) ?? only;
  return declared
    ? listEventArguments(declared).map(({ key, parameter }) => ({ key, type: parameter.type }))
    : [];
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
  const items = offers.slice(0, MAX_OFFERED).map(({ value, ...words }): Completion => {
    const text = JSON.stringify(value);
    return { ...words, text: isKey && !typed ? `${text}: ` : text, typed: text };
  });
  return {
    items,
    inserting: new vscode.Range(start, position),
    replacing: new vscode.Range(start, behind.isBefore(position) ? position : behind),
    isCut: offers.length > MAX_OFFERED,
  };
}
