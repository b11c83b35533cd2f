import { badInput, safeUrl } from '../base/errors.ts';
import { formatIsoTime } from '../eth/time.ts';
import { createExportDecoding } from '../export/columns.ts';
import { createExportRecord, encodeLogs, getExportFormat } from '../export/formats.ts';
import type { Log } from '../logs/log.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import { formatVerdictReasons, isRangeReached, type Verdict } from '../logs/query/verdict.ts';
import {
  createContinuationCall,
  estimateToJson,
  formatContinuation,
  formatEnding,
  readWithinLimits,
} from './continuation.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from './operation.ts';
import { bytesToJson, type Finding, fitResult, type JsonObject, untrustedEvent } from './result.ts';
import type { QueryEventsInput } from './tools.ts';

/** What a mode of a query works with. */
export interface EventModeInput {
  readonly input: QueryEventsInput;
  readonly filter: LogFilter;
  readonly knowledge: OperationKnowledge;
  readonly deps: OperationDeps;
}

/** How many rows there are, exactly, and the last of them: no other row is given. */
export async function countEvents(asked: EventModeInput, options: OperationOptions): Promise<Finding> {
  const { deps, filter, input, knowledge } = asked;
  const query = deps.client.openLogQuery(filter, { order: 'oldestFirst' });
  const confirm = input.confirm === true;
  const { pages, ending, requests } = readWithinLimits(query, deps, { ...options, confirm, wanted: 'all' });
  const counted = createCount();
  for await (const { logs } of pages) counted.add(logs);
  const { verdict } = query;
  const end = ending();
  const stopped = formatEnding(end, formatContinuation(verdict));
  if (!verdict) {
    const found = { count: null, requests: requests(), ...estimateToJson(end) };
    return { complete: false, reasons: [stopped ?? 'nothing was read'], found };
  }
  const through = stopped === undefined ? verdict.toBlock : (verdict.readThrough ?? verdict.fromBlock - 1n);
  const { count, first, last } = counted.through(through);
  if (last) await knowledge.prepare([last]);
  const time = last && (await timeOf(last, deps, options));
  return {
    complete: stopped === undefined ? isComplete(verdict) : false,
    reasons: [...(stopped === undefined ? [] : [stopped]), ...listReasons(verdict)],
    head: verdict.head,
    found: {
      count: count.toString(),
      range: rangeToJson(verdict),
      ...(first &&
        last && { firstBlock: first.blockNumber.toString(), last: eventRowToJson(last, knowledge, time) }),
      ...(stopped !== undefined && {
        countedThrough: through.toString(),
        next_call: { ...createContinuationCall(input, verdict), note: 'add its count to this one' },
      }),
      ...estimateToJson(end),
    },
  };
}

/** When the block of a row was made, where the node tells; no reason to fail. */
async function timeOf(
  log: Log,
  { client }: Pick<OperationDeps, 'client'>,
  { signal }: OperationOptions,
): Promise<number | undefined> {
  if (log.time !== undefined) return log.time;
  const times = await client.fetchBlockTimes([log.blockNumber], { signal }).catch(() => undefined);
  return times?.get(log.blockNumber)?.time;
}

interface Counted {
  readonly count: bigint;
  readonly first: Log | undefined;
  readonly last: Log | undefined;
}

/** Counts rows that come in order. Of a cut all but the last block is whole. */
function createCount() {
  let before: Counted = { count: 0n, first: undefined, last: undefined };
  let now = before;
  let block: bigint | undefined;
  return {
    add(logs: readonly Log[]): void {
      for (const log of logs) {
        if (log.blockNumber !== block) before = now;
        block = log.blockNumber;
        now = { count: now.count + 1n, first: now.first ?? log, last: log };
      }
    },
    through: (through: bigint): Counted => (block === undefined || block <= through ? now : before),
  };
}

const SAMPLE = 5;

/** A few rows, to see what they look like: the newest, if nothing else is asked for. */
export async function sampleEvents(asked: EventModeInput, options: OperationOptions): Promise<Finding> {
  const { deps, filter, input, knowledge } = asked;
  const order = input.order ?? 'newestFirst';
  const query = deps.client.openLogQuery(filter, { order });
  const confirm = input.confirm === true;
  const { pages, ending } = readWithinLimits(query, deps, { ...options, confirm, wanted: 'some' });
  const rows: Log[] = [];
  for await (const { logs } of pages) {
    rows.push(...logs.slice(0, SAMPLE + 1 - rows.length));
    if (rows.length > SAMPLE) break;
  }
  const end = ending();
  const stopped = formatEnding(end, 'narrow the range');
  const { verdict } = query;
  const given = rows.slice(0, SAMPLE);
  await knowledge.prepare(given);
  const isAll = rows.length <= SAMPLE && stopped === undefined;
  return {
    complete: isAll && verdict ? isComplete(verdict) : false,
    reasons: [
      ...(stopped === undefined ? [] : [stopped]),
      ...(isAll ? [] : [`a sample: ${given.length} rows, and there are more`]),
      ...(isAll && verdict ? listReasons(verdict) : []),
    ],
    head: verdict?.head,
    found: {
      order,
      ...(verdict && { range: rangeToJson(verdict) }),
      rows: given.map((log) => eventRowToJson(log, knowledge)),
      ...estimateToJson(end),
    },
  };
}

/**
 * All rows, decoded, in a new file with its record beside it.
 *
 * @throws AppError `badInput` for `mode` where no folder is there to write to, for `file` where one is there already.
 */
export async function writeEvents(
  asked: EventModeInput & { readonly chainId: number | undefined },
  options: OperationOptions,
): Promise<Finding> {
  const { deps, filter, input, knowledge, chainId } = asked;
  const { files, clock } = deps;
  if (!files) {
    throw badInput(
      'mode',
      'No folder is there to write files to: the user names one with --out DIR. Use mode count, sample or rows.',
    );
  }
  const format = input.format ?? 'ndjson';
  const startedAt = clock.now();
  const order = input.order ?? 'oldestFirst';
  const query = deps.client.openLogQuery(filter, { order });
  const { pages, ending, requests } = readWithinLimits(query, deps, {
    ...options,
    confirm: input.confirm === true,
    wanted: 'all',
  });
  const exported = createExportDecoding({ filter, chainId: chainId ?? 0, lookup: knowledge.lookup });
  const decoding = { ...exported, decode: knowledge.decode, prepare: async () => undefined };
  let rows = 0;

  async function* logsOf(): AsyncGenerator<readonly Log[]> {
    for await (const { logs } of pages) {
      await knowledge.prepare(logs);
      rows += logs.length;
      yield logs;
    }
    // A part of an answer is no file: how it can be had whole is said instead.
    if (ending().kind !== 'end') throw new Unfinished();
  }

  const base = input.file ?? `events-${startedAt}`;
  try {
    const written = await files.write(
      `${base}.${getExportFormat(format).extension}`,
      encodeLogs(format, logsOf(), decoding),
      () => {
        const { verdict } = query;
        if (!verdict) throw new Error('A query that was read says what it is worth.');
        const { network, version } = deps;
        const record = createExportRecord({
          ...{ format, rows, filter, decoding, verdict, startedAt, version, finishedAt: clock.now() },
          network: {
            ...{ id: '', name: network.name ?? safeUrl(network.rpcUrl) },
            ...{ chainId: chainId ?? 0, rpcUrl: network.rpcUrl },
          },
          rowOrder: rows > 0 ? { by: 'block', descending: order === 'newestFirst' } : undefined,
        });
        return {
          name: `${base}.${getExportFormat(format).extension}.json`,
          content: new TextEncoder().encode(`${JSON.stringify(record, undefined, 2)}\n`),
        };
      },
    );
    const { verdict } = query;
    return {
      complete: verdict ? isComplete(verdict) : 'unknown',
      reasons: verdict ? listReasons(verdict) : [],
      head: verdict?.head,
      found: {
        ...{ file: written.path, bytes: written.bytes, sha256: written.sha256, format, rows },
        record: `${written.path}.json`,
        ...(verdict && { range: rangeToJson(verdict) }),
      },
    };
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    const end = ending();
    const goOn = 'narrow the range, or call again with confirm: true';
    return {
      complete: false,
      reasons: [formatEnding(end, goOn) ?? 'the rows were not read to their end'],
      head: query.verdict?.head,
      found: { file: null, rowsRead: rows, requests: requests(), ...estimateToJson(end) },
    };
  }
}

class Unfinished extends Error {}

/** Bytes of one row, both forms counted: so that a page has several, whatever is in them. */
const MAX_ROW_BYTES = 5000;

/** A row as JSON: where it is, and what it says; topics and data where that is not known. */
export function eventRowToJson(
  log: Log,
  { decode }: Pick<OperationKnowledge, 'decode'>,
  time?: number,
): JsonObject {
  const decoded = untrustedEvent(decode(log));
  const made = formatIsoTime(log.time ?? time);
  const raw: JsonObject = decoded.event === null ? { topics: log.topics, data: bytesToJson(log.data) } : {};
  return fitResult<JsonObject>(
    {
      block: log.blockNumber.toString(),
      ...(made !== undefined && { time: made }),
      logIndex: log.logIndex,
      transaction: log.transactionHash,
      address: log.address,
      ...decoded,
      ...raw,
    },
    MAX_ROW_BYTES,
  );
}

/**
 * What a verdict makes of an answer that was read to its end. Of blocks that are still to be mined nobody knows.
 *
 * @example const complete = isComplete(verdict);
 */
export function isComplete(verdict: Verdict): boolean | 'unknown' {
  if (verdict.state === 'complete') return isRangeReached(verdict);
  return verdict.state === 'more' ? false : 'unknown';
}

/**
 * Why an answer is not complete, or what is to be known about it, in English.
 *
 * @example const reasons = listReasons(verdict);
 */
export function listReasons(verdict: Verdict): readonly string[] {
  const { found, toBlock } = verdict;
  const later = found?.to?.outside === 'afterHead' ? formatIsoTime(found.to.asked) : undefined;
  const words =
    later === undefined ? [] : [`the chain has not come to ${later} yet: this is through block ${toBlock}`];
  return [...formatVerdictReasons(verdict), ...words];
}

/** The blocks that were asked for, as they were resolved. */
function rangeToJson({ fromBlock, toBlock }: Verdict): JsonObject {
  return { from: fromBlock.toString(), to: toBlock.toString() };
}
