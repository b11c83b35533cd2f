import {
  type AbiLookup,
  asAppError,
  badInput,
  createChainClient,
  createLogDecoder,
  type HttpDeps,
  isAppError,
  joinLookups,
  type LogDecoder,
  loadBundledLookup,
  requireAddress,
} from '../core/index.ts';
import { type CommandLine, readCommandLine, usage } from './commandLine.ts';
import { lookupOfFolder, printContracts } from './contracts.ts';
import { decodeHex } from './decode.ts';
import { createHttp } from './http.ts';
import { errorToJson, printLines, say } from './output.ts';
import { queryLogs } from './queryLogs.ts';
import { printTokens } from './tokens.ts';

/** The id of no chain, on which nothing is deployed. */
const NO_CHAIN = 0;

const cancelled = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancelled.abort());
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head -1`, closes the pipe: that is no failure.
  if (error.code === 'EPIPE') process.exit(0);
  say(`Standard output cannot be written (${error.code}).`);
  process.exit(1);
});
process.stderr.on('error', () => undefined);
// A rejection that nobody handles comes here too. The stack stays untold: text from outside may stand in it.
process.once('uncaughtException', (cause) => {
  void printError(cause).finally(() => process.exit(1));
});

try {
  const line = readCommandLine(process.argv.slice(2));
  const http = createHttp();
  try {
    process.exitCode = (await run(line, http)) ? 0 : 1;
  } finally {
    await http.close();
  }
} catch (cause) {
  process.exitCode = 1;
  await printError(cause);
  if (isAppError(cause, 'badInput')) process.stderr.write(`\n${usage}\n`);
}

async function printError(cause: unknown): Promise<void> {
  const error = asAppError(cause);
  say(error.message);
  await printLines([{ error: errorToJson(error) }]);
}

async function run(line: CommandLine, http: HttpDeps): Promise<boolean> {
  const { signal } = cancelled;
  switch (line.command) {
    case 'block':
      await printLines([{ block: (await chain(line, http).latestBlock({ signal })).toString() }]);
      return true;
    case 'balance': {
      const balance = await chain(line, http).nativeBalance(requireAddress(line.subject), { signal });
      await printLines([balance.state === 'known' ? { ...balance, wei: balance.wei.toString() } : balance]);
      return true;
    }
    case 'tokens':
      await printTokens(http, line, { signal });
      return true;
    case 'logs':
      return queryLogs(chain(line, http), {
        query: line.query,
        order: line.order,
        pages: line.pages,
        decoder: line.knownBy === undefined ? undefined : await logDecoder(line, http, { signal }),
        signal,
      });
    case 'contracts':
      await printContracts(line.subject, { signal });
      return true;
    case 'decode':
      await decodeHex(line.subject, { lookup: await lookupOf(line, { signal }), at: line.at, signal });
      return true;
    default:
      throw badInput('command', `${line.command} is not a command.`);
  }
}

async function logDecoder(
  line: CommandLine,
  http: HttpDeps,
  options: { readonly signal: AbortSignal },
): Promise<LogDecoder> {
  const lookup = await lookupOf(line, options);
  const chainId = line.chainId ?? (await chain(line, http).chainId(options));
  if (chainId === undefined)
    say('The server does not tell its chain id: deployments count with --chain-id N.');
  return createLogDecoder({ lookup, chainId: chainId ?? NO_CHAIN });
}

/** What the projects of a folder know, if one is given, and the bundled lists. */
async function lookupOf(
  { knownBy }: CommandLine,
  options: { readonly signal: AbortSignal },
): Promise<AbiLookup> {
  const bundled = await loadBundledLookup();
  return knownBy === undefined ? bundled : joinLookups(await lookupOfFolder(knownBy, options), bundled);
}

function chain(line: CommandLine, http: HttpDeps) {
  if (line.rpcUrl === undefined) throw badInput('rpc', 'Give the JSON-RPC endpoint with --rpc URL.');
  return createChainClient({ ...http, url: line.rpcUrl });
}
