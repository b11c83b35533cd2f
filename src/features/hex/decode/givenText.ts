import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { badInput } from '../../../core/index.ts';
import { hexAt } from '../../../host/places/findHex.ts';
import { askForText } from '../../../host/surface/questions.ts';
import { hexItems } from './hexItems.ts';
import { logItems } from './logItems.ts';

/** What is to be decoded, and where it was taken from. */
export interface GivenText {
  readonly text: string;
  readonly from: 'given' | 'selection' | 'cursor' | 'clipboard' | 'typed';
  /** The number of its first line; undefined for several selections. */
  readonly firstLine?: number | undefined;
}

/** As a link of a hover names hex; the document is open, as it was hovered. */
const HoveredHex = z.object({
  file: z.string(),
  line: z.int().check(z.minimum(0)),
  character: z.int().check(z.minimum(0)),
});

/** The longest test output that is read: several times the most that is decoded of one hex. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** The text to decode; undefined when nothing was given in the end. The editor's menu hands over a URI, which is nothing. */
export async function givenText(argument: unknown): Promise<GivenText | undefined> {
  if (typeof argument === 'string')
    return { text: argument.slice(0, MOST_CHARACTERS), from: 'given', firstLine: 1 };
  const place = HoveredHex.safeParse(argument).data;
  if (place) return { text: hexAtPlace(place), from: 'given' };
  const editor = vscode.window.activeTextEditor;
  if (editor) {
    const selected = selectedText(editor);
    if (selected.trim() !== '') return { text: selected, from: 'selection', firstLine: lineOf(editor) };
    const { active } = editor.selection;
    const found = hexAt(editor.document.lineAt(active.line).text, active.character);
    if (found) return { text: found.hex, from: 'cursor' };
  }
  const copied = (await vscode.env.clipboard.readText()).slice(0, MOST_CHARACTERS);
  if (isDecodable(copied)) return { text: copied, from: 'clipboard', firstLine: 1 };
  const typed = await askForText({
    title: vscode.l10n.t('Decode'),
    prompt: vscode.l10n.t('Selector, topic0, calldata, revert data, or text that contains them'),
    placeHolder: '0x…',
    // People go and copy the hex elsewhere.
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || isDecodable(text)
        ? undefined
        : vscode.l10n.t('Not hex: expected 0x and at least 8 hex digits.'),
  });
  return typed === undefined || typed.trim() === '' ? undefined : { text: typed, from: 'typed' };
}

function lineOf({ selections: [first, ...others] }: vscode.TextEditor): number | undefined {
  return first && others.length === 0 ? first.start.line + 1 : undefined;
}

function selectedText({ document, selections }: vscode.TextEditor): string {
  let text = '';
  for (const selection of selections) {
    if (selection.isEmpty) continue;
    const start = document.offsetAt(selection.start);
    const most = document.positionAt(start + MOST_CHARACTERS - text.length);
    const end = selection.end.isAfter(most) ? most : selection.end;
    text += `${text === '' ? '' : '\n'}${document.getText(new vscode.Range(selection.start, end))}`;
  }
  return text;
}

function hexAtPlace({ file, line, character }: z.infer<typeof HoveredHex>): string {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file);
  const text = document && line < document.lineCount ? document.lineAt(line).text : '';
  const found = hexAt(text, character);
  if (!found) throw badInput('hex', vscode.l10n.t('The text has changed: no hex at this place.'));
  return found.hex;
}

function isDecodable(text: string): boolean {
  return hexItems(text).items.length > 0 || logItems(text) !== undefined;
}
