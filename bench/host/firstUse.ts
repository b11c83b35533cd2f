import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, extensions, Position, type TextDocument, Uri, workspace } from 'vscode';
import { timed } from '../support/stats.ts';
import { watchLoading } from './loadWatch.ts';
import { type Surface, surfaces, type UseTimes } from './measures.ts';

const ROUNDS = 6;

/** What the extension gives to others, as far as it is used here. */
interface Api {
  latestBlock(): Promise<bigint>;
}

type Use = (round: number) => PromiseLike<unknown>;

/**
 * Uses every surface a few times, the first time before anything of it was loaded: in the order of `surfaces`, so that
 * what two of them share is in the time of the first.
 */
export async function measureFirstUse(): Promise<Readonly<Record<Surface, UseTimes>>> {
  const extension = extensions.getExtension<Api>('chainside.chainside');
  if (!extension) throw new Error('The extension is not there.');
  const api = extension.exports;
  const loadingUntilNow = watchLoading(extension.extensionPath);
  const documents = await openDocuments();
  const uses: Readonly<Record<Surface, Use>> = {
    command: (round) => commands.executeCommand('chainside.copyValue', `copy ${round}`),
    request: () => api.latestBlock(),
    lens: () => commands.executeCommand('vscode.executeCodeLensProvider', documents.source.uri),
    hover: (round) =>
      commands.executeCommand('vscode.executeHoverProvider', documents.text.uri, new Position(round, 5)),
    tree: (round) => commands.executeCommand('chainside.lookUpAddress', addressOf(round)),
    logs: (round) => commands.executeCommand('chainside.queryLogs', { address: addressOf(round) }),
    nfts: (round) => commands.executeCommand('chainside.showNftContract', addressOf(round)),
  };
  const times: Partial<Record<Surface, UseTimes>> = {};
  for (const surface of surfaces) {
    const before = loadingUntilNow();
    const [first = 0, ...later] = await rounds(uses[surface]);
    times[surface] = { first, later, loading: loadingUntilNow() - before };
  }
  await commands.executeCommand('workbench.action.closeAllEditors');
  await documents.close();
  return times as Record<Surface, UseTimes>;
}

async function rounds(use: Use): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(async () => use(round)));
  return times;
}

interface Documents {
  readonly source: TextDocument;
  readonly text: TextDocument;
  close(): Promise<void>;
}

async function openDocuments(): Promise<Documents> {
  const folder = workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('A folder must be open.');
  const file = join(folder.uri.fsPath, 'FirstUse.sol');
  const events = Array.from({ length: 20 }, (_, at) => `  event E${at}(address indexed a, uint256 b);`);
  await writeFile(file, `contract C {\n${events.join('\n')}\n}\n`);
  const content = Array.from({ length: ROUNDS }, (_, round) => addressOf(round)).join('\n');
  return {
    source: await workspace.openTextDocument(Uri.file(file)),
    text: await workspace.openTextDocument({ content }),
    close: () => rm(file),
  };
}

function addressOf(round: number): string {
  return `0x${(round + 1).toString(16).padStart(40, 'c')}`;
}
