import { asAppError } from '../../core/index.ts';
import { parseCommandLine } from '../commandLine.ts';
import type { ProgramInputs } from '../context.ts';
import { createOutput } from '../output.ts';
import { withContext } from '../withContext.ts';
import { serveMcp } from './server.ts';

/** Runs the program that ships with the extension, which has only the command `mcp`; resolves to its exit code. */
export async function runMcp(args: readonly string[], program: ProgramInputs): Promise<number> {
  const output = createOutput(program);
  try {
    // A URL with a key must not be an argument: every user of the machine can read arguments. The last `--rpc` counts.
    const url = program.env.CHAINSIDE_RPC_URL;
    const line = parseCommandLine(['mcp', ...(url ? ['--rpc', url] : []), ...args]);
    await withContext(line, { program, output }, (context) => serveMcp(line, context));
    return 0;
  } catch (cause) {
    output.printErrorMessage(asAppError(cause));
    output.printMessage(
      'Usage: mcp.cjs --rpc URL [--chain-id N] [--dir DIR] [--out DIR] [--rpc-key-env NAME]',
    );
    return 1;
  }
}
