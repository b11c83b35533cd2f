import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { badInput, type Clock, createLogDecoder, createTimeSlices } from '../../core/index.ts';
import { registerCommand } from '../../host/commands.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import { type FoundHex, findHexAt } from '../../host/places/hexInText.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { showInputBox, showMessage } from '../../host/ui/dialogs.ts';
import type { MarkdownLines } from '../../host/ui/markdown.ts';
import { openReadOnlyDocument, type ReadOnlyDocument } from '../../host/ui/virtualDocuments.ts';
import { createHexDocument, createLogsDocument, type DecodingContext } from './decodedDocument.ts';
import { findHexItems, findLogItems } from './findItems.ts';
import { createHexHover, type HoveredPlace } from './hexHover.ts';
import {
  createKnowledgeReader,
  type DecodingKnowledge,
  type KnowledgeReader,
  loadFullKnowledge,
} from './knowledge.ts';
import { showTransaction } from './showTransaction.ts';
import { createTransactionHover } from './transactionHover.ts';
import { createTransactionReader } from './transactionReader.ts';

export interface DecodeFeatureDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly contracts: WorkspaceContracts;
  /** Loaded with the first transaction. */
  readonly meaning: () => Promise<LogDecoding>;
  /** Loaded on first use. */
  readonly names: () => Promise<AddressNames>;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

interface DecodeFeature extends vscode.Disposable {
  /** Undefined if nothing matches the hex. */
  createHoverLines(
    found: FoundHex,
    place: HoveredPlace,
    options: { readonly signal: AbortSignal },
  ): Promise<MarkdownLines | undefined>;
}

/** The whole feature but its registrations in the editor; registers the commands. */
export function openDecode(deps: DecodeFeatureDeps): DecodeFeature {
  const disposables = new Disposables();
  const page = disposables.add(openReadOnlyDocument('chainside-decoded', 'Decoded'));
  const transactionPage = disposables.add(openReadOnlyDocument('chainside-transaction', 'Transaction'));
  const knowledge = createKnowledgeReader(deps);
  const reader = createTransactionReader(deps);
  disposables.add(
    registerCommand('chainside.decode', (given) => runDecode(given, { ...deps, knowledge, page })),
  );
  disposables.add(
    registerCommand('chainside.showTransaction', (given) =>
      showTransaction(given, { ...deps, knowledge, reader, page: transactionPage }),
    ),
  );
  return {
    createHoverLines: async (found, place, options) =>
      (await createHexHover(found, { knowledge, place })) ??
      createTransactionHover(found, { ...deps, knowledge, reader, place, ...options }),
    dispose: () => disposables.dispose(),
  };
}

interface DecodeDeps {
  readonly session: Session;
  readonly contracts: WorkspaceContracts;
  readonly clock: Clock;
  readonly knowledge: KnowledgeReader;
  readonly page: Pick<ReadOnlyDocument, 'show'>;
}

/**
 * *Decode…*: opens a document for the argument, the selection, the hex at the cursor, the clipboard, or the user's
 * input.
 *
 * @throws AppError `badInput` if the argument contains no hex.
 */
async function runDecode(argument: unknown, deps: DecodeDeps): Promise<void> {
  const input = await getDecodeInput(argument);
  if (!input) return;
  const logs = findLogItems(input.text);
  const hexes = logs ? undefined : findHexItems(input.text, input.firstLine);
  if (hexes && hexes.items.length === 0) {
    if (argument !== undefined) throw badInput('hex', vscode.l10n.t('No hex found in the argument.'));
    void showMessage('information', vscode.l10n.t('No hex found in the selection.'));
    return;
  }
  const knowledge = await loadFullKnowledge(deps.knowledge);
  const { session, clock, page, contracts } = deps;
  const { lookup, format, isWhole } = knowledge;
  const decoding: DecodingContext = {
    lookup,
    format,
    slices: createTimeSlices(clock),
    decoder: createLogDecoder({ lookup, chainId: session.network.chainId }),
    intro: createIntro(input, knowledge),
    help: formatHelp(contracts, isWhole),
  };
  const lines = logs
    ? await createLogsDocument(logs, decoding)
    : await createHexDocument(hexes ?? { items: [], left: 0 }, decoding);
  await page.show(lines);
}

function createIntro({ origin }: DecodeInput, { isWhole }: DecodingKnowledge): readonly string[] {
  const { l10n } = vscode;
  const texts = {
    given: l10n.t('Decoded'),
    selection: l10n.t('Decoded from the selection'),
    cursor: l10n.t('Decoded at the cursor'),
    clipboard: l10n.t('Decoded from the clipboard'),
    typed: l10n.t('Decoded from your input'),
  };
  const unread = l10n.t('The contracts of the workspace are still loading. Results may be incomplete.');
  return [texts[origin], ...(isWhole ? [] : [unread])];
}

/** What to do if nothing matches. */
function formatHelp({ known: knowledge }: WorkspaceContracts, isWhole: boolean): string | undefined {
  const { l10n } = vscode;
  if (!vscode.workspace.isTrusted) {
    return l10n.t('Only bundled lists are searched. Trust the workspace to use its contracts.');
  }
  if ((vscode.workspace.workspaceFolders?.length ?? 0) === 0) {
    return l10n.t('Open the folder that contains the source or the build output of the contract.');
  }
  if (!isWhole) return l10n.t('Decode again after the workspace has loaded.');
  const contracts = knowledge?.contracts.length ?? 0;
  if (contracts === 0) {
    return l10n.t('No contracts found in the workspace. Build the project or add an ABI file.');
  }
  return contracts === 1
    ? l10n.t('Not found in the 1 contract of the workspace. Build the project or add an ABI file.')
    : l10n.t(
        'Not found in the {0} contracts of the workspace. Build the project or add an ABI file.',
        contracts,
      );
}

interface DecodeInput {
  readonly text: string;
  readonly origin: 'given' | 'selection' | 'cursor' | 'clipboard' | 'typed';
  /** Number of the first line; undefined for several selections. */
  readonly firstLine?: number | undefined;
}

/** The place of hex as a hover link encodes it; its document is open. */
const HoveredHexSchema = z.object({
  file: z.string(),
  line: z.int().check(z.minimum(0)),
  character: z.int().check(z.minimum(0)),
});

/** A test output can be several times as long as the longest decodable hex. */
const MAX_INPUT_CHARS = 8 * 1024 * 1024;

/** The text to decode; undefined if cancelled. The editor's menu passes a URI, which is ignored. */
async function getDecodeInput(argument: unknown): Promise<DecodeInput | undefined> {
  if (typeof argument === 'string')
    return { text: argument.slice(0, MAX_INPUT_CHARS), origin: 'given', firstLine: 1 };
  const place = HoveredHexSchema.safeParse(argument).data;
  if (place) return { text: findHexAtLocation(place), origin: 'given' };
  const editor = vscode.window.activeTextEditor;
  if (editor) {
    const selected = getSelectedText(editor);
    if (selected.trim() !== '')
      return { text: selected, origin: 'selection', firstLine: getStartLine(editor) };
    const { active } = editor.selection;
    const found = findHexAt(editor.document.lineAt(active.line).text, active.character);
    if (found) return { text: found.hex, origin: 'cursor' };
  }
  const copied = (await vscode.env.clipboard.readText()).slice(0, MAX_INPUT_CHARS);
  if (isDecodable(copied)) return { text: copied, origin: 'clipboard', firstLine: 1 };
  const typed = await showInputBox({
    title: vscode.l10n.t('Decode'),
    prompt: vscode.l10n.t('Selector, topic0, calldata, revert data, or text that contains them'),
    placeHolder: '0x…',
    // The user may switch to another window to copy the hex.
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || isDecodable(text)
        ? undefined
        : vscode.l10n.t('Not hex: expected 0x and at least 8 hex digits.'),
  });
  return typed === undefined || typed.trim() === '' ? undefined : { text: typed, origin: 'typed' };
}

function getStartLine({ selections: [first, ...others] }: vscode.TextEditor): number | undefined {
  return first && others.length === 0 ? first.start.line + 1 : undefined;
}

function getSelectedText({ document, selections }: vscode.TextEditor): string {
  let text = '';
  for (const selection of selections) {
    if (selection.isEmpty) continue;
    const start = document.offsetAt(selection.start);
    const most = document.positionAt(start + MAX_INPUT_CHARS - text.length);
    const end = selection.end.isAfter(most) ? most : selection.end;
    text += `${text === '' ? '' : '\n'}${document.getText(new vscode.Range(selection.start, end))}`;
  }
  return text;
}

function findHexAtLocation({ file, line, character }: z.infer<typeof HoveredHexSchema>): string {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file);
  const text = document && line < document.lineCount ? document.lineAt(line).text : '';
  const found = findHexAt(text, character);
  if (!found) throw badInput('hex', vscode.l10n.t('The text has changed. There is no hex at this position.'));
  return found.hex;
}

function isDecodable(text: string): boolean {
  return findHexItems(text).items.length > 0 || findLogItems(text) !== undefined;
}
