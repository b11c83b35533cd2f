import * as vscode from 'vscode';
import type { Address } from '../../core/index.ts';
import { findAddresses } from './findAddresses.ts';

/** Where in the workspace an address stands first. */
export interface Occurrence {
  readonly address: Address;
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
}

export interface WorkspaceAddresses {
  readonly occurrences: readonly Occurrence[];
  /** Whether a limit ended the search before its end. */
  readonly cut: boolean;
}

export const MOST_ADDRESSES = 500;
const MOST_FILES = 2_000;
const LARGEST_FILE = 1024 * 1024;

const code =
  'sol,vy,yul,huff,cairo,move,rs,go,py,rb,java,kt,cs,swift,js,jsx,mjs,cjs,ts,tsx,mts,cts,vue,svelte';
const data = 'json,jsonc,json5,toml,yaml,yml,csv,md,mdx,txt,sh,graphql,html,env';
const searched = `**/{*.{${code},${data}},.env*}`;
const left =
  '**/{node_modules,.git,.hg,.svn,.yarn,dist,out,build,cache,coverage,artifacts,typechain-types}/**';

/** The addresses in open editors, then in the files of the workspace, each once. Bounded in files, size and count. */
export async function findWorkspaceAddresses(signal: AbortSignal): Promise<WorkspaceAddresses> {
  const found = new Map<Address, Occurrence>();
  const opened = new Set<string>();
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme === 'output' || document.isClosed) continue;
    opened.add(document.uri.toString());
    collect(document.getText(), document.uri, found);
  }
  const files = await findFiles(signal);
  for (const uri of files) {
    if (signal.aborted || found.size >= MOST_ADDRESSES) break;
    if (!opened.has(uri.toString())) collect(await readText(uri), uri, found);
  }
  return {
    occurrences: [...found.values()],
    cut: found.size >= MOST_ADDRESSES || files.length >= MOST_FILES,
  };
}

async function findFiles(signal: AbortSignal): Promise<readonly vscode.Uri[]> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await vscode.workspace.findFiles(searched, left, MOST_FILES, source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** The text of a file; empty where it is too large, or gone meanwhile. */
async function readText(uri: vscode.Uri): Promise<string> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > LARGEST_FILE ? '' : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return '';
  }
}

function collect(text: string, uri: vscode.Uri, found: Map<Address, Occurrence>): void {
  let line = 0;
  let counted = 0;
  for (const { address, offset } of findAddresses(text)) {
    if (found.size >= MOST_ADDRESSES) return;
    for (; counted < offset; counted++) if (text.charCodeAt(counted) === 10) line++;
    if (!found.has(address)) found.set(address, { address, uri, line });
  }
}
