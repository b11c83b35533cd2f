import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { languages, type TextDocument, Uri, workspace } from 'vscode';

const folder = mkdtempSync(join(tmpdir(), 'chainside-texts-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

let files = 0;

/**
 * Opens a text as a file of its own, without a tab. An unsaved text would get a tab most of a second later, in whatever
 * test runs then, and its name would go to the next one.
 */
export async function openText(content: string, language = 'plaintext'): Promise<TextDocument> {
  const file = join(folder, `text-${++files}.txt`);
  await writeFile(file, content);
  const document = await workspace.openTextDocument(Uri.file(file));
  return document.languageId === language ? document : languages.setTextDocumentLanguage(document, language);
}
