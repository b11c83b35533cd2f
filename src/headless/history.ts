import {
  AppError,
  type CoinBalance,
  formatCompletenessReason,
  formatIsoTime,
  getProviderId,
  type HistoryList,
  type HttpDeps,
  requireAddress,
  type TokenTransfer,
  toCompleteness,
} from '../core/index.ts';
import type { CommandLine } from './line/commandLine.ts';
import { openSource } from './line/openSource.ts';
import { printLines, say } from './line/output.ts';

interface Asked {
  readonly http: HttpDeps;
  readonly line: CommandLine;
  readonly signal: AbortSignal;
}

/** Prints the token transfers of an address, newest first, one a line, then what they are worth. */
export async function printTransfers(asked: Asked): Promise<void> {
  const { address, history } = await historyOf(asked);
  const [token] = asked.line.tokens;
  const list = history.transfers(address, { token });
  const worth = await printPages(list, transferToJson, asked);
  await printLines([{ transfers: worth }]);
}

/** Prints the native balances of an address over time, newest first, one a line, then what they are worth. */
export async function printBalances(asked: Asked): Promise<void> {
  const { address, history } = await historyOf(asked);
  const worth = await printPages(history.coinBalances(address), balanceToJson, asked);
  await printLines([{ balances: worth }]);
}

async function historyOf({ http, line: { subject, rpcUrl }, signal }: Asked) {
  const address = requireAddress(subject);
  const history = await openSource(http, 'history', { rpcUrl, signal });
  if (!history) throw new AppError('notServed', 'The endpoint is no explorer.');
  return { address, history };
}

async function printPages<T>(
  list: HistoryList<T>,
  toJson: (row: T) => object,
  { line: { pages }, signal }: Asked,
) {
  for (let page = 0; page < pages && !list.isAtEnd; page++) {
    await printLines((await list.next({ signal })).map(toJson));
  }
  const { state, reasons } = worthOf(list);
  say(`${list.rows.length} entries: ${state}`);
  for (const reason of reasons) say(`- ${reason}`);
  return { source: getProviderId(list.source), state, reasons, rows: list.rows.length };
}

/** What a list is worth as far as it was read. That there is more is told beside whatever else is wrong with it. */
export function worthOf({ reasons: known, isAtEnd }: Pick<HistoryList<unknown>, 'isAtEnd' | 'reasons'>) {
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
