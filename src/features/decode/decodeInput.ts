import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { badInput } from '../../core/index.ts';
import { findHexAt } from '../../host/places/hexInText.ts';
import { pickOne, showInputBox } from '../../host/ui/dialogs.ts';
import { findHexItems, findLogItems } from './findItems.ts';

export interface DecodeInput {
  readonly text: string;
  readonly origin: 'given' | 'selection' | 'cursor' | 'terminal' | 'clipboard' | 'typed';
  /** Number of the first line; undefined for several selections. */
  readonly firstLine?: number | undefined;
}

const MAX_STORED_CHARS = 32 * 1024;

/** What a document is restored from after a reload; undefined for an input that is too long to be stored. */
export function formatInputKey({ text }: DecodeInput): string | undefined {
  return text.length > MAX_STORED_CHARS ? undefined : text;
}

/** The key may come from anywhere. */
export function parseInputKey(key: string): DecodeInput {
  return { text: key.slice(0, MAX_STORED_CHARS), origin: 'given' };
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
export async function getDecodeInput(argument: unknown): Promise<DecodeInput | undefined> {
  if (typeof argument === 'string')
    return { text: argument.slice(0, MAX_INPUT_CHARS), origin: 'given', firstLine: 1 };
  const place = HoveredHexSchema.safeParse(argument).data;
  if (place) return { text: findHexAtLocation(place), origin: 'given' };
  const inEditor = getEditorInput();
  if (inEditor) return inEditor;
  const copied = (await vscode.env.clipboard.readText()).slice(0, MAX_INPUT_CHARS);
  if (isDecodable(copied)) return { text: copied, origin: 'clipboard', firstLine: 1 };
  return askForInput();
}

/** The selection of the active editor, or the hex at its cursor. */
function getEditorInput(): DecodeInput | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const selected = getSelectedText(editor);
  if (selected.trim() !== '') {
    return { text: selected, origin: 'selection', firstLine: getStartLine(editor) };
  }
  const { active } = editor.selection;
  const found = findHexAt(editor.document.lineAt(active.line).text, active.character);
  return found && { text: found.hex, origin: 'cursor' };
}

/**
 * The text that is selected in the active terminal. The menu of a terminal passes the terminal; the command palette
 * passes nothing, and the user chooses if the editor has hex as well.
 */
export async function getTerminalInput(terminal: unknown): Promise<DecodeInput | undefined> {
  const text = (await readTerminalSelection()).slice(0, MAX_INPUT_CHARS);
  if (text.trim() === '') return askForInput();
  const inTerminal: DecodeInput = { text, origin: 'terminal', firstLine: 1 };
  const inEditor = terminal === undefined ? getEditorInput() : undefined;
  if (!inEditor || !isDecodable(inEditor.text)) return inTerminal;
  const { l10n } = vscode;
  const choices = [
    { label: l10n.t('Terminal'), description: text, input: inTerminal },
    { label: l10n.t('Editor'), description: inEditor.text, input: inEditor },
  ];
  const picked = await pickOne(choices, {
    title: l10n.t('Decode'),
    placeHolder: l10n.t('The terminal and the editor both have hex. Select what to decode.'),
  });
  return picked?.input;
}

/** The stable API has no access to it, but a command that copies it. The text of the clipboard is restored. */
async function readTerminalSelection(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  await clipboard.writeText('');
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}

async function askForInput(): Promise<DecodeInput | undefined> {
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
  if (!found) throw badInput('hex', 'The text has changed. There is no hex at this position.');
  return found.hex;
}

function isDecodable(text: string): boolean {
  return findHexItems(text).items.length > 0 || findLogItems(text) !== undefined;
}
