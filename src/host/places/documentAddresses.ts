import type * as vscode from 'vscode';
import { documentStart } from '../workspace/documentText.ts';
import { perVersion } from '../workspace/perVersion.ts';
import { addressAt, type FoundAddress, findAddresses } from './findAddresses.ts';
import { findHexes } from './findHex.ts';

/** Characters of a document that are searched for a first address. */
const SEARCHED = 1024 * 1024;

/** The address in which, or at the edge of which, `position` lies; its offset is in the line. Parsed once for all who ask. */
export function addressInDocument(
  document: vscode.TextDocument,
  position: vscode.Position,
): FoundAddress | undefined {
  const last = lastLook(document);
  if (last.position?.isEqual(position) !== true) {
    last.found = addressAt(document.lineAt(position.line).text, position.character);
    last.position = position;
  }
  return last.found;
}

/** Whether an address stands in the document, in its first MiB of text. */
export const hasAddress = perVersion(
  (document: vscode.TextDocument) => findAddresses(documentStart(document, SEARCHED)).next().done !== true,
);

/** Whether hex that is no address stands in the document, in its first MiB of text. */
export const hasHex = perVersion(
  (document: vscode.TextDocument) => findHexes(documentStart(document, SEARCHED)).next().done !== true,
);

interface Look {
  position?: vscode.Position;
  found?: FoundAddress | undefined;
}

const lastLook = perVersion((_document: vscode.TextDocument): Look => ({}));
