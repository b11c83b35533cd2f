import type { ChainClient } from '../core/index.ts';
import type { Checked } from './check/checked.ts';
import { checkFiles } from './check/checkFiles.ts';
import type { CommandLine } from './line/commandLine.ts';
import { knownByFolder } from './line/knownFolder.ts';
import { errorToJson, printLines, say } from './line/output.ts';

/**
 * Asks the questions of files, and prints one line for each.
 *
 * @returns whether all answers are complete, and as their files expect.
 */
export async function printChecks(
  client: ChainClient,
  { files, chainId, knownBy: folder, update }: CommandLine,
  options: { readonly signal: AbortSignal },
): Promise<boolean> {
  const known = (from: string) => knownByFolder(from, options);
  let isAll = true;
  for await (const checked of checkFiles(client, { files, chainId, folder, update, known, ...options })) {
    isAll &&= checked.state === 'ok';
    await print(checked);
  }
  return isAll;
}

async function print({ error, ...checked }: Checked): Promise<void> {
  await printLines([{ ...checked, ...(error && { error: errorToJson(error) }) }]);
  const { file, title, state, reasons, count, updated } = checked;
  const rows = count === null ? '' : `, ${count} logs`;
  say(`${file}: ${title}: ${state}${rows}${updated ? ', now expected' : ''}`);
  for (const reason of reasons) say(`- ${reason}`);
}
