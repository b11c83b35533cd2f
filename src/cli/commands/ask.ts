import { badInput, type ErrorKind, isRecord, runOperation } from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, getErrorExitCode } from '../exitCode.ts';
import { createOperationDeps, openOutFolder } from '../operationDeps.ts';
import { readStandardInput } from '../standardInput.ts';

/**
 * Runs one operation and prints its result as one line.
 *
 * @returns 0 if it has a result; else as its error.
 */
export async function printOperationResult(line: CommandLine, context: CliContext): Promise<ExitCode> {
  const { output, signal } = context;
  const json = line.input === '-' ? await readStandardInput(context) : (line.input ?? '{}');
  const files = line.outFolder === undefined ? undefined : await openOutFolder(line.outFolder);
  const deps = createOperationDeps(line, context, files);
  const result = await runOperation({ name: line.subject ?? '', input: parseInput(json) }, deps, {
    signal,
  });
  await output.printLines([result]);
  for (const reason of result.reasons) output.printMessage(`- ${reason}`);
  const { error } = result;
  return isRecord(error) ? getErrorExitCode({ kind: error.kind as ErrorKind }) : 0;
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw badInput(
      'input',
      'The input is not JSON. Enter an object such as {"address":"Token","event":"Transfer"}.',
    );
  }
}
