import {
  AppError,
  type CoinBalance,
  formatCompletenessReason,
  formatIsoTime,
  getProviderId,
  type HistoryList,
  type HttpDeps,
  identityToJson,
  requireAddress,
  type TokenTransfer,
  toCompleteness,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import { formatKeyHint, openEndpointProvider } from '../endpoint.ts';
import { printLines, printMessage } from '../output.ts';

/** Prints what is at an address. */
export async function printIdentity(
  http: HttpDeps,
  line: CommandLine,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const address = requireAddress(line.subject);
  const { rpcUrl, chainId } = line;
  const source = await openEndpointProvider(http, 'identity', { rpcUrl, chainId, signal });
  if (!source) throw new AppError('notServed', 'The endpoint does not tell what is at an address.');
  const identity = await source.identity(address, { signal });
  await printLines([identityToJson(identity)]);
  if (identity.kind === 'unknown') printMessage(`Nobody tells what is at ${address}: see the sources.`);
  const hint = identity.sources.some(({ gap }) => gap === 'refused') ? formatKeyHint(line) : undefined;
  if (hint) printMessage(hint);
}

interface HistoryOptions {
  readonly http: HttpDeps;
  readonly line: CommandLine;
  readonly signal: AbortSignal;
}

/** Prints the token transfers of an address, newest first, one a line, then what they are worth. */
export async function printTransfers(asked: HistoryOptions): Promise<void> {
  const { address, history } = await openHistory(asked);
  const [token] = asked.line.tokens;
  const list = history.transfers(address, { token });
  const worth = await printPages(list, transferToJson, asked);
  await printLines([{ transfers: worth }]);
}

/** Prints the native balances of an address over time, newest first, one a line, then what they are worth. */
export async function printBalances(asked: HistoryOptions): Promise<void> {
  const { address, history } = await openHistory(asked);
  const worth = await printPages(history.coinBalances(address), balanceToJson, asked);
  await printLines([{ balances: worth }]);
}

async function openHistory({ http, line: { subject, rpcUrl }, signal }: HistoryOptions) {
  const address = requireAddress(subject);
  const history = await openEndpointProvider(http, 'history', { rpcUrl, signal });
  if (!history) throw new AppError('notServed', 'The endpoint is no explorer.');
  return { address, history };
}

async function printPages<T>(
  list: HistoryList<T>,
  toJson: (row: T) => object,
  { line: { pages }, signal }: HistoryOptions,
) {
  for (let page = 0; page < pages && !list.isAtEnd; page++) {
    await printLines((await list.next({ signal })).map(toJson));
  }
  const { state, reasons } = toListVerdict(list);
  printMessage(`${list.rows.length} entries: ${state}`);
  for (const reason of reasons) printMessage(`- ${reason}`);
  return { source: getProviderId(list.source), state, reasons, rows: list.rows.length };
}

/** What a list is worth as far as it was read. That there is more is told beside whatever else is wrong with it. */
export function toListVerdict({
  reasons: known,
  isAtEnd,
}: Pick<HistoryList<unknown>, 'isAtEnd' | 'reasons'>) {
  const { state, reasons } = toCompleteness(known);
  const words = reasons.map(formatCompletenessReason);
  if (isAtEnd) return { state, reasons: words };
  if (state === 'complete') return { state: 'more' as const, reasons: words };
  return { state, reasons: [...words, 'not read to the end: give --pages N or --all'] };
}

/** Amounts, ids and block numbers are decimal strings; what the explorer does not tell is null. */
function transferToJson(transfer: TokenTransfer) {
  return {
    transactionHash: transfer.transactionHash,
    blockNumber: transfer.blockNumber.toString(),
    logIndex: transfer.logIndex,
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
