import * as vscode from 'vscode';
import { findEtherscanKey, listFoundryEtherscanKeys, listHardhatEtherscanKeys } from '../../core/index.ts';
import { listFiles, readTextFile } from '../workspace/listFiles.ts';
import { configFiles, MAX_CONFIG_FILES, readConfig, readVariables } from './projectEndpoints.ts';

/** The Etherscan key that a config file of this workspace names. */
export interface ProjectEtherscanKey {
  /** The path of the config file in the workspace. */
  readonly file: string;
  /** The variable that has the key; undefined if the file itself has it. */
  readonly variable: string | undefined;
  /** Never shown. */
  readonly key: string;
}

/** Finds the Etherscan key of the workspace, in top folders first; undefined in an untrusted workspace. */
export async function findProjectEtherscanKey(signal: AbortSignal): Promise<ProjectEtherscanKey | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  let files = 0;
  for await (const file of listFiles(configFiles, { signal })) {
    const references = file.path.endsWith('.toml')
      ? listFoundryEtherscanKeys(await readConfig(file))
      : listHardhatEtherscanKeys(await readTextFile(file));
    // Secrets that no config file names are not read.
    const found = references.length > 0 && findEtherscanKey(references, await readVariables(file));
    if (found) {
      const { reference, key } = found;
      const variable = 'variable' in reference ? reference.variable : undefined;
      return { file: vscode.workspace.asRelativePath(file), variable, key };
    }
    if (++files === MAX_CONFIG_FILES) break;
  }
  return undefined;
}
