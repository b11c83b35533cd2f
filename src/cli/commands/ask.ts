import { badInput, type ErrorKind, isRecord, type OperationResult, runOperation } from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, getErrorExitCode } from '../exitCode.ts';
import { createOperationDeps, openOutFolder } from '../operationDeps.ts';
import { readStandardInput } from '../standardInput.ts';

/**
 * Runs one operation and prints its result as one line.
 *
 * @returns what the command returns that answers the same: `transaction`, `identify` and `balance`, `state`, `read`, `code`.
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
  if (isRecord(error)) return getErrorExitCode({ kind: error.kind as ErrorKind });
  return getFindingExitCode(line.subject ?? '', result);
}

function getFindingExitCode(operation: string, found: OperationResult): ExitCode {
  switch (operation) {
    case 'get_transaction':
      return found.kind === 'unknown' ? 1 : 0;
    case 'get_address':
      return isKnown(found.native) && isKnown(found.onChain) ? 0 : 3;
    case 'get_state':
    case 'read_contract':
      return found.isBlockCertain === false ? 3 : 0;
    case 'compare_code':
      if (found.isOutdated === true) return 1;
      if (found.match === 'unknown' || found.isBlockCertain === false) return 3;
      return found.same === true ? 0 : 1;
    default:
      return 0;
  }
}

/** Whether a part of an address is known, zero among it. */
function isKnown(part: unknown): boolean {
  return isRecord(part) && (part.state === 'known' || part.state === 'zero');
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
