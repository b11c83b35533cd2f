import {
  type AbiLookup,
  asAppError,
  badInput,
  createChainClient,
  type Hex,
  type HttpDeps,
  isAppError,
  isLoopbackUrl,
  loadStandardLookup,
  mergeLookups,
  requireAddress,
} from '../core/index.ts';
import { printBlock } from './block.ts';
import { printChecks } from './check.ts';
import { printContracts } from './contracts.ts';
import { decodeHex } from './decode.ts';
import { printBalances, printTransfers } from './history.ts';
import { printIdentity } from './identify.ts';
import { type CommandLine, NO_CHAIN, readCommandLine, usage } from './line/commandLine.ts';
import { knownByFolder } from './line/knownFolder.ts';
import { type LogDecoding, openLogDecoding } from './line/logDecoding.ts';
import { errorToJson, printLines, say, sayError } from './line/output.ts';
import { keyHint, withRpcKey } from './line/rpcKey.ts';
import { openSources } from './line/sources.ts';
import { createHttp } from './machine/http.ts';
import { queryLogs } from './queryLogs.ts';
import type { Second } from './secondOpinion.ts';
import { printTokens } from './tokens.ts';
import { printTransaction } from './transaction.ts';

const cancelled = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancelled.abort());
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head -1`, closes the pipe: that is no failure, but not all was checked.
  if (error.code === 'EPIPE') process.exit(line?.command === 'check' ? 1 : 0);
  say(`Standard output cannot be written (${error.code}).`);
  process.exit(1);
});
process.stderr.on('error', () => undefined);
// A rejection that nobody handles comes here too. The stack stays untold: text from outside may stand in it.
process.once('uncaughtException', (cause) => {
  void printError(cause).finally(() => process.exit(1));
});

let line: CommandLine | undefined;
try {
  line = readCommandLine(process.argv.slice(2));
  const http = createHttp();
  try {
    process.exitCode = (await run(line, withRpcKey(http, line))) ? 0 : 1;
  } finally {
    // What is still on its way, as beside a question that failed, holds nobody up.
    cancelled.abort();
    await http.close();
  }
} catch (cause) {
  process.exitCode = 1;
  await printError(cause);
  const isRefusal = isAppError(cause, 'unauthorized', 'forbidden', 'creditsUsedUp');
  const hint = line && isRefusal ? keyHint(line) : undefined;
  if (hint) say(hint);
  if (isAppError(cause, 'badInput')) process.stderr.write(`\n${usage}\n`);
}

async function printError(cause: unknown): Promise<void> {
  const error = asAppError(cause);
  sayError(error);
  await printLines([{ error: errorToJson(error) }]);
}

async function run(line: CommandLine, http: HttpDeps): Promise<boolean> {
  const { signal } = cancelled;
  switch (line.command) {
    case 'help':
      process.stdout.write(`${usage}\n`);
      return true;
    case 'block':
      await printBlock(chain(line, http), line.time, { signal });
      return true;
    case 'balance': {
      const balance = await chain(line, http).nativeBalance(requireAddress(line.subject), { signal });
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
      return queryLogs(chain(line, http), {
        query: line.query,
        bounds: line.bounds,
        order: line.order,
        pages: line.pages,
        times: line.times,
        second: secondOf(line, http),
        decoding: await decodingOf(line, http, { signal }),
        signal,
      });
    case 'check':
      return printChecks(chain(line, http), line, { signal });
    case 'contracts':
      await printContracts(line.subject, { signal });
      return true;
    case 'decode': {
      const { at } = line;
      const { chainId, sources: written } = line;
      const local = await lookupOf(line, { signal });
      const sources =
        written === undefined ? undefined : await openSources(written, { line, http, chainId, signal });
      const lookup = sources ? mergeLookups(local, sources.lookup) : local;
      const prepare = async (hex: Hex) => sources?.wantHex(hex, { lookup, at });
      await decodeHex(line.subject, { lookup, at, prepare, signal });
      return true;
    }
    case 'mcp': {
      const { serveMcp } = await import('./mcp/serve.ts');
      await serveMcp(line, http, { signal });
      return true;
    }
    case 'ask': {
      const { printAnswer } = await import('./operations/ask.ts');
      return printAnswer(line, http, { signal });
    }
    case 'transaction':
      await printTransaction(http, line, { ...(await openMeaning(line, http, { signal })), signal });
      return true;
    default:
      throw badInput('command', `${line.command} is not a command.`);
  }
}

/** What logs mean, by the projects of the folder and the sources that the command line names. */
async function openMeaning(line: CommandLine, http: HttpDeps, options: { readonly signal: AbortSignal }) {
  const { knownBy, sources: written } = line;
  const told = await chainIdOf(line, http, options);
  const index = knownBy === undefined ? undefined : await knownByFolder(knownBy, options);
  const sources =
    written === undefined ? undefined : await openSources(written, { line, http, chainId: told, ...options });
  const chainId = told ?? NO_CHAIN;
  const decoding = await openLogDecoding(chain(line, http), { index, sources, chainId }, options);
  return { decoding, index, chainId };
}

/** Undefined where rows are to be printed as they are. */
async function decodingOf(
  line: CommandLine,
  http: HttpDeps,
  options: { readonly signal: AbortSignal },
): Promise<LogDecoding | undefined> {
  const { knownBy, sources: written } = line;
  if (knownBy === undefined && written === undefined) return undefined;
  return (await openMeaning(line, http, options)).decoding;
}

async function chainIdOf(
  line: CommandLine,
  http: HttpDeps,
  options: { readonly signal: AbortSignal },
): Promise<number | undefined> {
  const chainId = line.chainId ?? (await chain(line, http).chainId(options));
  if (chainId === undefined)
    say('The server does not tell its chain id: deployments count with --chain-id N.');
  return chainId;
}

/** What the projects of a folder know, if one is given, and the bundled lists. */
async function lookupOf(
  { knownBy }: CommandLine,
  options: { readonly signal: AbortSignal },
): Promise<AbiLookup> {
  const bundled = await loadStandardLookup();
  return knownBy === undefined
    ? bundled
    : mergeLookups((await knownByFolder(knownBy, options)).lookup, bundled);
}

function secondOf({ secondUrl, sample, rpcUrl }: CommandLine, http: HttpDeps): Second | undefined {
  if (secondUrl === undefined) return undefined;
  const isHere = isLoopbackUrl(secondUrl) && rpcUrl !== undefined && isLoopbackUrl(rpcUrl);
  return { client: createChainClient({ ...http, url: secondUrl }), sample, isOfThisMachine: isHere };
}

function chain(line: CommandLine, http: HttpDeps) {
  if (line.rpcUrl === undefined) throw badInput('rpc', 'Give the JSON-RPC endpoint with --rpc URL.');
  return createChainClient({ ...http, url: line.rpcUrl });
}
