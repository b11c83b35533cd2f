import { badInput, formatMessage, readResultToJson, readState } from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exitCode.ts';
import { createOperationDeps } from '../operationDeps.ts';

/**
 * Prints what a view function returns as one line; with `--compare`, in two blocks.
 *
 * @returns 3 if it may not be of the blocks that were asked for.
 * @throws AppError as `readState` does.
 */
export async function printRead(line: CommandLine, context: CliContext): Promise<ExitCode> {
  const { output, signal } = context;
  const { subject, readFunction, readArguments, block, compare, from } = line;
  if (subject === undefined || readFunction === undefined) {
    throw badInput(
      'function',
      'The function is missing. Enter read ADDRESS FUNCTION, such as read 0x… totalSupply.',
    );
  }
  const deps = createOperationDeps(line, context);
  const read = { address: subject, function: readFunction, args: readArguments, block, from };
  const result = await readState(read, deps, { signal });
  if (result.undecoded !== undefined)
    output.printMessage(`${formatMessage(result.undecoded)} The values are its raw words.`);
  if (result.isSimulated)
    output.printMessage(
      `${result.item.name} is not a view function: this is what a call would return. Nothing is sent.`,
    );
  const older =
    compare === undefined ? undefined : await readState({ ...read, block: compare }, deps, { signal });
  const json = readResultToJson(result);
  if (older === undefined) await output.printLines([json]);
  else {
    const { block: number, values, undecoded } = readResultToJson(older);
    const changed = JSON.stringify(values) !== JSON.stringify(json.values);
    const compared = { block: number, values, ...(undecoded !== undefined && { undecoded }) };
    await output.printLines([{ ...json, compared, changed }]);
    output.printMessage(`From block ${number} to ${json.block}: ${changed ? 'changed' : 'not changed'}`);
  }
  const reasons = [...(result.reasons ?? []), ...(older?.reasons ?? [])];
  for (const reason of reasons) output.printMessage(formatMessage(reason));
  return reasons.length === 0 ? 0 : 3;
}
