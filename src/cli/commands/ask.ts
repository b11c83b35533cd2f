import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { badInput, type HttpDeps, runOperation } from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import { createOperationDeps, openOutFolder, readOwnVersion } from '../operationDeps.ts';
import { printLines, printMessage } from '../output.ts';

/**
 * Runs one operation and prints its answer as one line.
 *
 * @returns whether it could be answered at all.
 */
export async function printOperationResult(
  line: CommandLine,
  http: HttpDeps,
  { signal }: { readonly signal: AbortSignal },
): Promise<boolean> {
  const written =
    line.input === '-' ? await text(addAbortSignal(signal, process.stdin)) : (line.input ?? '{}');
  const files = line.outFolder === undefined ? undefined : await openOutFolder(line.outFolder);
  const deps = createOperationDeps({
    line,
    http,
    files,
    signal,
    version: await readOwnVersion(),
  });
  const answer = await runOperation({ name: line.subject ?? '', input: parseInput(written) }, deps, {
    signal,
  });
  await printLines([answer]);
  for (const reason of answer.reasons) printMessage(`- ${reason}`);
  return !('error' in answer);
}

function parseInput(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw badInput(
      'input',
      'What an operation takes is JSON, such as {"address":"Token","event":"Transfer"}.',
    );
  }
}
