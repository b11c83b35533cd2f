import * as vscode from 'vscode';
import { cachePerVersion } from '../timing.ts';
import { type FoundAddress, findAddressAt, findAddresses, findAllHex } from './hexInText.ts';

/** Characters of a document that are searched for a first address. */
const MAX_SEARCHED_CHARS = 1024 * 1024;

/** The address in which, or at the edge of which, `position` lies; its offset is in the line. Parsed once for all who ask. */
export function findDocumentAddress(
  document: vscode.TextDocument,
  position: vscode.Position,
): FoundAddress | undefined {
  const last = lastSearch(document);
  if (last.position?.isEqual(position) !== true) {
    last.found = findAddressAt(document.lineAt(position.line).text, position.character);
    last.position = position;
  }
  return last.found;
}

/** Whether an address stands in the document, in its first MiB of text. */
export const hasAddress = cachePerVersion(
  (document: vscode.TextDocument) =>
    findAddresses(getDocumentStart(document, MAX_SEARCHED_CHARS)).next().done !== true,
);

/** Whether hex that is no address stands in the document, in its first MiB of text. */
export const hasHex = cachePerVersion(
  (document: vscode.TextDocument) =>
    findAllHex(getDocumentStart(document, MAX_SEARCHED_CHARS)).next().done !== true,
);

interface LastSearch {
  position?: vscode.Position;
  found?: FoundAddress | undefined;
}

const lastSearch = cachePerVersion((_document: vscode.TextDocument): LastSearch => ({}));

type Document = Pick<vscode.TextDocument, 'languageId' | 'uri'>;

/** Whether a document is Solidity, also where no extension knows the language. */
export function isSolidity({ languageId, uri }: Document): boolean {
  return languageId === 'solidity' || uri.path.endsWith('.sol');
}

/** Whether a document is Solidity or Vyper. */
export function isContractSource(document: Document): boolean {
  const { languageId, uri } = document;
  return isSolidity(document) || languageId === 'vyper' || /\.vyi?$/.test(uri.path);
}

/** How many characters a document has, without putting its text together: the editor keeps it in lines. */
export function getDocumentLength(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}

/** The text of a document up to `most` characters. */
export function getDocumentStart(document: vscode.TextDocument, most: number): string {
  return document.getText(new vscode.Range(new vscode.Position(0, 0), document.positionAt(most)));
}
