import {
  type AbiLookup,
  asAppError,
  badInput,
  type ChainClient,
  createChainClient,
  formatIsoTime,
  type Hex,
  type HttpDeps,
  isAppError,
  isLoopbackUrl,
  loadStandardLookup,
  mergeLookups,
  requireAddress,
} from '../core/index.ts';
import { type CommandLine, NO_CHAIN_ID, parseCommandLine, usage } from './commandLine.ts';
import { printBalances, printIdentity, printTransfers } from './commands/address.ts';
import { printChecks } from './commands/check.ts';
import { printContracts } from './commands/contracts.ts';
import { printHexMeanings } from './commands/decode.ts';
import { printLogs, type SecondEndpoint } from './commands/logs.ts';
import { printTokens } from './commands/tokens.ts';
import { printTransaction } from './commands/transaction.ts';
import { createHttp, formatKeyHint, withRpcKey } from './endpoint.ts';
import { type LogDecoding, openAbiProviders, openLogDecoding } from './logDecoding.ts';
import { errorToJson, printErrorMessage, printLines, printMessage } from './output.ts';
import { openProjectIndex } from './projectFolder.ts';

const cancellation = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancellation.abort());
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head -1`, closes the pipe: that is no failure, but not all was checked.
  if (error.code === 'EPIPE') process.exit(line?.command === 'check' ? 1 : 0);
  printMessage(`Standard output cannot be written (${error.code}).`);
  process.exit(1);
});
process.stderr.on('error', () => undefined);
// A rejection that nobody handles comes here too. The stack stays untold: text from outside may stand in it.
process.once('uncaughtException', (cause) => {
  void printError(cause).finally(() => process.exit(1));
});

let line: CommandLine | undefined;
try {
  line = parseCommandLine(process.argv.slice(2));
  const http = createHttp();
  try {
    process.exitCode = (await runCommand(line, withRpcKey(http, line))) ? 0 : 1;
  } finally {
    // What is still on its way, as beside a question that failed, holds nobody up.
    cancellation.abort();
    await http.close();
  }
} catch (cause) {
  process.exitCode = 1;
  await printError(cause);
  const isRefusal = isAppError(cause, 'unauthorized', 'forbidden', 'creditsUsedUp');
  const hint = line && isRefusal ? formatKeyHint(line) : undefined;
  if (hint) printMessage(hint);
  if (isAppError(cause, 'badInput')) process.stderr.write(`\n${usage}\n`);
}

async function printError(cause: unknown): Promise<void> {
  const error = asAppError(cause);
  printErrorMessage(error);
  await printLines([{ error: errorToJson(error) }]);
}

async function runCommand(line: CommandLine, http: HttpDeps): Promise<boolean> {
  const { signal } = cancellation;
  switch (line.command) {
    case 'help':
      process.stdout.write(`${usage}\n`);
      return true;
    case 'block':
      await printBlock(createClient(line, http), line.time, { signal });
      return true;
    case 'balance': {
      const balance = await createClient(line, http).getBalance(requireAddress(line.subject), { signal });
      await printLines([balance.state === 'known' ? { ...balance, wei: balance.wei.toString() } : balance]);
      return true;
    }
    case 'tokens':
      await printTokens(http, line, { signal });
      return true;
    case 'identify':
      await printIdentity(http, line, { signal });
      return true;
    case 'transfers':
      await printTransfers({ http, line, signal });
      return true;
    case 'balances':
      await printBalances({ http, line, signal });
      return true;
    case 'logs':
      return printLogs(createClient(line, http), {
        query: line.query,
        bounds: line.bounds,
        order: line.order,
        pages: line.pages,
        times: line.times,
        second: findSecondEndpoint(line, http),
        decoding: await openDecoding(line, http, { signal }),
        signal,
      });
    case 'check':
      return printChecks(createClient(line, http), line, { signal });
    case 'contracts':
      await printContracts(line.subject, { signal });
      return true;
    case 'decode': {
      const { at } = line;
      const { chainId, providers: written } = line;
      const local = await openLookup(line, { signal });
      const sources =
        written === undefined ? undefined : await openAbiProviders(written, { line, http, chainId, signal });
      const lookup = sources ? mergeLookups(local, sources.lookup) : local;
      const prepare = async (hex: Hex) => sources?.prefetchHex(hex, { lookup, at });
      await printHexMeanings(line.subject, { lookup, at, prepare, signal });
      return true;
    }
    case 'mcp': {
      const { serveMcp } = await import('./mcp/server.ts');
      await serveMcp(line, http, { signal });
      return true;
    }
    case 'ask': {
      const { printOperationResult } = await import('./commands/ask.ts');
      return printOperationResult(line, http, { signal });
    }
    case 'transaction':
      await printTransaction(http, line, { ...(await openDecodingContext(line, http, { signal })), signal });
      return true;
    default:
      throw badInput('command', `${line.command} is not a command.`);
  }
}

/** What logs mean, by the projects of the folder and the sources that the command line names. */
async function openDecodingContext(
  line: CommandLine,
  http: HttpDeps,
  options: { readonly signal: AbortSignal },
) {
  const { projectFolder, providers: written } = line;
  const told = await fetchChainId(line, http, options);
  const index = projectFolder === undefined ? undefined : await openProjectIndex(projectFolder, options);
  const sources =
    written === undefined
      ? undefined
      : await openAbiProviders(written, { line, http, chainId: told, ...options });
  const chainId = told ?? NO_CHAIN_ID;
  const decoding = await openLogDecoding(createClient(line, http), { index, sources, chainId }, options);
  return { decoding, index, chainId };
}

/** Undefined where rows are to be printed as they are. */
async function openDecoding(
  line: CommandLine,
  http: HttpDeps,
  options: { readonly signal: AbortSignal },
): Promise<LogDecoding | undefined> {
  const { projectFolder, providers: written } = line;
  if (projectFolder === undefined && written === undefined) return undefined;
  return (await openDecodingContext(line, http, options)).decoding;
}

async function fetchChainId(
  line: CommandLine,
  http: HttpDeps,
  options: { readonly signal: AbortSignal },
): Promise<number | undefined> {
  const chainId = line.chainId ?? (await createClient(line, http).getChainId(options));
  if (chainId === undefined)
    printMessage('The server does not tell its chain id: deployments count with --chain-id N.');
  return chainId;
}

/** What the projects of a folder know, if one is given, and the bundled lists. */
async function openLookup(
  { projectFolder }: CommandLine,
  options: { readonly signal: AbortSignal },
): Promise<AbiLookup> {
  const bundled = await loadStandardLookup();
  return projectFolder === undefined
    ? bundled
    : mergeLookups((await openProjectIndex(projectFolder, options)).lookup, bundled);
}

function findSecondEndpoint(
  { secondUrl, sample, rpcUrl }: CommandLine,
  http: HttpDeps,
): SecondEndpoint | undefined {
  if (secondUrl === undefined) return undefined;
  const isHere = isLoopbackUrl(secondUrl) && rpcUrl !== undefined && isLoopbackUrl(rpcUrl);
  return { client: createChainClient({ ...http, url: secondUrl }), sample, isLocal: isHere };
}

function createClient(line: CommandLine, http: HttpDeps) {
  if (line.rpcUrl === undefined) throw badInput('rpc', 'Give the JSON-RPC endpoint with --rpc URL.');
  return createChainClient({ ...http, url: line.rpcUrl });
}

/**
 * Prints the number of the newest block; with a time, in milliseconds since the Unix epoch, the last block by then, or
 * which end of the chain stands for it.
 */
async function printBlock(
  client: ChainClient,
  time: number | undefined,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  if (time === undefined) {
    await printLines([{ block: (await client.getBlockNumber(options)).toString() }]);
    return;
  }
  const found = await client.findBlockAt({ time, closest: 'before' }, options);
  const { block, source, outside } = found;
  const timestamp = formatIsoTime(found.time) ?? null;
  await printLines([{ block: block.toString(), ...(outside && { outside }), timestamp, source }]);
  if (outside === 'afterHead') printMessage('the chain has not come to that time: this is its newest block');
  if (outside === 'beforeFirst') printMessage('the chain begins after that time: this is its first block');
}
