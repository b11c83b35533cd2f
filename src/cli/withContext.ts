import type { CommandLine } from './commandLine.ts';
import type { CliContext, ProgramInputs } from './context.ts';
import { createHttp, withRpcKey } from './endpoint.ts';
import type { Output } from './output.ts';
import { listStartFolders } from './queryPaths.ts';

/**
 * Does work with requests to the endpoint of a command line, and closes the connections.
 *
 * @throws AppError `badInput` with an option or variable as `field`; otherwise as the work does.
 */
export async function withContext<T>(
  line: CommandLine,
  { program, output }: { readonly program: ProgramInputs; readonly output: Output },
  work: (context: CliContext) => Promise<T>,
): Promise<T> {
  const { env } = program;
  const end = new AbortController();
  const signal = AbortSignal.any([program.signal, end.signal]);
  const http = createHttp(program, output.progress.countRequest);
  try {
    const startFolders = () => listStartFolders(env);
    return await work({ ...program, output, signal, http: withRpcKey(http, line, env), startFolders });
  } finally {
    // Requests that are still in flight would delay the exit.
    end.abort();
    await http.close();
  }
}
