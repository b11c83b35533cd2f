import type { AbiEvent } from '../abi/item.ts';
import { badInput, safeUrl } from '../base/errors.ts';
import { decimal, type OwnText, ownText, ownWord } from '../base/ownText.ts';
import { formatQuantity } from '../base/text.ts';
import { pushAll } from '../base/values.ts';
import { createExportDecoding } from '../export/columns.ts';
import { createExportRecord, encodeLogs, getExportFormat } from '../export/formats.ts';
import type { Log } from '../logs/log.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import { describeReasons, type Verdict } from '../logs/query/verdict.ts';
import { messageText, timeText, userText } from './agentText.ts';
import {
  createContinuationCall,
  estimateToJson,
  formatContinuation,
  formatEnding,
  readWithinLimits,
} from './continuation.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from './operation.ts';
import {
  bytesToJson,
  type Finding,
  fitResult,
  type JsonObject,
  toCompletion,
  untrustedEvent,
} from './result.ts';
import type { QueryEventsInput } from './tools.ts';

export interface EventModeInput {
  readonly input: QueryEventsInput;
  readonly filter: LogFilter;
  readonly knowledge: OperationKnowledge;
  readonly deps: OperationDeps;
  /** The event, if its declaration is known. */
  readonly declared?: AbiEvent | undefined;
}

/** Counts all rows; also returns the first block and the last row. */
export async function countEvents(modeInput: EventModeInput, options: OperationOptions): Promise<Finding> {
  const { deps, filter, input, knowledge } = modeInput;
  const { query, pages, ending, requests } = readWithinLimits(filter, deps, {
    ...options,
    order: 'oldestFirst',
    confirm: input.confirm === true,
    extent: 'all',
  });
  const counter = createCounter();
  for await (const { logs } of pages) counter.add(logs);
  const { verdict } = query;
  const end = ending();
  const stopped = formatEnding(end, formatContinuation(verdict));
  if (!verdict) {
    const found = { count: null, requests: requests(), ...estimateToJson(end) };
    return { ...toCompletion(false, [stopped ?? ownText`Nothing was read.`]), found };
  }
  const through = stopped === undefined ? verdict.toBlock : (verdict.readThrough ?? verdict.fromBlock - 1n);
  const { count, first, last } = counter.through(through);
  if (last) await knowledge.prepare([last]);
  const time = last && (await fetchLogTime(last, deps, options));
  return {
    ...toCompletion(stopped === undefined ? isComplete(verdict) : false, [
      ...(stopped === undefined ? [] : [stopped]),
      ...listReasons(verdict),
    ]),
    head: verdict.head,
    found: {
      count: decimal(count),
      range: rangeToJson(verdict),
      ...(first &&
        last && { firstBlock: decimal(first.blockNumber), last: eventRowToJson(last, knowledge, time) }),
      ...(stopped !== undefined && {
        countedThrough: decimal(through),
        next_call: { ...createContinuationCall(input, verdict), note: ownText`Add its count to this one.` },
      }),
      ...estimateToJson(end),
    },
  };
}

/** The time of the block of a log; undefined if it cannot be fetched. */
async function fetchLogTime(
  log: Log,
  { client }: Pick<OperationDeps, 'client'>,
  { signal }: OperationOptions,
): Promise<number | undefined> {
  if (log.time !== undefined) return log.time;
  const times = await client.fetchBlockTimes([log.blockNumber], { signal }).catch(() => undefined);
  return times?.get(log.blockNumber)?.time;
}

/** Counts rows in order. `through` can leave out the last block, which is incomplete if reading stopped early. */
function createCounter() {
  let beforeBlock: Count = { count: 0n, first: undefined, last: undefined };
  let now = beforeBlock;
  let block: bigint | undefined;
  return {
    add(logs: readonly Log[]): void {
      for (const log of logs) {
        if (log.blockNumber !== block) beforeBlock = now;
        block = log.blockNumber;
        now = { count: now.count + 1n, first: now.first ?? log, last: log };
      }
    },
    through: (lastBlock: bigint): Count => (block === undefined || block <= lastBlock ? now : beforeBlock),
  };
}

interface Count {
  readonly count: bigint;
  readonly first: Log | undefined;
  readonly last: Log | undefined;
}

/** Returns a few rows as examples, by default the newest. */
export async function sampleEvents(modeInput: EventModeInput, options: OperationOptions): Promise<Finding> {
  const { deps, filter, input, knowledge } = modeInput;
  const order = input.order ?? 'newestFirst';
  const { query, pages, ending } = readWithinLimits(filter, deps, {
    ...options,
    order,
    confirm: input.confirm === true,
    extent: 'some',
  });
  const rows: Log[] = [];
  for await (const { logs } of pages) {
    pushAll(rows, logs.slice(0, SAMPLE_ROWS + 1 - rows.length));
    if (rows.length > SAMPLE_ROWS) break;
  }
  const end = ending();
  const stopped = formatEnding(end, ownText`Narrow the range.`);
  const { verdict } = query;
  const sample = rows.slice(0, SAMPLE_ROWS);
  await knowledge.prepare(sample);
  const isAll = rows.length <= SAMPLE_ROWS && stopped === undefined;
  return {
    ...toCompletion(isAll && verdict ? isComplete(verdict) : false, [
      ...(stopped === undefined ? [] : [stopped]),
      ...(isAll
        ? []
        : [ownText`This is a sample of ${userText(formatQuantity(sample.length, 'row'))}. There are more.`]),
      ...(isAll && verdict ? listReasons(verdict) : []),
    ]),
    head: verdict?.head,
    found: {
      order: ownWord(order),
      ...(verdict && { range: rangeToJson(verdict) }),
      rows: sample.map((log) => eventRowToJson(log, knowledge)),
      ...estimateToJson(end),
    },
  };
}

const SAMPLE_ROWS = 5;

/**
 * Writes all rows, decoded, to a new file, and its record beside it.
 *
 * @throws AppError `badInput` for `mode` if there is no folder for files; for `file` if it exists.
 */
export async function writeEvents(
  modeInput: EventModeInput & { readonly chainId: number | undefined },
  options: OperationOptions,
): Promise<Finding> {
  const { deps, filter, input, knowledge, chainId } = modeInput;
  const { files, clock } = deps;
  if (!files) {
    throw badInput(
      'mode',
      'There is no folder for files. The user can set one with --out DIR. Use mode count, sample or rows.',
    );
  }
  const format = input.format ?? 'ndjson';
  const startedAt = clock.now();
  const order = input.order ?? 'oldestFirst';
  const { query, pages, ending, requests } = readWithinLimits(filter, deps, {
    ...options,
    order,
    confirm: input.confirm === true,
    extent: 'all',
  });
  const exportDecoding = createExportDecoding({ filter, chainId: chainId ?? 0, lookup: knowledge.lookup });
  const decoding = {
    ...exportDecoding,
    event: exportDecoding.event ?? modeInput.declared,
    decode: knowledge.decode,
    prepare: async () => undefined,
  };
  let rows = 0;

  async function* readLogs(): AsyncGenerator<readonly Log[]> {
    for await (const { logs } of pages) {
      await knowledge.prepare(logs);
      rows += logs.length;
      yield logs;
    }
    // No file for a partial result: the finding explains how to get all of it.
    if (ending().kind !== 'end') throw new UnfinishedError();
  }

  const fileName = `${input.file ?? `events-${startedAt}`}.${getExportFormat(format).extension}`;
  try {
    const written = await files.write(fileName, encodeLogs(format, readLogs(), decoding), () => {
      const { verdict } = query;
      if (!verdict) throw new Error('A query that was read has a verdict.');
      const { network, version } = deps;
      const record = createExportRecord({
        format,
        rows,
        filter,
        decoding,
        verdict,
        startedAt,
        version,
        finishedAt: clock.now(),
        network: {
          id: '',
          name: network.name ?? safeUrl(network.rpcUrl),
          chainId: chainId ?? 0,
          rpcUrl: network.rpcUrl,
        },
        rowOrder: rows > 0 ? { by: 'block', descending: order === 'newestFirst' } : undefined,
      });
      return {
        name: `${fileName}.json`,
        content: new TextEncoder().encode(`${JSON.stringify(record, undefined, 2)}\n`),
      };
    });
    const { verdict } = query;
    return {
      ...toCompletion(verdict ? isComplete(verdict) : 'unknown', verdict ? listReasons(verdict) : []),
      head: verdict?.head,
      found: {
        file: userText(written.path, MAX_PATH_CHARS),
        bytes: written.bytes,
        sha256: userText(written.sha256),
        format: ownWord(format),
        rows,
        record: userText(`${written.path}.json`, MAX_PATH_CHARS),
        ...(verdict && { range: rangeToJson(verdict) }),
      },
    };
  } catch (error) {
    if (!(error instanceof UnfinishedError)) throw error;
    const end = ending();
    const howToContinue = ownText`Narrow the range, or call again with confirm: true.`;
    return {
      complete: false,
      reasons: [formatEnding(end, howToContinue) ?? ownText`Not all rows were read.`],
      head: query.verdict?.head,
      found: { file: null, rowsRead: rows, requests: requests(), ...estimateToJson(end) },
    };
  }
}

class UnfinishedError extends Error {}

/** Of a path in the folder that the user chose. */
const MAX_PATH_CHARS = 4096;

/** A row as JSON: its position, and its decoded event; topics and data if that is unknown. */
export function eventRowToJson(
  log: Log,
  { decode }: Pick<OperationKnowledge, 'decode'>,
  time?: number,
): JsonObject {
  const decoded = untrustedEvent(decode(log));
  const blockTime = timeText(log.time ?? time);
  const rawParts: JsonObject =
    decoded.event === null ? { topics: log.topics, data: bytesToJson(log.data) } : {};
  return fitResult<JsonObject>(
    {
      block: decimal(log.blockNumber),
      ...(blockTime !== undefined && { time: blockTime }),
      logIndex: log.logIndex,
      transaction: log.transactionHash,
      address: log.address,
      ...decoded,
      ...rawParts,
    },
    MAX_ROW_BYTES,
  );
}

/** Bytes of one row in both forms: a page always has room for several. */
const MAX_ROW_BYTES = 5000;

/** Whether a result that was read to its end is complete. False if the chain has not reached the end of its range. */
export function isComplete(verdict: Verdict): boolean | 'unknown' {
  if (verdict.state === 'uncertain') return 'unknown';
  return verdict.state === 'complete';
}

/** Why a result is not complete, in English. */
export function listReasons({ reasons }: Verdict): readonly OwnText[] {
  return describeReasons(reasons).map(messageText);
}

/** The blocks of a query, resolved. */
export function rangeToJson({ fromBlock, toBlock }: Verdict): JsonObject {
  return { from: decimal(fromBlock), to: decimal(toBlock) };
}
