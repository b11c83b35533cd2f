import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { badInput, type HttpDeps, runOperation } from '../../core/index.ts';
import type { CommandLine } from '../line/commandLine.ts';
import { printLines, say } from '../line/output.ts';
import { createOperationDeps } from './operationDeps.ts';
import { openOutFolder } from './outFolder.ts';
import { ownVersion } from './ownVersion.ts';

/**
 * Runs one operation and prints its answer as one line.
 *
 * @returns whether it could be answered at all.
 */
export async function printAnswer(
  line: CommandLine,
  http: HttpDeps,
  { signal }: { readonly signal: AbortSignal },
): Promise<boolean> {
  const written =
    line.input === '-' ? await text(addAbortSignal(signal, process.stdin)) : (line.input ?? '{}');
  const files = line.outFolder === undefined ? undefined : await openOutFolder(line.outFolder);
  const deps = createOperationDeps({ ...{ line, http, files, signal }, version: await ownVersion() });
  const answer = await runOperation({ name: line.subject ?? '', input: inputIn(written) }, deps, { signal });
  await printLines([answer]);
  for (const reason of answer.reasons) say(`- ${reason}`);
  return !('error' in answer);
}

function inputIn(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw badInput(
      'input',
      'What an operation takes is JSON, such as {"address":"Token","event":"Transfer"}.',
    );
  }
}
