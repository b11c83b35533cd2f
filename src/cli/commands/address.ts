import {
  AppError,
  type CoinBalance,
  createChainClient,
  describeCompleteness,
  formatIsoTime,
  formatMessage,
  getProviderId,
  type HistoryList,
  identityToJson,
  requireWrittenAddress,
  type TokenTransfer,
  toCompleteness,
  withCreation,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import { formatKeyHint, openEndpointProvider, openEtherscan, reconcileChainId } from '../endpoint.ts';
import type { ExitCode } from '../exitCode.ts';

/** Prints what is at an address. */
export async function printIdentity(line: CommandLine, context: CliContext): Promise<ExitCode> {
  const { http, output, signal } = context;
  const address = requireWrittenAddress(line.subject);
  const { rpcUrl, chainId } = line;
  const provider = await openEndpointProvider(http, 'identity', { rpcUrl, chainId, signal });
  if (!provider) throw new AppError('notServed', 'The endpoint does not report what is at an address.');
  const etherscan = await openEtherscanOf(line, context);
  const findOther = async () => etherscan?.identity;
  const identity = await withCreation(provider, findOther, http.clock).identity(address, { signal });
  await output.printLines([identityToJson(identity)]);
  if (identity.kind === 'unknown') output.printMessage(`It is unknown what is at ${address}. See sources.`);
  const isRefused = identity.sources.some(({ source, reason }) => reason === 'refused' && !source.takesKey);
  const hint = isRefused ? formatKeyHint(line) : undefined;
  if (hint) output.printMessage(hint);
  return identity.kind === 'unknown' ? 3 : 0;
}

/** Etherscan, if the command line names its key. @throws AppError of any network kind without a chain ID. */
async function openEtherscanOf(line: CommandLine, context: HistoryContext) {
  const { http, signal } = context;
  const { rpcUrl, etherscanKeyEnv } = line;
  if (etherscanKeyEnv === undefined || rpcUrl === undefined) return undefined;
  const reported = await createChainClient({ ...http, url: rpcUrl }).getChainId({ signal });
  return openEtherscan(line, reconcileChainId(line.chainId, reported), context);
}

/** Prints the token transfers of an address, newest first, one a line, then the verdict. */
export async function printTransfers(line: CommandLine, context: HistoryContext): Promise<void> {
  const { address, history } = await openHistory(line, context);
  const [token] = line.tokens;
  const list = history.transfers(address, { token });
  const verdict = await printPages(list, transferToJson, { line, context });
  await context.output.printLines([{ transfers: verdict }]);
}

/** Prints the native balances of an address over time, newest first, one a line, then the verdict. */
export async function printBalances(line: CommandLine, context: HistoryContext): Promise<void> {
  const { address, history } = await openHistory(line, context);
  const verdict = await printPages(history.coinBalances(address), balanceToJson, { line, context });
  await context.output.printLines([{ balances: verdict }]);
}

type HistoryContext = Pick<CliContext, 'env' | 'http' | 'output' | 'signal'>;

/** The history by the explorer, else by Etherscan. */
async function openHistory(line: CommandLine, context: HistoryContext) {
  const { http, signal } = context;
  const address = requireWrittenAddress(line.subject);
  const explorer = await openEndpointProvider(http, 'history', { rpcUrl: line.rpcUrl, signal });
  const history = explorer ?? (await openEtherscanOf(line, context))?.history;
  if (!history) throw new AppError('notServed', 'The endpoint is not an explorer.');
  return { address, history };
}

async function printPages<T>(
  list: HistoryList<T>,
  toJson: (row: T) => object,
  { line: { pages = 1 }, context }: { readonly line: CommandLine; readonly context: HistoryContext },
) {
  const { output, signal } = context;
  for (let page = 0; page < pages && !list.isAtEnd; page++) {
    await output.printLines((await list.next({ signal })).map(toJson));
  }
  const { state, reasons } = toListVerdict(list);
  output.printMessage(`${list.rows.length} entries: ${state}`);
  for (const reason of reasons) output.printMessage(`- ${reason}`);
  return { source: getProviderId(list.source), state, reasons, rows: list.rows.length };
}

/** The verdict on the rows read so far. It always says if there are more. */
export function toListVerdict({
  reasons: listReasons,
  isAtEnd,
}: Pick<HistoryList<unknown>, 'isAtEnd' | 'reasons'>) {
  const { state, reasons } = toCompleteness(listReasons);
  const messages = reasons.map(describeCompleteness).map(formatMessage);
  if (isAtEnd) return { state, reasons: messages };
  if (state === 'complete') return { state: 'more' as const, reasons: messages };
  return { state, reasons: [...messages, 'The list continues. Use --pages N or --all.'] };
}

/** Amounts, IDs and block numbers are decimal strings. Unknown values are null. */
function transferToJson(transfer: TokenTransfer) {
  return {
    transactionHash: transfer.transactionHash,
    blockNumber: transfer.blockNumber.toString(),
    logIndex: transfer.logIndex ?? null,
    time: formatIsoTime(transfer.time) ?? null,
    from: transfer.from,
    to: transfer.to,
    contract: transfer.contract,
    standard: transfer.standard ?? null,
    symbol: transfer.symbol ?? null,
    decimals: transfer.decimals ?? null,
    tokenId: transfer.tokenId?.toString() ?? null,
    amount: transfer.amount?.toString() ?? null,
    spam: transfer.spam ?? null,
  };
}

function balanceToJson({ blockNumber, time, wei, delta }: CoinBalance) {
  return {
    blockNumber: blockNumber.toString(),
    time: formatIsoTime(time) ?? null,
    wei: wei.toString(),
    delta: delta?.toString() ?? null,
  };
}
