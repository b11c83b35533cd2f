import {
  type AppError,
  asAppError,
  type ChainClient,
  describeReasons,
  formatMessage,
  formatQuantity,
  foundBoundsToJson,
  type Hex,
  judge,
  type Transaction,
} from '../../core/index.ts';
import { createDeadline, createTimeoutError, type Deadline } from '../checks/filedChecks.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, getErrorExitCode } from '../exitCode.ts';
import { errorToJson } from '../output.ts';
import { printFoundBlocks } from './logs.ts';
import {
  type DecodingContext,
  LOOKUPS_AT_ONCE,
  openTransactions,
  type TransactionPrinter,
} from './transaction.ts';

const MAX_BLOCKS = 10_000;
/** A block is printed as a whole, so a few more are possible. */
const MAX_TRANSACTIONS = 1_000;
const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * Prints the failed transactions of `--from` to `--to`, oldest first, each as `transaction HASH` does; then the verdict.
 * If it fails after the first blocks, the error is on the line of the verdict.
 *
 * @returns 3 unless every block of the range is read.
 * @throws AppError `badInput` for the range; `notServed` if the endpoint has no blocks or no transactions.
 */
export async function printFailedTransactions(
  line: CommandLine,
  decodingContext: DecodingContext,
  context: CliContext,
): Promise<ExitCode> {
  const { output } = context;
  const { sentTo, timeoutMs = DEFAULT_TIMEOUT_MS } = line;
  const { fromBlock = '', toBlock = 'latest' } = line.bounds;
  const deadline = createDeadline(timeoutMs, context.signal);
  const { signal } = deadline;
  let opened: OpenedRange;
  try {
    const transactions = await openTransactions(line, decodingContext, { ...context, signal });
    const range = await decodingContext.client.openFailedTransactions({ fromBlock, toBlock }, { signal });
    opened = { range, transactions, deadline, timeoutMs, sentTo };
  } catch (cause) {
    throw deadline.isOver() ? createTimeoutError('Finding the range', timeoutMs) : cause;
  }
  const { range } = opened;
  const reading = await readRange(opened);
  const { rows, readThrough, error } = reading;
  if (error && rows === 0 && readThrough === undefined) throw error;
  const { state, reasons } = judgeReading(range, reading);
  const verdict = {
    ...{ state, reasons },
    fromBlock: range.fromBlock.toString(),
    toBlock: range.toBlock.toString(),
    head: range.head.toString(),
    ...(range.requestedTo !== undefined && { askedTo: range.requestedTo.toString() }),
    ...(range.found && { found: foundBoundsToJson(range.found) }),
    readThrough: readThrough?.toString() ?? null,
    rows,
    ...(sentTo && { sentTo }),
  };
  await output.printLines([{ ...(error && { error: errorToJson(error) }), verdict }]);
  const which = `failed transaction${rows === 1 ? '' : 's'}${sentTo ? ` sent to ${sentTo}` : ''}`;
  const { fromBlock: first, toBlock: last, head } = range;
  output.printMessage(
    first > head
      ? `range not reached yet: it starts at block ${first}, the head is ${head}`
      : `${rows} ${which}, blocks ${first} to ${last}, head ${head}: ${state}`,
  );
  printFoundBlocks(range, output);
  for (const reason of reasons) output.printMessage(`- ${reason}`);
  if (error) return getErrorExitCode(error);
  return state === 'complete' ? 0 : 3;
}

type FailedRange = Awaited<ReturnType<ChainClient['openFailedTransactions']>>;

interface OpenedRange extends Pick<CommandLine, 'sentTo'> {
  readonly range: FailedRange;
  readonly transactions: TransactionPrinter;
  readonly deadline: Deadline;
  readonly timeoutMs: number;
}

interface Reading {
  /** Transactions that were printed. */
  readonly rows: number;
  /** Every failed transaction up to this block is printed, as far as there are no gaps. */
  readonly readThrough: bigint | undefined;
  readonly gaps: ReadonlyMap<Gap, { readonly first: bigint; readonly blocks: number }>;
  /** The limit that ended it. */
  readonly limit: string | undefined;
  readonly error: AppError | undefined;
}

/** Prints the failed transactions of a range until its end, or a limit. An error ends it with what was printed. */
export async function readRange({
  range,
  transactions,
  deadline,
  timeoutMs,
  sentTo,
}: OpenedRange): Promise<Reading> {
  const lastOfLimit = range.fromBlock + BigInt(MAX_BLOCKS) - 1n;
  const gaps = new Map<Gap, { readonly first: bigint; readonly blocks: number }>();
  let rows = 0;
  let readThrough: bigint | undefined;
  let pending = new Map<Hex, bigint>();
  const isWanted = (...targets: readonly (string | undefined)[]) => !sentTo || targets.includes(sentTo);
  const addGap = (gap: Gap, block: bigint) => {
    const { first = block, blocks = 0 } = gaps.get(gap) ?? {};
    gaps.set(gap, { first, blocks: blocks + 1 });
  };

  async function printPending(): Promise<void> {
    const blocks = pending;
    pending = new Map();
    for await (const [hash, result] of transactions.lookUp([...blocks.keys()])) {
      const found: Partial<Transaction> = result.kind === 'transaction' ? result.transaction : {};
      if (found.status !== 'failed') addGap('otherOutcome', blocks.get(hash) ?? range.fromBlock);
      else if (isWanted(found.to, found.created)) {
        await transactions.print(hash, result);
        rows += 1;
      }
    }
  }

  let limit: string | undefined;
  let error: AppError | undefined;
  try {
    for await (const { block, failed, gap } of range.read()) {
      if (gap) addGap(gap, block);
      for (const { hash, target } of failed)
        if (target === undefined || isWanted(target)) pending.set(hash, block);
      const isLast = block === range.toBlock || block === lastOfLimit;
      if (pending.size >= LOOKUPS_AT_ONCE || isLast) await printPending();
      if (pending.size === 0) readThrough = block;
      if (rows >= MAX_TRANSACTIONS) limit = `Reading stopped at ${formatQuantity(rows, 'transaction')}`;
      else if (isLast) limit = `At most ${formatQuantity(MAX_BLOCKS, 'block')} are read`;
      if (limit !== undefined) break;
    }
    if (readThrough === range.toBlock) limit = undefined;
  } catch (cause) {
    if (deadline.isOver()) limit = `Reading stopped after ${timeoutMs / 1000} s, the limit of --timeout`;
    else error = asAppError(cause);
  }
  return { rows, readThrough, gaps, limit, error };
}

/** `otherOutcome`: a transaction that failed by its receipt is not found, or did not fail, when it is looked up. */
type Gap = keyof typeof GAPS;

/** `{0}` is the first block, and the number of others. */
const GAPS = {
  noBlock: 'The endpoint did not return block {0}. Transactions may be missing. Run the command again.',
  noReceipts:
    'The endpoint did not return the receipts of block {0}, so its failed transactions are not known. Use an archive node.',
  noStatus:
    'Receipts of block {0} have no status, as before Byzantium, so its failed transactions are not known.',
  otherOutcome:
    'Transactions of block {0} failed by their receipts, but were not found, or did not fail, when they were looked up. Run the command again.',
  otherReceipts:
    'The receipts that the endpoint returned for block {0} are not those of its transactions. Transactions may be missing. Use another endpoint.',
  replaced: 'The chain was reorganized at block {0} while it was read. Run the command again.',
} as const;

/** What a reading is worth, with every reason in words. */
export function judgeReading({ fromBlock, head, requestedTo, found }: FailedRange, reading: Reading) {
  const { gaps, limit, error, readThrough } = reading;
  const next = (readThrough ?? fromBlock - 1n) + 1n;
  const unordered = [found?.from?.unorderedAt, found?.to?.unorderedAt].find((block) => block !== undefined);
  const isUnreached = requestedTo !== undefined || found?.to?.outside === 'afterHead';
  const unreached =
    fromBlock > head
      ? [`The range starts after the latest block, ${head}. Try again later.`]
      : isUnreached
        ? [`The range ends after the latest block, ${head}, so later transactions are not included.`]
        : [];
  const doubts = [
    ...(unordered === undefined
      ? []
      : describeReasons([{ code: 'unorderedTimes', block: unordered }]).map(formatMessage)),
    ...[...gaps].map(([gap, { first, blocks }]) =>
      GAPS[gap].replace('{0}', blocks === 1 ? `${first}` : `${first} and ${blocks - 1} more`),
    ),
    ...(error ? [`Reading ended at block ${next}. ${error.message}`] : []),
  ];
  return judge<'more' | 'uncertain' | 'unreached', string>({
    state: limit === undefined ? 'complete' : 'more',
    otherwise: doubts.length === 0 ? 'unreached' : 'uncertain',
    reasons: [
      ...unreached,
      ...doubts,
      ...(limit === undefined ? [] : [`${limit}. Continue with --from ${next}.`]),
    ],
  });
}
