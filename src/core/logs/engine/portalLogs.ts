import type { WaitForBackoff } from '../../base/clock.ts';
import { AppError, isAppError } from '../../base/errors.ts';
import type { WorkQueue } from '../../base/timeSlices.ts';
import { isRecord } from '../../base/values.ts';
import { type Hex, toQuantity } from '../../eth/hex.ts';
import type { HttpDeps, TimedResponse } from '../../http/exchange.ts';
import { createPortalClient, createPortalRpc } from '../../portal/portalClient.ts';
import type {
  PortalBlock,
  PortalClient,
  PortalLogItem,
  StreamRequest,
  StreamResponse,
} from '../../portal/portalMessages.ts';
import type { Log } from '../log.ts';
import { portalDialect } from './dialect.ts';
import type { DialectMemory } from './dialectMemory.ts';
import { waitForReplica } from './fetchLogs.ts';
import type { CoverageRange, FetchWithCoverage, LogsWithCoverage } from './getLogs.ts';
import { MAX_BLOCK_ROWS } from './limits.ts';
import { parseLogs, type WireLogs } from './parseLogs.ts';
import type { ServerWatch } from './probeServer.ts';
import { createSeamBlocks, type SeamBlock } from './rowChecks.ts';
import type { ServerFilter } from './serverFilters.ts';

/** Answers that one range is read in, at most, where its last block is needed: then fewer blocks are asked for. */
const MAX_RESPONSES = 12;
/** Times that a range is begun anew because the chain changed while it was read; then no parent is named any more. */
const MAX_FORKS = 2;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Upwards, where it costs nothing to leave an answer: as many rows as are read of a server at once. */
const TARGET_RESPONSE_BYTES = 4 * 1024 * 1024;

/**
 * Asks a portal for ranges, as one query does. An answer counts through its last block, which the portal always names.
 * The hash of the block before the first goes along where it is known, so that a reorg shows at the seam.
 *
 * @throws AppError as {@link PortalClient.stream} does; `tooLarge` where the last block is needed and not reached.
 */
function createPortalFetcher(
  portal: Pick<PortalClient, 'metadata' | 'stream'>,
  wait: WaitForBackoff,
): FetchWithCoverage {
  const seams = createSeamBlocks();
  let start: bigint | undefined;

  return async (part, range) => {
    if (start !== undefined && range.fromBlock < start) return fromStart(start, part, range);
    try {
      return await ask(part, range);
    } catch (error) {
      // A dataset that begins above the range refuses it.
      if (start !== undefined || !isAppError(error, 'rpc')) throw error;
      const { startBlock = 0n } = await portal.metadata({ ...range.retry, signal: range.signal });
      start = startBlock;
      if (range.fromBlock >= start) throw error;
      return fromStart(start, part, range);
    }
  };

  async function fromStart(
    startsAt: bigint,
    part: ServerFilter,
    range: CoverageRange,
  ): Promise<LogsWithCoverage> {
    if (range.toBlock >= startsAt)
      return { ...(await ask(part, { ...range, fromBlock: startsAt })), startsAt };
    return { wire: wireOf([]), coveredTo: range.toBlock, head: undefined, reorgAt: undefined, startsAt };
  }

  async function ask(
    part: ServerFilter,
    { fromBlock, toBlock, needsLast, retry, signal, maxBytes }: CoverageRange,
  ): Promise<LogsWithCoverage> {
    const logs = [toPortalItem(part)];
    let attempt = beginAttempt(fromBlock);
    let head: bigint | undefined;
    let reorgAt: bigint | undefined;
    let left = maxBytes ?? (needsLast ? MAX_RESPONSE_BYTES : TARGET_RESPONSE_BYTES);
    let answers = 0;
    let behind = 0;
    let forks = 0;

    async function stream(asked: StreamRequest): Promise<StreamResponse> {
      try {
        return await portal.stream(asked, { ...retry, signal, maxBytes: left });
      } catch (error) {
        if (needsLast || maxBytes !== undefined || !isAppError(error, 'tooLarge')) throw error;
        // One block holds more than is read of many.
        const first = { ...asked, toBlock: asked.fromBlock };
        return portal.stream(first, { ...retry, signal, maxBytes: MAX_RESPONSE_BYTES });
      }
    }

    while (attempt.knownTo < toBlock) {
      const { knownTo } = attempt;
      const parentBlockHash = forks > MAX_FORKS ? undefined : (attempt.lastHash ?? seams.hashAt(knownTo));
      const answer = await stream({ fromBlock: knownTo + 1n, toBlock, parentBlockHash, logs });
      if (answer.state === 'fork') {
        if (++forks > MAX_FORKS + 1)
          throw new AppError('badResponse', 'The portal tells of a fork without end.');
        // What was given before this range may be of another chain; what is of this range is read anew.
        if (attempt.lastHash === undefined)
          reorgAt = seams.dropContradicted(answer.previousBlocks) ?? knownTo;
        attempt = beginAttempt(fromBlock);
        if (reorgAt !== undefined) forks = MAX_FORKS + 1;
        continue;
      }
      head = answer.head;
      if (answer.state === 'none') {
        if (await waitForReplica(wait, behind++, { signal })) continue;
        break;
      }
      attempt.take(answer.blocks);
      left -= answer.bytes;
      answers++;
      if (!needsLast) break;
      if (attempt.knownTo < toBlock && (answers === MAX_RESPONSES || left <= 0)) {
        throw new AppError('tooLarge', 'The range takes more answers than are read for one.');
      }
    }
    const otherAt = seams.add(attempt.ends);
    reorgAt ??= attempt.brokenAt ?? otherAt;
    return { wire: wireOf(attempt.rows.flat()), coveredTo: attempt.knownTo, head, reorgAt };
  }
}

function wireOf(logs: Log[]): WireLogs {
  return { logs, count: logs.length, removedAt: [], hasBareNumbers: false, inOrder: true };
}

/** What was read of a range since it was last begun; given out or dropped as a whole. */
function beginAttempt(fromBlock: bigint) {
  const own = createSeamBlocks();
  const rows: (readonly Log[])[] = [];
  const ends: SeamBlock[] = [];
  let knownTo = fromBlock - 1n;
  let lastHash: Hex | undefined;
  let brokenAt: bigint | undefined;
  return {
    rows,
    /** The first and last blocks of the answers, which others begin and end beside. */
    ends,
    get knownTo() {
      return knownTo;
    },
    get lastHash() {
      return lastHash;
    },
    /** Where the blocks are not of one chain. */
    get brokenAt() {
      return brokenAt;
    },
    take(blocks: readonly PortalBlock[]) {
      brokenAt ??= own.add(blocks);
      rows.push(toLogs(blocks));
      const [first] = blocks;
      const last = blocks[blocks.length - 1];
      if (!first || !last) return;
      for (const { number, hash, parentHash } of first === last ? [first] : [first, last]) {
        ends.push({ number, hash, parentHash });
      }
      knownTo = last.number;
      lastHash = last.hash;
    },
  };
}

interface PortalConnection {
  /** URL of the dataset. */
  readonly url: string;
  readonly http: HttpDeps;
  readonly memory: DialectMemory;
  readonly turn: WorkQueue;
  readonly wait: WaitForBackoff;
  readonly onAnswer: (answer: TimedResponse, error: AppError | undefined) => void;
}

/** What a query asks a portal with, which is known for what it is by its URL and does not become another server. */
export function connectPortal({ url, http, memory, turn, wait, onAnswer }: PortalConnection) {
  memory.learn(portalDialect);
  const portal = createPortalClient({ ...http, url, turn, wait, onAnswer });
  return {
    rpc: createPortalRpc(portal, url),
    fetchWithCoverage: createPortalFetcher(portal, wait),
    server: alwaysTheSame,
  };
}

const alwaysTheSame: ServerWatch = {
  identify: async () => {},
  begin: () => undefined,
  changed: async () => false,
  hasChanged: () => false,
};

/** Rows that are read at once: as many as one answer of a node may have. */
const ROWS_PER_SLICE = 20_000;
const TOPICS = ['topic0', 'topic1', 'topic2', 'topic3'] as const;

/** A filter as a portal takes it. What is any is left out: an empty list there matches nothing. */
export function toPortalItem({ address, topics = [] }: ServerFilter): PortalLogItem {
  const item: Record<string, readonly string[]> = {};
  if (address !== undefined) item.address = [address].flat();
  for (const [place, values] of topics.entries()) {
    const name = TOPICS[place];
    if (name !== undefined && values !== null) item[name] = [values].flat();
  }
  return item;
}

/**
 * The rows of blocks, in order.
 *
 * @throws AppError `badLogs` for a row that is no log, `tooLarge` for more of one block than a block can hold.
 */
function toLogs(blocks: readonly PortalBlock[]): readonly Log[] {
  const rows: unknown[] = [];
  const logs: Log[] = [];
  const readThem = () => {
    for (const log of parseLogs(rows.splice(0)).logs) logs.push(log);
  };
  for (const block of blocks) {
    if (block.logs.length > MAX_BLOCK_ROWS) {
      throw new AppError('tooLarge', `Block ${block.number} has over ${MAX_BLOCK_ROWS} logs.`);
    }
    const blockNumber = toQuantity(block.number);
    const time = block.timestamp === undefined ? {} : { blockTimestamp: toQuantity(block.timestamp) };
    for (const row of block.logs) {
      // The block is that of the line, whatever a row says of itself.
      rows.push(isRecord(row) ? { ...row, blockNumber, blockHash: block.hash, ...time } : row);
      if (rows.length === ROWS_PER_SLICE) readThem();
    }
  }
  if (rows.length > 0) readThem();
  return logs;
}
