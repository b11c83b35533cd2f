import { asAppError } from '../../core/index.ts';
import { parseCommandLine } from '../commandLine.ts';
import { createHttp, withRpcKey } from '../endpoint.ts';
import { printErrorMessage, printMessage } from '../output.ts';
import { serveMcp } from './server.ts';

// The program that ships with the extension: only the command `mcp`.
const cancellation = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancellation.abort());
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => undefined);

async function main(): Promise<void> {
  // A URL with a key must not be an argument: every user of the machine can read arguments. The last `--rpc` counts.
  const url = process.env.CHAINSIDE_RPC_URL;
  const line = parseCommandLine(['mcp', ...(url ? ['--rpc', url] : []), ...process.argv.slice(2)]);
  const http = createHttp();
  await serveMcp(line, withRpcKey(http, line), { signal: cancellation.signal });
  cancellation.abort();
  await http.close();
}

main().catch((cause: unknown) => {
  printErrorMessage(asAppError(cause));
  printMessage('Usage: mcp.cjs --rpc URL [--chain-id N] [--dir DIR] [--out DIR] [--rpc-key-env NAME]');
  process.exitCode = 1;
});
