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
  lazy,
  loadStandardLookup,
  mergeLookups,
  requireWrittenAddress,
} from '../core/index.ts';
import type { CheckReport } from './checks/checkReport.ts';
import { type CommandLine, NO_CHAIN_ID, parseCommandLine } from './commandLine.ts';
import { printBalances, printIdentity, printTransfers } from './commands/address.ts';
import { createCheckReport, printChecks } from './commands/check.ts';
import { printCodeComparison } from './commands/code.ts';
import { printContracts } from './commands/contracts.ts';
import { printHexMeanings } from './commands/decode.ts';
import { printLogs, type SecondEndpoint } from './commands/logs.ts';
import { printRead } from './commands/read.ts';
import { printState } from './commands/state.ts';
import { printTokens } from './commands/tokens.ts';
import { printTransaction } from './commands/transaction.ts';
import { createHttp, formatKeyHint, withRpcKey } from './endpoint.ts';
import { createUnknownCommandError, formatHelp, program } from './help.ts';
import { type LogDecoding, openAbiProviders, openLogDecoding } from './logDecoding.ts';
import { readOwnVersion } from './operationDeps.ts';
import { errorToJson, printErrorMessage, printLines, printMessage } from './output.ts';
import { openProjectIndex } from './projectFolder.ts';
import { startProgress } from './terminal.ts';

const cancellation = new AbortController();
let failureCode = 1;
process.once('SIGINT', () => {
  failureCode = 130;
  cancellation.abort();
});
process.once('SIGTERM', () => cancellation.abort());
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head -1` may close the pipe early. That is not an error, but `check` has not checked
  // everything.
  if (error.code === 'EPIPE') process.exit(line?.command === 'check' ? 1 : 0);
  printMessage(`Standard output cannot be written (${error.code}).`);
  process.exit(1);
});
process.stderr.on('error', () => undefined);
// Warnings of Node are for developers: Node 20 warns of `matchesGlob`, which is stable now.
process.removeAllListeners('warning');
// Unhandled rejections arrive here too. The stack is not printed, as it may contain untrusted text.
process.once('uncaughtException', (cause) => {
  void printError(cause).finally(() => process.exit(1));
});

let line: CommandLine | undefined;
let report: CheckReport | undefined;
try {
  line = parseCommandLine(process.argv.slice(2));
  // The server of agents writes into the terminal of another program.
  if (line.command !== 'mcp') startProgress();
  if (line.command === 'check') report = createCheckReport(line.format);
  const http = createHttp();
  try {
    process.exitCode = (await runCommand(line, withRpcKey(http, line))) ? 0 : failureCode;
  } finally {
    // Cancel requests that are still in flight, so that they do not delay the exit.
    cancellation.abort();
    await http.close();
  }
} catch (cause) {
  process.exitCode = failureCode;
  await printError(cause);
  const isAccessError = isAppError(cause, 'unauthorized', 'forbidden', 'creditsUsedUp');
  const hint = line && isAccessError ? formatKeyHint(line) : undefined;
  if (hint) printMessage(hint);
  // All of the help would push the message of a wrong value off the screen.
  if (isAppError(cause, 'badInput')) {
    const isWithoutCommand = line === undefined && cause.details.field === 'command';
    process.stderr.write(
      isWithoutCommand ? `\n${formatHelp()}\n` : `Run ${program} help to see how to use it.\n`,
    );
  }
}

async function printError(cause: unknown): Promise<void> {
  const error = asAppError(cause);
  printErrorMessage(error);
  if (report) await report.end(error);
  else await printLines([{ error: errorToJson(error) }]);
}

async function runCommand(line: CommandLine, http: HttpDeps): Promise<boolean> {
  const { signal } = cancellation;
  switch (line.command) {
    case 'help':
      process.stdout.write(`${formatHelp(line.subject)}\n`);
      return true;
    case 'version':
      process.stdout.write(`${await readOwnVersion()}\n`);
      return true;
    case 'block':
      await printBlock(createClient(line, http), line.time, { signal });
      return true;
    case 'balance': {
      const balance = await createClient(line, http).getBalance(requireWrittenAddress(line.subject), {
        signal,
      });
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
        groupBy: line.groupBy,
        sum: line.sum,
        times: line.times,
        second: findSecondEndpoint(line, http),
        proof: line.prove ? { trustHash: line.trustHash } : undefined,
        decoding: await openDecoding(line, http, { signal }),
        openDecoding: lazy(() => openDecodingContext(line, http, { signal })),
        hasProviders: line.providers !== undefined,
        signal,
      });
    case 'read':
      await printRead(line, http, { signal });
      return true;
    case 'state':
      await printState(line, http, { signal });
      return true;
    case 'code':
      return printCodeComparison(line, http, { signal });
    case 'check':
      report ??= createCheckReport(line.format);
      return printChecks(createClient(line, http), line, { report, signal });
    case 'contracts':
      await printContracts(line.subject, { signal });
      return true;
    case 'decode': {
      const { at, chainId, providers } = line;
      const local = await openLookup(line, { signal });
      const abiProviders =
        providers === undefined
          ? undefined
          : await openAbiProviders(providers, { line, http, chainId, signal });
      const lookup = abiProviders ? mergeLookups(local, abiProviders.lookup) : local;
      const prepare = async (hex: Hex) => abiProviders?.prefetchHex(hex, { lookup, at });
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
      throw createUnknownCommandError(line.command);
  }
}

/** Undefined if neither `--decode` nor `--sources` is set: rows are then printed without a meaning. */
async function openDecoding(
  line: CommandLine,
  http: HttpDeps,
  options: { readonly signal: AbortSignal },
): Promise<LogDecoding | undefined> {
  const { projectFolder, providers } = line;
  if (projectFolder === undefined && providers === undefined) return undefined;
  return (await openDecodingContext(line, http, options)).decoding;
}

/** Opens the log decoding for `--dir` and `--sources`. */
async function openDecodingContext(
  line: CommandLine,
  http: HttpDeps,
  options: { readonly signal: AbortSignal },
) {
  const { projectFolder, providers } = line;
  const foundChainId = await fetchChainId(line, http, options);
  const client = createClient(line, http);
  const index = projectFolder === undefined ? undefined : await openProjectIndex(projectFolder, options);
  const abiProviders =
    providers === undefined
      ? undefined
      : await openAbiProviders(providers, { line, http, chainId: foundChainId, client, ...options });
  const chainId = foundChainId ?? NO_CHAIN_ID;
  const decoding = await openLogDecoding(client, { index, abiProviders, chainId }, options);
  return { client, decoding, index, chainId };
}

async function fetchChainId(
  line: CommandLine,
  http: HttpDeps,
  options: { readonly signal: AbortSignal },
): Promise<number | undefined> {
  const chainId = line.chainId ?? (await createClient(line, http).getChainId(options));
  if (chainId === undefined)
    printMessage('The server does not report its chain ID. Set --chain-id N to use deployments.');
  return chainId;
}

/** Merges the ABIs of `--dir`, if it is set, with the bundled standards. */
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
  { secondUrl, secondKey, sample, rpcUrl }: CommandLine,
  http: HttpDeps,
): SecondEndpoint | undefined {
  if (secondUrl === undefined) return undefined;
  const isLocal = isLoopbackUrl(secondUrl) && rpcUrl !== undefined && isLoopbackUrl(rpcUrl);
  const secondHttp = withRpcKey(http, { rpcUrl: secondUrl, rpcKey: secondKey });
  return { client: createChainClient({ ...secondHttp, url: secondUrl }), sample, isLocal };
}

function createClient(line: CommandLine, http: HttpDeps) {
  if (line.rpcUrl === undefined)
    throw badInput('rpc', 'The JSON-RPC endpoint is missing. Set it with --rpc URL.');
  return createChainClient({ ...http, url: line.rpcUrl });
}

/**
 * Prints the number of the newest block. With `time`, in milliseconds since the Unix epoch, prints the last block
 * at or before it. If `time` is outside of the chain, prints the block at that end and says so in `outside`.
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
  if (outside === 'afterHead') printMessage('The chain has not reached that time. This is its latest block.');
  if (outside === 'beforeFirst') printMessage('The chain begins after that time. This is its first block.');
}
