import {
  type AbiLookup,
  asAppError,
  badInput,
  type ChainClient,
  createChainClient,
  describeReasons,
  formatIsoTime,
  formatMessage,
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
import { type CommandLine, findCommandName, NO_CHAIN_ID, parseCommandLine } from './commandLine.ts';
import { printBalances, printIdentity, printTransfers } from './commands/address.ts';
import { createCheckReport, printChecks } from './commands/check.ts';
import { printCodeComparison } from './commands/code.ts';
import { printContracts } from './commands/contracts.ts';
import { printHexMeanings } from './commands/decode.ts';
import { printFailedTransactions } from './commands/failedTransactions.ts';
import { printLogs, type SecondEndpoint } from './commands/logs.ts';
import { printRead } from './commands/read.ts';
import { printState } from './commands/state.ts';
import { printTokens } from './commands/tokens.ts';
import { printTransaction } from './commands/transaction.ts';
import { COMMANDS } from './commandTable.ts';
import type { CliContext, ProgramInputs } from './context.ts';
import { formatKeyHint, reconcileChainId, withContext, withRpcKey } from './endpoint.ts';
import { type ExitCode, getErrorExitCode, type Outcome, toExitCode } from './exitCode.ts';
import { createUnknownCommandError, formatHelp, getProgramName } from './help.ts';
import { openAbiProviders, openLogDecoding } from './logDecoding.ts';
import { createOutput, errorToJson } from './output.ts';
import { openProjectIndex, settleProject } from './projectFolder.ts';
import { createTerminalFormat } from './table.ts';

/**
 * Runs the program, and resolves to its exit code when all is printed. An output that is closed early, as by `head -1`,
 * ends it.
 */
export async function run(args: readonly string[], program: ProgramInputs): Promise<number> {
  const { stdout, env } = program;
  const output = createOutput(program);
  const outputEnd = new AbortController();
  const signal = AbortSignal.any([program.signal, outputEnd.signal]);
  let line: CommandLine | undefined;
  let report: CheckReport | undefined;
  let outputFailureCode: ExitCode | undefined;
  let code: ExitCode = 3;

  function endWithoutOutput(error: NodeJS.ErrnoException): void {
    const isClosed = error.code === 'EPIPE';
    if (!isClosed) output.printMessage(`Standard output cannot be written (${error.code}).`);
    output.mute();
    // A check whose output is closed has not checked everything.
    outputFailureCode ??= isClosed && line?.command !== 'check' ? 0 : 3;
    outputEnd.abort();
  }

  async function printFailure(cause: unknown): Promise<void> {
    const error = asAppError(cause);
    code = getErrorExitCode(error);
    output.printErrorMessage(error);
    if (report) await report.end(error);
    else await output.printLines([{ error: errorToJson(error) }]);
    const hint =
      line && isAppError(cause, 'unauthorized', 'forbidden', 'creditsUsedUp') && formatKeyHint(line);
    if (hint) output.printMessage(hint);
    if (!isAppError(cause, 'badInput')) return;
    // All of the help would push the message of a wrong value off the screen.
    const command = findCommandName(args);
    const subject = command !== undefined && Object.hasOwn(COMMANDS, command) ? ` ${command}` : '';
    output.printPlainLine(
      command === undefined && cause.details.field === 'command'
        ? `\n${formatHelp(undefined, program)}`
        : `Run ${getProgramName(env)} help${subject} to see how to use it.`,
    );
  }

  stdout.on('error', endWithoutOutput);
  try {
    const parsed = parseCommandLine(args);
    line = parsed;
    // The server of agents writes into the terminal of another program.
    if (line.command !== 'mcp') output.progress.start();
    const isForPeople = stdout.isTTY === true && !line.json;
    const format = isForPeople ? createTerminalFormat(line.command, () => stdout.columns) : undefined;
    if (format) output.setRowFormat(format);
    if (line.command === 'check') {
      const checkFormat = line.format ?? (isForPeople ? 'text' : 'json');
      report = createCheckReport(checkFormat, { ...program, output });
    }
    const outcome = await withContext(line, { program: { ...program, signal }, output }, (context) =>
      Promise.race([
        whenCrashed(signal),
        report
          ? printChecks(createClient(parsed, context.http), parsed, report, context)
          : runCommand(parsed, context),
      ]),
    );
    code = toExitCode(outcome);
  } catch (cause) {
    await printFailure(cause).catch(() => undefined);
  }
  await output.flush();
  stdout.off('error', endWithoutOutput);
  return outputFailureCode ?? code;
}

/** Rejects with the error that aborts a signal. */
function whenCrashed(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const check = () => isAppError(signal.reason) && reject(signal.reason);
    signal.addEventListener('abort', check);
    check();
  });
}

/** Runs any command but `check`. */
async function runCommand(line: CommandLine, context: CliContext): Promise<Outcome> {
  const { http, output, signal } = context;
  if (COMPARES_CHAIN.includes(line.command)) await requireSameChain(line, context);
  switch (line.command) {
    case 'help':
      await output.printText(`${formatHelp(line.subject, context)}\n`);
      return true;
    case 'version':
      await output.printText(`${context.version}\n`);
      return true;
    case 'block':
      return printBlock(createClient(line, http), line.time, context);
    case 'balance': {
      const balance = await createClient(line, http).getBalance(requireWrittenAddress(line.subject), {
        signal,
      });
      await output.printLines([
        balance.state === 'known' ? { ...balance, wei: balance.wei.toString() } : balance,
      ]);
      return balance.state === 'known' ? 0 : 3;
    }
    case 'tokens':
      await printTokens(line, context);
      return true;
    case 'identify':
      return printIdentity(line, context);
    case 'transfers':
      await printTransfers(line, context);
      return true;
    case 'balances':
      await printBalances(line, context);
      return true;
    case 'logs': {
      const openDecoding = lazy(() => openDecodingContext(line, context));
      const isDecoded = line.projectFolder !== undefined || line.providers !== undefined;
      return printLogs(createClient(line, http), {
        query: line.query,
        bounds: line.bounds,
        order: line.order,
        pages: line.pages,
        groupBy: line.groupBy,
        sum: line.sum,
        times: line.times,
        second: findSecondEndpoint(line, context),
        proof: line.prove && { trustHash: line.trustHash, demand: line.prove },
        decoding: isDecoded ? (await openDecoding()).decoding : undefined,
        openDecoding,
        hasProviders: line.providers !== undefined,
        output,
        stdin: context.stdin,
        signal,
      });
    }
    case 'read':
      return printRead(line, context);
    case 'state':
      return printState(line, context);
    case 'code':
      return printCodeComparison(line, context);
    case 'contracts': {
      const client = line.rpcUrl === undefined ? undefined : createClient(line, http);
      await printContracts(line.subject, { client, chainId: line.chainId }, context);
      return true;
    }
    case 'decode': {
      const { at, chainId, providers } = line;
      const local = await openLookup(line, context);
      const abiProviders =
        providers === undefined ? undefined : await openAbiProviders(providers, { line, chainId }, context);
      const lookup = abiProviders ? mergeLookups(local, abiProviders.lookup) : local;
      const prepare = async (hex: Hex) => abiProviders?.prefetchHex(hex, { lookup, at });
      await printHexMeanings(line.subject, { lookup, at, prepare }, context);
      return true;
    }
    case 'mcp': {
      const { serveMcp } = await import('./mcp/server.ts');
      await serveMcp(line, context);
      return true;
    }
    case 'ask': {
      const { printOperationResult } = await import('./commands/ask.ts');
      return printOperationResult(line, context);
    }
    case 'transaction':
      return (line.failed ? printFailedTransactions : printTransaction)(
        line,
        await openDecodingContext(line, context),
        context,
      );
    default:
      throw createUnknownCommandError(line.command);
  }
}

/** Commands that do not compare `--chain-id` with the endpoint's themselves. */
const COMPARES_CHAIN: readonly string[] = [
  ...['balance', 'balances', 'block', 'identify', 'logs', 'tokens', 'transaction', 'transfers'],
];

/** @throws AppError `badInput` for `chain-id` where the server reports another. */
async function requireSameChain(line: CommandLine, { http, signal }: CliContext): Promise<void> {
  // A data API works where the endpoint is down.
  if (line.chainId === undefined || line.rpcUrl === undefined || line.dataApiUrl !== undefined) return;
  reconcileChainId(line.chainId, await createClient(line, http).getChainId({ signal }));
}

/** Opens the log decoding for `--dir` and `--sources`. */
async function openDecodingContext(line: CommandLine, context: CliContext) {
  const { projectFolder, providers } = line;
  const client = createClient(line, context.http);
  const foundChainId = line.chainId ?? (await client.getChainId(context));
  if (foundChainId === undefined)
    context.output.printMessage(
      'The server does not report its chain ID. Set --chain-id N to use deployments.',
    );
  const index = projectFolder === undefined ? undefined : await openProjectIndex(projectFolder, context);
  if (index && projectFolder !== undefined)
    await settleProject({ index, folder: projectFolder }, { client, chainId: foundChainId }, context);
  const abiProviders =
    providers === undefined
      ? undefined
      : await openAbiProviders(providers, { line, chainId: foundChainId, client }, context);
  const chainId = foundChainId ?? NO_CHAIN_ID;
  const decoding = await openLogDecoding(client, { index, abiProviders, chainId }, context);
  return { client, decoding, index, chainId };
}

/**
 * Merges the ABIs of `--dir`, if it is set, with the bundled standards. With an endpoint, the ABIs of the code that runs at
 * the address come first.
 */
async function openLookup(line: CommandLine, context: CliContext): Promise<AbiLookup> {
  const { projectFolder, rpcUrl, at } = line;
  const bundled = await loadStandardLookup();
  if (projectFolder === undefined) return bundled;
  const index = await openProjectIndex(projectFolder, context);
  if (rpcUrl !== undefined && at) {
    const client = createClient(line, context.http);
    try {
      const chainId = reconcileChainId(at.chainId, await client.getChainId(context));
      const request = { client, chainId, addresses: [at.address], most: 1 };
      await settleProject({ index, folder: projectFolder }, request, context);
    } catch (error) {
      if (isAppError(error, 'aborted', 'badInput')) throw error;
      context.output.printMessage(
        `It is not known which code the address runs. ${asAppError(error).message}`,
      );
    }
  }
  return mergeLookups(index.lookup, bundled);
}

function findSecondEndpoint(
  { secondUrl, secondKey, sample, rpcUrl }: CommandLine,
  { http, env }: CliContext,
): SecondEndpoint | undefined {
  if (secondUrl === undefined) return undefined;
  const isLocal = isLoopbackUrl(secondUrl) && rpcUrl !== undefined && isLoopbackUrl(rpcUrl);
  const secondHttp = withRpcKey(http, { rpcUrl: secondUrl, rpcKey: secondKey }, env);
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
 *
 * @returns 3 where times go backwards, which `unorderedAt` says: it may be another block.
 */
async function printBlock(
  client: ChainClient,
  time: number | undefined,
  context: CliContext,
): Promise<ExitCode> {
  const { printLines, printMessage } = context.output;
  if (time === undefined) {
    await printLines([{ block: (await client.getBlockNumber(context)).toString() }]);
    return 0;
  }
  const found = await client.findBlockAt({ time, closest: 'before' }, context);
  const { block, source, unorderedAt } = found;
  const outside = unorderedAt === undefined ? found.outside : undefined;
  const timestamp = formatIsoTime(found.time) ?? null;
  const doubt = unorderedAt === undefined ? undefined : { unorderedAt: unorderedAt.toString() };
  await printLines([{ block: block.toString(), ...(outside && { outside }), ...doubt, timestamp, source }]);
  if (unorderedAt !== undefined)
    for (const reason of describeReasons([{ code: 'unorderedTimes', block: unorderedAt }]))
      printMessage(formatMessage(reason));
  if (outside === 'afterHead') printMessage('The chain has not reached that time. This is its latest block.');
  if (outside === 'beforeFirst') printMessage('The chain begins after that time. This is its first block.');
  return unorderedAt === undefined && outside !== 'afterHead' ? 0 : 3;
}
