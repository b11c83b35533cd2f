import { badInput, type HttpDeps, runOperation } from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import { createOperationDeps, openOutFolder, readOwnVersion } from '../operationDeps.ts';
import { printLines, printMessage } from '../output.ts';
import { readStandardInput } from '../standardInput.ts';

/**
 * Runs one operation and prints its result as one line.
 *
 * @returns whether there is no error.
 */
export async function printOperationResult(
  line: CommandLine,
  http: HttpDeps,
  { signal }: { readonly signal: AbortSignal },
): Promise<boolean> {
  const json = line.input === '-' ? await readStandardInput({ signal }) : (line.input ?? '{}');
  const files = line.outFolder === undefined ? undefined : await openOutFolder(line.outFolder);
  const deps = createOperationDeps({
    line,
    http,
    files,
    signal,
    version: await readOwnVersion(),
  });
  const result = await runOperation({ name: line.subject ?? '', input: parseInput(json) }, deps, {
    signal,
  });
  await printLines([result]);
  for (const reason of result.reasons) printMessage(`- ${reason}`);
  return !('error' in result);
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw badInput(
      'input',
      'The input is not JSON. Write an object such as {"address":"Token","event":"Transfer"}.',
    );
  }
}
