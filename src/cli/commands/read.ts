import { badInput, formatMessage, type HttpDeps, readResultToJson, readState } from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import { createOperationDeps, readOwnVersion } from '../operationDeps.ts';
import { printLines, printMessage } from '../output.ts';

/** Prints what a view function returns as one line. @throws AppError as `readState` does. */
export async function printRead(
  line: CommandLine,
  http: HttpDeps,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const { subject, readFunction, readArguments, block } = line;
  if (subject === undefined || readFunction === undefined) {
    throw badInput(
      'function',
      'The function is missing. Write read ADDRESS FUNCTION, such as read 0x… totalSupply.',
    );
  }
  const deps = createOperationDeps({ line, http, files: undefined, signal, version: await readOwnVersion() });
  const read = { address: subject, function: readFunction, args: readArguments, block };
  const result = await readState(read, deps, { signal });
  if (result.undecoded !== undefined)
    printMessage(`${formatMessage(result.undecoded)} The values are its raw words.`);
  if (result.isSimulated)
    printMessage(
      `${result.item.name} is not a view function: this is what a call would return. Nothing is sent.`,
    );
  await printLines([readResultToJson(result)]);
}
