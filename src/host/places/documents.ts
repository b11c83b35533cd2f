import * as vscode from 'vscode';
import { cachePerVersion } from '../timing.ts';
import { type FoundAddress, findAddressAt, findAddresses, findAllHex } from './hexInText.ts';

/** Only this much of a document is searched for its first address or hex. */
const MAX_SEARCHED_CHARS = 1024 * 1024;

/**
 * The address that contains or touches `position`; its offset is in the line. Hover, commands and hints share one
 * parse.
 */
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

interface LastSearch {
  position?: vscode.Position;
  found?: FoundAddress | undefined;
}

const lastSearch = cachePerVersion((_document: vscode.TextDocument): LastSearch => ({}));

/** Whether the first MiB of the document contains an address. */
export const hasAddress = cachePerVersion(
  (document: vscode.TextDocument) =>
    findAddresses(getDocumentStart(document, MAX_SEARCHED_CHARS)).next().done !== true,
);

/** Whether the first MiB of the document contains hex other than addresses. */
export const hasHex = cachePerVersion(
  (document: vscode.TextDocument) =>
    findAllHex(getDocumentStart(document, MAX_SEARCHED_CHARS)).next().done !== true,
);

type Document = Pick<vscode.TextDocument, 'languageId' | 'uri'>;

/** Whether a document is Solidity, also where no extension registers the language. */
export function isSolidity({ languageId, uri }: Document): boolean {
  return languageId === 'solidity' || uri.path.endsWith('.sol');
}

export function isContractSource(document: Document): boolean {
  const { languageId, uri } = document;
  return isSolidity(document) || languageId === 'vyper' || /\.vyi?$/.test(uri.path);
}

/** Whether a document is code of contracts, or may be of their tests, scripts and clients. */
export function isContractCode(document: Document): boolean {
  return isContractSource(document) || /^(?:java|type)script(?:react)?$/.test(document.languageId);
}

/**
 * The number of characters in a document. `getText()` would join all lines first, since the editor stores lines.
 */
export function getDocumentLength(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}

/** The first `maxChars` characters of a document. */
export function getDocumentStart(document: vscode.TextDocument, maxChars: number): string {
  return document.getText(new vscode.Range(new vscode.Position(0, 0), document.positionAt(maxChars)));
}
