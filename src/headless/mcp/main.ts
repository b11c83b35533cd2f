import { asAppError } from '../../core/index.ts';
import { readCommandLine } from '../line/commandLine.ts';
import { say, sayError } from '../line/output.ts';
import { withRpcKey } from '../line/rpcKey.ts';
import { createHttp } from '../machine/http.ts';
import { serveMcp } from './serve.ts';

// The program that ships beside the extension: the command `mcp` alone.
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => undefined);

async function main(): Promise<void> {
  // An address that holds a key is no argument, which every user of the machine can read.
  const url = process.env.CHAINSIDE_RPC_URL;
  const line = readCommandLine(['mcp', ...process.argv.slice(2), ...(url ? ['--rpc', url] : [])]);
  const http = createHttp();
  await serveMcp(line, withRpcKey(http, line), { signal: stopped.signal });
  stopped.abort();
  await http.close();
}

main().catch((cause: unknown) => {
  sayError(asAppError(cause));
  say('Usage: mcp.cjs --rpc URL [--chain-id N] [--dir DIR] [--out DIR] [--rpc-key-env NAME]');
  process.exitCode = 1;
});
