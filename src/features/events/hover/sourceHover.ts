import * as vscode from 'vscode';
import type { AbiItemText, SourceContract, SourceItem } from '../../../core/index.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import { declarationAt, type SourceReader, useAt } from '../../../host/sources/declarations.ts';
import type { HoverWords } from '../../../host/surface/hovers.ts';
import { inOrder } from '../deployments/deploymentWords.ts';
import type { WhereDeployed } from '../deployments/whereDeployed.ts';
import { itemLines } from './itemLines.ts';

interface HoverOptions extends ChainDeps {
  readonly path: string;
  readonly reader: SourceReader;
  /** Undefined until the workspace has been read. */
  readonly where: WhereDeployed | undefined;
}

interface Place {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

/** Of overloaded events as many as fit into a hover. */
const MOST_ITEMS = 3;

/** What is said of the event or error that is declared, emitted or reverted with at a place. */
export async function sourceHover(
  { document, position }: Place,
  options: HoverOptions,
): Promise<HoverWords | undefined> {
  const { path, reader, where } = options;
  const found = await itemAt({ document, position }, path, reader);
  if (!found) return undefined;
  const texts = found.texts.slice(0, MOST_ITEMS);
  const lines = [];
  for (const text of texts) {
    const deployments = (await where?.item(text, found.contract)) ?? [];
    lines.push(...itemLines(text, inOrder(deployments, options), options));
  }
  if (lines.length === 0) return undefined;
  const range = new vscode.Range(document.positionAt(found.offset), document.positionAt(found.end));
  return { lines, range };
}

interface FoundItem {
  readonly texts: readonly AbiItemText[];
  readonly contract: SourceContract | undefined;
  readonly offset: number;
  readonly end: number;
}

async function itemAt(
  { document, position }: Place,
  path: string,
  reader: SourceReader,
): Promise<FoundItem | undefined> {
  const offset = document.offsetAt(position);
  const used = await useAt(path, offset, reader);
  if (used) {
    const { texts, use, contract } = used;
    return { texts, contract, offset: use.offset, end: use.end };
  }
  const range = document.getWordRangeAtPosition(position, /[A-Za-z_$][\w$]*/);
  if (!range) return undefined;
  const name = document.getText(range);
  const isName = (item: SourceItem) =>
    item.name === name && isNameOf(document, item, document.offsetAt(range.start));
  const declared = await declarationAt(path, { offset, isName }, reader);
  if (declared?.text === undefined) return undefined;
  return {
    ...{ texts: [declared.text], contract: declared.contract },
    ...{ offset: document.offsetAt(range.start), end: document.offsetAt(range.end) },
  };
}

/** Whether the word at `offset` is the name in a declaration, and none of its parameters, types or comments. */
function isNameOf(document: vscode.TextDocument, item: SourceItem, offset: number): boolean {
  const from = document.positionAt(item.offset);
  const before = document.getText(new vscode.Range(from, document.positionAt(offset)));
  return before.length <= LONGEST_START && /^(?:event|error)\s+$/.test(before);
}

/** Characters of `event` and the space behind it. */
const LONGEST_START = 200;
