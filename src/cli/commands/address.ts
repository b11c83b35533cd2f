import {
  AppError,
  type CoinBalance,
  createChainClient,
  describeCompleteness,
  formatIsoTime,
  formatMessage,
  getProviderId,
  type HistoryList,
  type HttpDeps,
  identityToJson,
  requireWrittenAddress,
  type TokenTransfer,
  toCompleteness,
  withCreation,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import { formatKeyHint, openEndpointProvider, openEtherscan, reconcileChainId } from '../endpoint.ts';
import { printLines, printMessage } from '../output.ts';

export async function printIdentity(
  http: HttpDeps,
  line: CommandLine,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const address = requireWrittenAddress(line.subject);
  const { rpcUrl, chainId } = line;
  const provider = await openEndpointProvider(http, 'identity', { rpcUrl, chainId, signal });
  if (!provider) throw new AppError('notServed', 'The endpoint does not report what is at an address.');
  const etherscan = await openEtherscanOf({ http, line, signal });
  const findOther = async () => etherscan?.identity;
  const identity = await withCreation(provider, findOther, http.clock).identity(address, { signal });
  await printLines([identityToJson(identity)]);
  if (identity.kind === 'unknown') printMessage(`It is unknown what is at ${address}. See sources.`);
  const isRefused = identity.sources.some(({ source, reason }) => reason === 'refused' && !source.takesKey);
  const hint = isRefused ? formatKeyHint(line) : undefined;
  if (hint) printMessage(hint);
}

/** Etherscan, if the command line names its key. @throws AppError of any network kind without a chain ID. */
async function openEtherscanOf({ http, line, signal }: HistoryOptions) {
  const { rpcUrl, etherscanKeyEnv } = line;
  if (etherscanKeyEnv === undefined || rpcUrl === undefined) return undefined;
  const reported = await createChainClient({ ...http, url: rpcUrl }).getChainId({ signal });
  return openEtherscan(http, line, { chainId: reconcileChainId(line.chainId, reported), signal });
}

/** Prints the token transfers of an address, newest first, one a line, then the verdict. */
export async function printTransfers(options: HistoryOptions): Promise<void> {
  const { address, history } = await openHistory(options);
  const [token] = options.line.tokens;
  const list = history.transfers(address, { token });
  const verdict = await printPages(list, transferToJson, options);
  await printLines([{ transfers: verdict }]);
}

/** Prints the native balances of an address over time, newest first, one a line, then the verdict. */
export async function printBalances(options: HistoryOptions): Promise<void> {
  const { address, history } = await openHistory(options);
  const verdict = await printPages(history.coinBalances(address), balanceToJson, options);
  await printLines([{ balances: verdict }]);
}

interface HistoryOptions {
  readonly http: HttpDeps;
  readonly line: CommandLine;
  readonly signal: AbortSignal;
}

/** The history by the explorer, else by Etherscan. */
async function openHistory(options: HistoryOptions) {
  const { http, line, signal } = options;
  const address = requireWrittenAddress(line.subject);
  const explorer = await openEndpointProvider(http, 'history', { rpcUrl: line.rpcUrl, signal });
  const history = explorer ?? (await openEtherscanOf(options))?.history;
  if (!history) throw new AppError('notServed', 'The endpoint is not an explorer.');
  return { address, history };
}

async function printPages<T>(
  list: HistoryList<T>,
  toJson: (row: T) => object,
  { line: { pages = 1 }, signal }: HistoryOptions,
) {
  for (let page = 0; page < pages && !list.isAtEnd; page++) {
    await printLines((await list.next({ signal })).map(toJson));
  }
  const { state, reasons } = toListVerdict(list);
  printMessage(`${list.rows.length} entries: ${state}`);
  for (const reason of reasons) printMessage(`- ${reason}`);
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
