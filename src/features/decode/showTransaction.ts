import * as vscode from 'vscode';
import {
  type Address,
  badInput,
  type ExplainedTransaction,
  explainHex,
  findKnownHash,
  formatShortAddress,
  type HashResult,
  type Hex,
  isAppError,
  parseHexData,
  type TokenUnits,
} from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { showError } from '../../host/errors.ts';
import { getHashContext } from '../../host/places/hashContext.ts';
import { findHexAt } from '../../host/places/hexInText.ts';
import { askOnNetwork, type ChainDeps } from '../../host/session/chains.ts';
import { settleWithin } from '../../host/timing.ts';
import { showInputBox, showMessage, withDelayedProgress } from '../../host/ui/dialogs.ts';
import type { ReadOnlyDocuments, TextLine } from '../../host/ui/readOnlyDocuments.ts';
import { hasCallAmount } from './formatMeaning.ts';
import { createOtherHashDocument, createTransactionDocument } from './formatTransaction.ts';
import { type KnowledgeReader, loadFullKnowledge } from './knowledge.ts';
import type { FoundHash, TransactionReader } from './transactionReader.ts';

interface ShowDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly knowledge: KnowledgeReader;
  readonly reader: TransactionReader;
  readonly pages: Pick<ReadOnlyDocuments, 'show'>;
  readonly log: vscode.LogOutputChannel;
}

/**
 * *Show Transaction…*: opens a document with what the active network returns for a hash.
 *
 * @throws AppError `badInput` if the argument is no hash.
 */
export async function showTransaction(argument: unknown, deps: ShowDeps): Promise<void> {
  const { session, log } = deps;
  const { network } = session;
  const hash = await askOnNetwork(deps, () => getTransactionHash(argument, network.name));
  if (hash === undefined) return;
  try {
    const title = vscode.l10n.t('Loading the transaction from {0}', network.name);
    const lines = await withDelayedProgress(title, ({ signal }) => createLines(hash, deps, signal));
    if (lines === 'cancelled') return;
    const tabTitle = vscode.l10n.t('Transaction {0}', formatShortAddress(hash));
    await deps.pages.show({ title: tabTitle, key: `${hash} ${network.id}`, lines });
  } catch (error) {
    if (isAppError(error, 'notServed')) {
      const message = vscode.l10n.t(
        'The endpoint of {0} cannot look up transactions. It supports neither the JSON-RPC methods nor the explorer REST API for them.',
        network.name,
      );
      void showMessage('information', message);
      return;
    }
    if (await showError(error, { service: 'source', network, log }, true)) await showTransaction(hash, deps);
  }
}

async function createLines(hash: Hex, deps: ShowDeps, signal: AbortSignal): Promise<readonly TextLine[]> {
  const { reader, knowledge, contracts } = deps;
  const found = await reader.lookUp(hash, { signal, fresh: true });
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
  const explained = await reader.explain(found, { signal, reads: true });
  const [places, units] = await Promise.all([
    reader.revertPlaces(explained, network, { signal }),
    fetchTokenUnits(explained, found.client, signal),
  ]);
  const uriOf = (file: string) => contracts.uriOf(file)?.toString();
  return createTransactionDocument({
    ...found,
    explained,
    format,
    places,
    uriOf,
    unitsOf: (token) => units.get(token),
  });
}

function isTransaction(
  found: FoundHash,
): found is FoundHash & { readonly result: Extract<HashResult, { kind: 'transaction' }> } {
  return found.result.kind === 'transaction';
}

/** Wait for token units once all else is loaded; without them amounts are shown as raw integers. */
const UNITS_TIMEOUT_MS = 2_000;

/** Tokens of one transaction whose units are read. */
const MAX_TOKENS = 20;

/** Symbols and decimals of the tokens of the fee and of transfers, in one request if the endpoint supports batches. */
async function fetchTokenUnits(
  { transaction: { fee, to }, call, movements }: ExplainedTransaction,
  client: FoundHash['client'],
  signal: AbortSignal,
): Promise<ReadonlyMap<Address, TokenUnits>> {
  const feeToken = fee?.token === 'unknown' ? undefined : fee?.token;
  const moved = movements.list.flatMap(({ token, standard }) => (token && standard === 'erc20' ? token : []));
  const called = to && call.some((meaning) => 'item' in meaning && hasCallAmount(meaning.item)) ? [to] : [];
  const tokens = new Set([...(feeToken ? [feeToken] : []), ...called, ...moved]);
  const units = new Map<Address, TokenUnits>();
  const reads = [...tokens].slice(0, MAX_TOKENS).map(async (token) => {
    const read = await client.fetchTokenUnits(token, { signal });
    if (read) units.set(token, read);
  });
  await settleWithin(UNITS_TIMEOUT_MS, Promise.allSettled(reads));
  return units;
}

const HASH_BYTES = 32;

/**
 * The hash: the argument, or the input of the user, prefilled with the hash at the cursor; undefined if cancelled.
 *
 * @throws AppError `badInput` if the argument is no hash.
 */
async function getTransactionHash(argument: unknown, networkName: string): Promise<Hex | undefined> {
  const { l10n } = vscode;
  if (typeof argument === 'string') {
    const hash = parseHash(argument);
    if (hash === undefined) throw badInput('hash', formatNotAHash());
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
