import { asAppError, badInput, createChainClient, isAppError, requireAddress } from '../core/index.ts';
import { type CommandLine, readCommandLine, usage } from './commandLine.ts';
import { createHttp } from './http.ts';
import { errorToJson, printLines, say } from './output.ts';
import { queryLogs } from './queryLogs.ts';
import { printTokens } from './tokens.ts';

const http = createHttp();
const cancelled = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancelled.abort());
// A reader that has seen enough, such as `head -1`, closes the pipe: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  const ok = await run(readCommandLine(process.argv.slice(2)));
  process.exitCode = ok ? 0 : 1;
} catch (cause) {
  const error = asAppError(cause);
  await printLines([{ error: errorToJson(error) }]);
  say(error.message);
  if (isAppError(error, 'badInput')) say(`\n${usage}`);
  process.exitCode = 1;
} finally {
  await http.close();
}

async function run(line: CommandLine): Promise<boolean> {
  const { signal } = cancelled;
  switch (line.command) {
    case 'block':
      await printLines([{ block: (await chain(line).latestBlock({ signal })).toString() }]);
      return true;
    case 'balance': {
      const balance = await chain(line).nativeBalance(requireAddress(line.address), { signal });
      await printLines([balance.state === 'known' ? { ...balance, wei: balance.wei.toString() } : balance]);
      return true;
    }
    case 'tokens':
      await printTokens(http, line, signal);
      return true;
    case 'logs':
      return queryLogs(chain(line), { query: line.query, pages: line.pages, signal });
    default:
      throw badInput('command', `${line.command} is not a command.`);
  }
}

function chain(line: CommandLine) {
  if (line.rpcUrl === undefined) throw badInput('rpc', 'Give the JSON-RPC endpoint with --rpc URL.');
  return createChainClient({ ...http, url: line.rpcUrl });
}
