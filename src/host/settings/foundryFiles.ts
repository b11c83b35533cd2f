import * as vscode from 'vscode';
import { type FoundryEndpoint, parseFoundryEndpoints, untilAborted } from '../../core/index.ts';
import { buildOutput, dependencies, type FileInterest } from '../workspace/fileInterest.ts';
import { listFiles, readTextFile } from '../workspace/listFiles.ts';
import { FOUNDRY } from './settingTable.ts';

/** An endpoint of a `foundry.toml` of this workspace. */
export interface FoundEndpoint extends FoundryEndpoint {
  readonly id: string;
  readonly file: vscode.Uri;
}

const MOST_FILES = 20;
const foundryToml: FileInterest = {
  names: /^foundry\.toml$/,
  skippedFolders: new Set([...buildOutput, ...dependencies]),
};

interface WorkspaceEndpoints {
  readonly endpoints: readonly FoundEndpoint[];
  /** False where the signal aborted before all files were read. */
  readonly isWhole: boolean;
}

/**
 * The endpoints of the workspace's own `foundry.toml` files, the uppermost first; none before it is trusted. Once the
 * signal aborts, those that were read by then.
 */
export async function endpointsOfWorkspace(signal: AbortSignal): Promise<WorkspaceEndpoints> {
  const found = new Map<string, FoundEndpoint>();
  if (vscode.workspace.isTrusted) {
    // A slow file system is not waited for.
    await untilAborted(readEndpoints(found, signal), signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }
  return { endpoints: [...found.values()], isWhole: !signal.aborted };
}

async function readEndpoints(found: Map<string, FoundEndpoint>, signal: AbortSignal): Promise<void> {
  let files = 0;
  for await (const file of listFiles(foundryToml, { signal })) {
    for (const endpoint of endpointsIn(await readTextFile(file))) {
      const folder = vscode.workspace.asRelativePath(vscode.Uri.joinPath(file, '..'));
      const ids = [`${FOUNDRY}${endpoint.alias}`, `${FOUNDRY}${folder}/${endpoint.alias}`];
      const id = ids.find((each) => !found.has(each));
      if (id !== undefined) found.set(id, { ...endpoint, id, file });
    }
    if (++files === MOST_FILES) break;
  }
}

function endpointsIn(text: string): readonly FoundryEndpoint[] {
  try {
    return parseFoundryEndpoints(text);
  } catch {
    // What is wrong with the file is said where its project is read.
    return [];
  }
}
