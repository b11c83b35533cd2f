import * as vscode from 'vscode';
import {
  type Block,
  badInput,
  type Clock,
  createMessage,
  type ExplainedTransaction,
  explainHex,
  fetchTransactionUnits,
  findKnownHash,
  foreign,
  formatShortAddress,
  type HashResult,
  type Hex,
  isAppError,
  type Network,
  parseHexData,
  type TokenUnits,
  type TransactionTrace,
} from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { describeError, showError } from '../../host/errors.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import { getHashContext } from '../../host/places/hashContext.ts';
import { findHexAt } from '../../host/places/hexInText.ts';
import { askOnNetwork, type ChainDeps } from '../../host/session/chains.ts';
import type { Connection } from '../../host/session/session.ts';
import { settleWithin } from '../../host/timing.ts';
import { showInputBox, showMessage, withDelayedProgress } from '../../host/ui/dialogs.ts';
import type { ReadOnlyDocuments, RestoredPage, TextLine } from '../../host/ui/readOnlyDocuments.ts';
import type { CallTree } from './callTree.ts';
import { createBlockDocument, findSelector } from './formatBlock.ts';
import type { MeaningFormat } from './formatMeaning.ts';
import { hasCallAmount } from './formatMeaning.ts';
import { createSimulationDocument } from './formatSimulation.ts';
import { createOtherHashDocument, createTransactionDocument } from './formatTransaction.ts';
import { type KnowledgeReader, loadFullKnowledge } from './knowledge.ts';
import { formatShownKey, getNetworkDigest, HASH_BYTES, parseShownKey, type Shown } from './shownKey.ts';
import type { FoundHash, TransactionReader } from './transactionReader.ts';

interface RestoreDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly knowledge: KnowledgeReader;
  readonly reader: TransactionReader;
  readonly meaning: () => Promise<LogDecoding>;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  readonly calls: Pick<CallTree, 'show'>;
}

export interface ShowDeps extends RestoreDeps {
  readonly pages: Pick<ReadOnlyDocuments, 'show'>;
}

/**
 * *Show Transaction…*: opens a document with what the active network returns for a hash.
 *
 * @throws AppError `badInput` if the argument is no hash.
 */
export async function showTransaction(argument: unknown, deps: ShowDeps): Promise<void> {
  const { network } = deps.session;
  const hash = await askOnNetwork(deps, () => getTransactionHash(argument, network.name));
  if (hash !== undefined) await showPage({ hash }, deps);
}

/** Opens a document, or says why it cannot be. */
export async function showPage(shown: Shown, deps: ShowDeps): Promise<void> {
  const { session, log } = deps;
  const { network } = session;
  try {
    const title = formatProgressTitle(shown, network.name);
    const key = formatShownKey(shown, network);
    const lines = await withDelayedProgress(title, ({ signal }) =>
      createLines(shown, { ...deps, key, signal }),
    );
    if (lines === 'cancelled') return;
    await deps.pages.show({ title: formatTabTitle(shown), key, lines });
  } catch (error) {
    if (isAppError(error, 'notServed')) {
      const message = vscode.l10n.t(
        'The endpoint of {0} cannot look up transactions. It supports neither the JSON-RPC methods nor the explorer REST API for them.',
        network.name,
      );
      void showMessage('information', message);
      return;
    }
    if (await showError(error, { service: 'source', network, log }, true)) await showPage(shown, deps);
  }
}

function formatProgressTitle(shown: Shown, networkName: string): string {
  const isLookup = 'hash' in shown && !shown.simulate;
  return isLookup
    ? vscode.l10n.t('Loading the transaction from {0}', networkName)
    : vscode.l10n.t('Simulating on {0}', networkName);
}

function formatTabTitle(shown: Shown): string {
  const { l10n } = vscode;
  if ('call' in shown) return l10n.t('Simulation of {0}', formatShortAddress(shown.call.to ?? ''));
  const hash = formatShortAddress(shown.hash);
  if (!shown.simulate) return l10n.t('Transaction {0}', hash);
  return shown.simulate === 'own'
    ? l10n.t('Simulation {0} at its block', hash)
    : l10n.t('Simulation {0} at latest', hash);
}

/**
 * The page of a transaction that an earlier window showed. Asks its own chain alone: while another network is active,
 * the page says which one to select.
 */
export async function restoreTransaction(key: string, deps: RestoreDeps): Promise<RestoredPage> {
  const { session } = deps;
  const { l10n } = vscode;
  const stored = parseShownKey(key);
  if (!stored) {
    const text = l10n.t('This transaction cannot be restored. Run Show Transaction… with its hash.');
    return { lines: [{ level: 0, text }] };
  }
  const { shown, network: name } = stored;
  // A call has no other name.
  const hash = 'call' in shown ? formatTabTitle(shown) : shown.hash;
  const isActive = () => session.isChosen && getNetworkDigest(session.network) === stored.chain;
  // The hash on a line of its own is no link, which would ask the active network.
  const createOtherNetworkPage = () => {
    const why = session.isChosen
      ? l10n.t('This transaction is on {0}. The active network is {1}.', name, session.network.name)
      : l10n.t('No network is chosen.');
    const help = l10n.t('Select {0} to load the transaction here.', name);
    return createIncompletePage(l10n.t('Transaction on {0}', name), [hash, '', why, help]);
  };
  if (!isActive()) return createOtherNetworkPage();
  const { network } = session;
  try {
    return { lines: await createLines(shown, { ...deps, key, signal: new AbortController().signal }) };
  } catch (error) {
    if (!isActive()) return createOtherNetworkPage();
    const { message } = describeError(error, { service: 'source', network });
    const help = l10n.t('Select the hash to try again.');
    return createIncompletePage(l10n.t('Transaction {0} on {1}', hash, network.name), ['', message, help]);
  }
}

function createIncompletePage(heading: string, texts: readonly string[]): RestoredPage {
  const lines = [
    { level: 0, text: heading, style: 'heading' } as const,
    ...texts.map((text) => ({ level: 0, text })),
  ];
  return { lines, isIncomplete: true };
}

interface DocumentDeps extends RestoreDeps {
  /** Of the document; undefined if it has none. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
}

async function createLines(shown: Shown, deps: DocumentDeps): Promise<readonly TextLine[]> {
  const { reader, knowledge, contracts, signal } = deps;
  const uriOf = (file: string) => contracts.uriOf(file)?.toString();
  const showCalls = (trace: TransactionTrace | undefined, coin: Network, format: MeaningFormat) => {
    const calls = trace?.state === 'told' ? { trace, context: { format, coin, uriOf } } : undefined;
    deps.calls.show(deps.key, calls);
  };
  if ('call' in shown) {
    const { call } = shown;
    const { network, client } = deps.session.connection;
    const simulation = await reader.simulate({ network, client }, { call, signal });
    const { format } = await loadFullKnowledge(knowledge);
    showCalls(simulation?.trace, network, format);
    const transaction = undefined;
    return createSimulationDocument({
      ...{ call, simulation, transaction, point: 'latest', network, format, uriOf },
    });
  }
  const { hash, simulate: point } = shown;
  const found = await reader.lookUp(hash, { signal, fresh: true });
  if (found.result.kind === 'block') {
    const block = await found.client.fetchBlock(hash, { signal }).catch(ignoreNotServed);
    if (block) return createBlockLines(block, { ...deps, ...found });
  }
  const loaded = await loadFullKnowledge(knowledge);
  const { format } = loaded;
  const { result, network } = found;
  if (!isTransaction(found)) {
    const otherResult = result as Exclude<HashResult, { kind: 'transaction' }>;
    return createOtherHashDocument({
      hash,
      network,
      answer: otherResult,
      known: findKnownHash(hash, loaded.lookup),
      meanings: explainHex(hash, { lookup: loaded.lookup }),
      wording: format,
    });
  }
  if (point) {
    const { transaction } = found.result;
    const simulation = await reader.simulate(found, { transaction, point, signal });
    showCalls(simulation?.trace, network, format);
    return createSimulationDocument({
      ...{ call: transaction, simulation, transaction, point, network, format, uriOf },
    });
  }
  const explained = await reader.explain(found, { signal, reads: true });
  const [places, units, trace] = await Promise.all([
    reader.revertPlaces(explained, network, { signal }),
    fetchUnits(explained, { ...found, contracts }, signal),
    reader.trace(found, { signal }),
  ]);
  const unitsOf = (token: string) => units.get(token);
  showCalls(trace, network, { ...format, unitsOf });
  return createTransactionDocument({
    ...found,
    explained,
    format,
    places,
    uriOf,
    unitsOf,
    trace,
  });
}

function ignoreNotServed(error: unknown): undefined {
  if (!isAppError(error, 'notServed')) throw error;
}

/** A slow provider of names must not delay a document longer. */
const SIGNATURES_TIMEOUT_MS = 4_000;

interface BlockContext extends Pick<RestoreDeps, 'clock' | 'knowledge' | 'meaning'> {
  readonly network: Network;
  readonly client: Connection['client'];
}

/** The document of a block, with names by the workspace and by what is known of verified contracts. */
export async function createBlockLines(
  block: Block,
  { network, client, knowledge, meaning, clock }: BlockContext,
): Promise<readonly TextLine[]> {
  const [{ format }, decoding] = await Promise.all([loadFullKnowledge(knowledge), meaning()]);
  const selectors = block.transactions.flatMap(({ call }) => (call && findSelector(call.input)) ?? []);
  const prefetching = decoding.prefetchSelectors(selectors, network, { mayAsk: false });
  await settleWithin(SIGNATURES_TIMEOUT_MS, prefetching);
  const origin = new URL(client.url).origin;
  const lookup = decoding.lookupOn(network);
  return createBlockDocument({ block, network, format, lookup, origin, readAt: clock.now() });
}

function isTransaction(
  found: FoundHash,
): found is FoundHash & { readonly result: Extract<HashResult, { kind: 'transaction' }> } {
  return found.result.kind === 'transaction';
}

/** Wait for token units once all else is loaded; without them amounts are shown as raw integers. */
const UNITS_TIMEOUT_MS = 2_000;

/** Symbols and decimals of the tokens of a transaction, as far as they arrive in time. */
async function fetchUnits(
  explained: ExplainedTransaction,
  { client, network, contracts }: FoundHash & Pick<RestoreDeps, 'contracts'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TokenUnits>> {
  const { to } = explained.transaction;
  const hasAmount = explained.call.some((meaning) => 'item' in meaning && hasCallAmount(meaning.item));
  const others = to && hasAmount ? [to] : [];
  const units = new Map<string, TokenUnits>();
  const place = { client, chainId: network.chainId, index: contracts.known };
  const fetching = fetchTransactionUnits(explained, place, { others, units, signal });
  await settleWithin(UNITS_TIMEOUT_MS, fetching);
  return units;
}

/**
 * The hash: the argument, or the input of the user, prefilled with the hash at the cursor; undefined if cancelled.
 *
 * @throws AppError `badInput` if the argument is no hash.
 */
export async function getTransactionHash(argument: unknown, networkName: string): Promise<Hex | undefined> {
  const { l10n } = vscode;
  if (typeof argument === 'string') {
    const hash = parseHash(argument);
    if (hash === undefined) throw badInput('hash', createMessage('{0}', foreign(formatNotAHash())));
    return hash;
  }
  const input = await showInputBox({
    title: l10n.t('Show Transaction'),
    prompt: l10n.t('Hash of a transaction on {0}', networkName),
    placeHolder: '0x…',
    value: findHashAtCursor() ?? '',
    // The user may switch to another window to copy the hash.
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' || parseHash(text) ? undefined : formatNotAHash()),
  });
  return input === undefined ? undefined : parseHash(input);
}

function formatNotAHash(): string {
  return vscode.l10n.t('Not a transaction hash: expected 0x and 64 hex digits.');
}

function parseHash(text: string): Hex | undefined {
  return parseHexData(text.trim(), HASH_BYTES);
}

function findHashAtCursor(): Hex | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  const line = document.lineAt(selection.active.line).text;
  const found = findHexAt(line, selection.active.character);
  if (!found || found.isCut) return undefined;
  const place = { path: document.uri.path, line, character: found.offset };
  return getHashContext(place) === 'secret' ? undefined : parseHash(found.hex);
}
