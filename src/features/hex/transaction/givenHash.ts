import * as vscode from 'vscode';
import { badInput, type Hex, parseHexData } from '../../../core/index.ts';
import { hexAt } from '../../../host/places/findHex.ts';
import { askForText } from '../../../host/surface/questions.ts';
import { hashContext } from './hashContext.ts';

const HASH_BYTES = 32;

/**
 * The hash that is meant: the argument, else what the cursor is on, else what is typed; undefined when nothing was given in
 * the end.
 *
 * @throws AppError `badInput` for an argument that is no hash.
 */
export async function givenHash(argument: unknown, networkName: string): Promise<Hex | undefined> {
  const { l10n } = vscode;
  if (typeof argument === 'string') {
    const hash = hashIn(argument);
    if (hash === undefined) throw badInput('hash', notHash());
    return hash;
  }
  const typed = await askForText({
    title: l10n.t('Show Transaction'),
    prompt: l10n.t('Hash of a transaction on {0}', networkName),
    placeHolder: '0x…',
    value: hashAtCursor() ?? '',
    // People go and copy the hash elsewhere.
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' || hashIn(text) ? undefined : notHash()),
  });
  return typed === undefined ? undefined : hashIn(typed);
}

function notHash(): string {
  return vscode.l10n.t('Not a transaction hash: expected 0x and 64 hex digits.');
}

function hashIn(text: string): Hex | undefined {
  return parseHexData(text.trim(), HASH_BYTES);
}

function hashAtCursor(): Hex | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  const { line, character } = selection.active;
  const found = hexAt(document.lineAt(line).text, character);
  if (!found || found.isCut) return undefined;
  const position = new vscode.Position(line, found.offset);
  return hashContext({ document, position }) === 'secret' ? undefined : hashIn(found.hex);
}
