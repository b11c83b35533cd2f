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
import { constantServer } from './probeServer.ts';
import { createSeamBlocks, type SeamBlock } from './rowChecks.ts';
import type { ServerFilter } from './serverFilters.ts';

interface PortalConnection {
  /** URL of the dataset. */
  readonly url: string;
  readonly http: HttpDeps;
  readonly memory: DialectMemory;
  readonly turn: WorkQueue;
  readonly wait: WaitForBackoff;
  readonly onResponse: (answer: TimedResponse, error: AppError | undefined) => void;
}

/** Connects a query to a portal. A portal is recognized by its URL, and never turns out to be another server. */
export function connectPortal({ url, http, memory, turn, wait, onResponse }: PortalConnection) {
  memory.learn(portalDialect);
  const portal = createPortalClient({ ...http, url, turn, wait, onResponse });
  return {
    rpc: createPortalRpc(portal, url),
    fetchWithCoverage: createPortalFetcher(portal, wait),
    server: constantServer,
  };
}

/** Responses per range if its last block is needed; after that, fewer blocks are requested. */
const MAX_RESPONSES = 12;
/** Restarts of a range because the chain changed meanwhile; after that, no parent hash is sent. */
const MAX_FORKS = 2;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Upwards, where stopping early costs nothing: about the number of rows that one request to a node returns. */
const TARGET_RESPONSE_BYTES = 4 * 1024 * 1024;

/**
 * Fetches ranges from a portal for one query. A response covers the blocks up to its last one, which the portal
 * always includes. The hash of the block before the range is sent if known, so that a reorg between two ranges
 * shows.
 *
 * @throws AppError as {@link PortalClient.stream} does; `tooLarge` if the last block is needed and not reached.
 */
function createPortalFetcher(
  portal: Pick<PortalClient, 'metadata' | 'stream'>,
  wait: WaitForBackoff,
): FetchWithCoverage {
  const seams = createSeamBlocks();
  let start: bigint | undefined;

  return async (part, range) => {
    if (start !== undefined && range.fromBlock < start) return fetchFromStart(start, part, range);
    try {
      return await fetchRange(part, range);
    } catch (error) {
      // The portal refuses a range that begins before its dataset.
      if (start !== undefined || !isAppError(error, 'rpc')) throw error;
      const { startBlock = 0n } = await portal.metadata({ ...range.retry, signal: range.signal });
      start = startBlock;
      if (range.fromBlock >= start) throw error;
      return fetchFromStart(start, part, range);
    }
  };

  async function fetchFromStart(
    startsAt: bigint,
    part: ServerFilter,
    range: CoverageRange,
  ): Promise<LogsWithCoverage> {
    if (range.toBlock >= startsAt)
      return { ...(await fetchRange(part, { ...range, fromBlock: startsAt })), startsAt };
    return { wire: toWireLogs([]), coveredTo: range.toBlock, head: undefined, reorgAt: undefined, startsAt };
  }

  async function fetchRange(
    part: ServerFilter,
    { fromBlock, toBlock, needsLast, retry, signal, maxBytes }: CoverageRange,
  ): Promise<LogsWithCoverage> {
    const logs = [toPortalItem(part)];
    let attempt = createAttempt(fromBlock);
    let head: bigint | undefined;
    let reorgAt: bigint | undefined;
    let bytesLeft = maxBytes ?? (needsLast ? MAX_RESPONSE_BYTES : TARGET_RESPONSE_BYTES);
    let responses = 0;
    let lagAttempts = 0;
    let forks = 0;

    async function stream(request: StreamRequest): Promise<StreamResponse> {
      try {
        return await portal.stream(request, { ...retry, signal, maxBytes: bytesLeft });
      } catch (error) {
        if (needsLast || maxBytes !== undefined || !isAppError(error, 'tooLarge')) throw error;
        // The first block alone exceeds the limit for many blocks.
        const first = { ...request, toBlock: request.fromBlock };
        return portal.stream(first, { ...retry, signal, maxBytes: MAX_RESPONSE_BYTES });
      }
    }

    while (attempt.coveredTo < toBlock) {
      const { coveredTo } = attempt;
      const parentBlockHash = forks > MAX_FORKS ? undefined : (attempt.lastHash ?? seams.hashAt(coveredTo));
      const response = await stream({ fromBlock: coveredTo + 1n, toBlock, parentBlockHash, logs });
      if (response.state === 'fork') {
        if (++forks > MAX_FORKS + 1) throw new AppError('badResponse', 'The portal keeps reporting forks.');
        // Rows before this range may belong to another chain. This range is read again from its start.
        if (attempt.lastHash === undefined)
          reorgAt = seams.dropContradicted(response.previousBlocks) ?? coveredTo;
        attempt = createAttempt(fromBlock);
        if (reorgAt !== undefined) forks = MAX_FORKS + 1;
        continue;
      }
      head = response.head;
      if (response.state === 'none') {
        if (await waitForReplica(wait, lagAttempts++, { signal })) continue;
        break;
      }
      attempt.take(response.blocks);
      bytesLeft -= response.bytes;
      responses++;
      if (!needsLast) break;
      if (attempt.coveredTo < toBlock && (responses === MAX_RESPONSES || bytesLeft <= 0)) {
        throw new AppError('tooLarge', `The range takes over ${MAX_RESPONSES} responses.`);
      }
    }
    const seamBrokenAt = seams.add(attempt.ends);
    reorgAt ??= attempt.brokenAt ?? seamBrokenAt;
    return { wire: toWireLogs(attempt.rows.flat()), coveredTo: attempt.coveredTo, head, reorgAt };
  }
}

function toWireLogs(logs: Log[]): WireLogs {
  return { ...parseLogs([]), logs, count: logs.length };
}

/** The part of a range read since its last restart; emitted or dropped as a whole. */
function createAttempt(fromBlock: bigint) {
  const ownBlocks = createSeamBlocks();
  const rows: (readonly Log[])[] = [];
  /** The first and last block of each response: the seams between responses. */
  const ends: SeamBlock[] = [];
  let coveredTo = fromBlock - 1n;
  let lastHash: Hex | undefined;
  let brokenAt: bigint | undefined;
  return {
    rows,
    ends,
    get coveredTo() {
      return coveredTo;
    },
    get lastHash() {
      return lastHash;
    },
    /** Where the blocks do not form one chain. */
    get brokenAt() {
      return brokenAt;
    },
    take(blocks: readonly PortalBlock[]) {
      brokenAt ??= ownBlocks.add(blocks);
      rows.push(parseBlocks(blocks));
      const [first] = blocks;
      const last = blocks[blocks.length - 1];
      if (!first || !last) return;
      for (const { number, hash, parentHash } of first === last ? [first] : [first, last]) {
        ends.push({ number, hash, parentHash });
      }
      coveredTo = last.number;
      lastHash = last.hash;
    },
  };
}

/** Rows parsed at once: as many as one response of a node may have. */
const ROWS_PER_SLICE = 20_000;

/**
 * The rows of blocks, in order.
 *
 * @throws AppError `badLogs` for a row that is not a log, `tooLarge` if one block has more rows than a block can
 * hold.
 */
function parseBlocks(blocks: readonly PortalBlock[]): readonly Log[] {
  const rows: unknown[] = [];
  const logs: Log[] = [];
  const parseRows = () => {
    for (const log of parseLogs(rows.splice(0)).logs) logs.push(log);
  };
  for (const block of blocks) {
    if (block.logs.length > MAX_BLOCK_ROWS) {
      throw new AppError('tooLarge', `Block ${block.number} has over ${MAX_BLOCK_ROWS} logs.`);
    }
    const blockNumber = toQuantity(block.number);
    const time = block.timestamp === undefined ? {} : { blockTimestamp: toQuantity(block.timestamp) };
    for (const row of block.logs) {
      // The block comes from the line, whatever the row itself claims.
      rows.push(isRecord(row) ? { ...row, blockNumber, blockHash: block.hash, ...time } : row);
      if (rows.length === ROWS_PER_SLICE) parseRows();
    }
  }
  if (rows.length > 0) parseRows();
  return logs;
}

const TOPICS = ['topic0', 'topic1', 'topic2', 'topic3'] as const;

/** A filter in a portal's form. Wildcards are left out, as an empty list matches nothing there. */
export function toPortalItem({ address, topics = [] }: ServerFilter): PortalLogItem {
  const item: Record<string, readonly string[]> = {};
  if (address !== undefined) item.address = [address].flat();
  for (const [place, values] of topics.entries()) {
    const name = TOPICS[place];
    if (name !== undefined && values !== null) item[name] = [values].flat();
  }
  return item;
}
