import { AppError, isAppError } from '../../base/errors.ts';
import type { Wait } from '../../base/waits.ts';
import type { PortalBlock } from '../../portal/blockLines.ts';
import type { PortalClient, StreamAnswer, StreamQuestion } from '../../portal/portal.ts';
import type { Hex } from '../../values/hex.ts';
import { waitForBlocks } from '../asking/behindWaits.ts';
import type { AskCovered, CoveredLogs, CoveredRange } from '../asking/coveredLogs.ts';
import type { WireLogs } from '../asking/readLogs.ts';
import { createKnownBlocks, type KnownBlock } from '../guards/knownBlocks.ts';
import type { Log } from '../query/log.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import { itemOf, rowsOf } from './portalRows.ts';

/** Answers that one range is read in, at most, where its last block is needed: then fewer blocks are asked for. */
const MOST_ANSWERS = 12;
/** Times that a range is begun anew because the chain changed while it was read; then no parent is named any more. */
const MOST_FORKS = 2;
const MOST_BYTES = 16 * 1024 * 1024;
/** Upwards, where it costs nothing to leave an answer: as many rows as are read of a server at once. */
const ENOUGH_BYTES = 4 * 1024 * 1024;

/**
 * Asks a portal for ranges, as one query does. An answer counts through its last block, which the portal always names.
 * The hash of the block before the first goes along where it is known, so that a reorg shows at the seam.
 *
 * @throws AppError as {@link PortalClient.stream} does; `tooLarge` where the last block is needed and not reached.
 */
export function createAskPortal(portal: Pick<PortalClient, 'metadata' | 'stream'>, wait: Wait): AskCovered {
  const seams = createKnownBlocks();
  let start: bigint | undefined;

  return async (part, range) => {
    if (start !== undefined && range.fromBlock < start) return fromStart(start, part, range);
    try {
      return await ask(part, range);
    } catch (error) {
      // A dataset that begins above the range refuses it.
      if (start !== undefined || !isAppError(error, 'rpc')) throw error;
      const { startBlock = 0n } = await portal.metadata({ ...range.effort, signal: range.signal });
      start = startBlock;
      if (range.fromBlock >= start) throw error;
      return fromStart(start, part, range);
    }
  };

  async function fromStart(startsAt: bigint, part: ServerFilter, range: CoveredRange): Promise<CoveredLogs> {
    if (range.toBlock >= startsAt)
      return { ...(await ask(part, { ...range, fromBlock: startsAt })), startsAt };
    return { wire: wireOf([]), knownTo: range.toBlock, head: undefined, reorgAt: undefined, startsAt };
  }

  async function ask(
    part: ServerFilter,
    { fromBlock, toBlock, needsLast, effort, signal, maxBytes }: CoveredRange,
  ): Promise<CoveredLogs> {
    const logs = [itemOf(part)];
    let attempt = beginAttempt(fromBlock);
    let head: bigint | undefined;
    let reorgAt: bigint | undefined;
    let left = maxBytes ?? (needsLast ? MOST_BYTES : ENOUGH_BYTES);
    let answers = 0;
    let behind = 0;
    let forks = 0;

    async function stream(asked: StreamQuestion): Promise<StreamAnswer> {
      try {
        return await portal.stream(asked, { ...effort, signal, maxBytes: left });
      } catch (error) {
        if (needsLast || maxBytes !== undefined || !isAppError(error, 'tooLarge')) throw error;
        // One block holds more than is read of many.
        const first = { ...asked, toBlock: asked.fromBlock };
        return portal.stream(first, { ...effort, signal, maxBytes: MOST_BYTES });
      }
    }

    while (attempt.knownTo < toBlock) {
      const { knownTo } = attempt;
      const parentBlockHash = forks > MOST_FORKS ? undefined : (attempt.lastHash ?? seams.hashAt(knownTo));
      const answer = await stream({ fromBlock: knownTo + 1n, toBlock, parentBlockHash, logs });
      if (answer.state === 'fork') {
        if (++forks > MOST_FORKS + 1)
          throw new AppError('badResponse', 'The portal tells of a fork without end.');
        // What was given before this range may be of another chain; what is of this range is read anew.
        if (attempt.lastHash === undefined) reorgAt = seams.compare(answer.previousBlocks) ?? knownTo;
        attempt = beginAttempt(fromBlock);
        if (reorgAt !== undefined) forks = MOST_FORKS + 1;
        continue;
      }
      head = answer.head;
      if (answer.state === 'none') {
        if (await waitForBlocks(wait, behind++, { signal })) continue;
        break;
      }
      attempt.take(answer.blocks);
      left -= answer.bytes;
      answers++;
      if (!needsLast) break;
      if (attempt.knownTo < toBlock && (answers === MOST_ANSWERS || left <= 0)) {
        throw new AppError('tooLarge', 'The range takes more answers than are read for one.');
      }
    }
    const otherAt = seams.add(attempt.ends);
    reorgAt ??= attempt.brokenAt ?? otherAt;
    return { wire: wireOf(attempt.rows.flat()), knownTo: attempt.knownTo, head, reorgAt };
  }
}

function wireOf(logs: Log[]): WireLogs {
  return { logs, count: logs.length, removedAt: [], bareNumbers: false, inOrder: true };
}

/** What was read of a range since it was last begun; given out or dropped as a whole. */
function beginAttempt(fromBlock: bigint) {
  const own = createKnownBlocks();
  const rows: (readonly Log[])[] = [];
  const ends: KnownBlock[] = [];
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
      rows.push(rowsOf(blocks));
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
