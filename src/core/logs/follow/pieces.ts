import type { Abortable } from '../../base/concurrency.ts';
import { isAppError } from '../../base/errors.ts';
import { bigintMax } from '../../base/values.ts';
import { QUORUM } from '../engine/fetchLogs.ts';
import type { Log } from '../log.ts';
import {
  hasSameRows,
  type Snapshot,
  type SnapshotRange,
  type SnapshotReader,
  type SnapshotRows,
} from './snapshots.ts';

interface PiecesRequest extends Abortable {
  /** Reading down ends here at the latest. */
  readonly lowest: bigint;
  readonly toBlock: bigint;
  /** Blocks above it are new. */
  readonly coveredTo: bigint;
  /** Whether these rows show that all blocks below them are as they were. */
  readonly isAnchored: (rows: SnapshotRows) => boolean;
  /** Whether the rows of the covered blocks are as they were. */
  readonly agrees: (rows: SnapshotRows) => boolean;
}

/** Readings of all pieces until two are alike. */
const MAX_PASSES = 4;
/** Requests for one piece until {@link QUORUM} responses in a row are alike, or one has the wanted hash. */
const MAX_ATTEMPTS = 12;

/** Of one piece. */
const MAX_FAILURES = 4;

/** Pieces as one snapshot, and what it rests on. */
interface Joined {
  readonly snapshot: Snapshot;
  /** The piece that was read first. */
  readonly top: Snapshot;
  /** Each piece has the hash of the block that the piece above it builds on, or there is only one response. */
  readonly isLinked: boolean;
  /** At most one piece has new blocks. */
  readonly hasOneNewPiece: boolean;
}

/**
 * Reads blocks that one response does not hold, piece by piece, as one snapshot. It ends at a row that stayed, which
 * proves what is below it, or at `lowest`. Different replicas may respond to the pieces, and the chain may change
 * meanwhile. So two neighbours must show, by the hash of the block between them, that they belong together. If the
 * server reports no hashes, a piece counts if three responses in a row are alike, and all pieces together if they were
 * there before: in the reading before, or, below a single new piece that stays the same, in the covered rows.
 *
 * @returns undefined if the replicas do not agree now.
 */
export async function readPieces(
  reader: SnapshotReader,
  request: PiecesRequest,
): Promise<Snapshot | undefined> {
  let previous: Snapshot | undefined;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const joined = await readDown(reader, request);
    if (!joined) continue;
    const { snapshot, isLinked, hasOneNewPiece } = joined;
    if (isLinked) return snapshot;
    if (hasOneNewPiece && request.agrees(snapshot) && (await isTopUnchanged(reader, joined, request)))
      return snapshot;
    if (previous?.fromBlock === snapshot.fromBlock && hasSameRows(previous.logs, snapshot.logs))
      return snapshot;
    previous = snapshot;
  }
  return undefined;
}

/** Whether the new piece is still the same after the pieces below it were read: each may be of another fork. */
async function isTopUnchanged(
  reader: SnapshotReader,
  { snapshot, top }: Joined,
  { toBlock, signal }: PiecesRequest,
): Promise<boolean> {
  if (top.fromBlock === snapshot.fromBlock) return true;
  const again = await readAlike(reader, top, { above: undefined, chainEnd: toBlock, isOnly: false, signal });
  return typeof again === 'object' && hasSameRows(again.logs, top.logs);
}

async function readDown(reader: SnapshotReader, request: PiecesRequest): Promise<Joined | undefined> {
  const { lowest, toBlock, coveredTo, isAnchored, signal } = request;
  let above: Snapshot | undefined;
  let top: Snapshot | undefined;
  let joined: Snapshot | undefined;
  let isLinked = true;
  let newPieces = 0;
  let width = toBlock - lowest + 1n;
  for (let end = toBlock; end >= lowest; ) {
    const maxBlocks = reader.getMaxBlocks() ?? width;
    const fromBlock = bigintMax(lowest, end - (maxBlocks < width ? maxBlocks : width) + 1n);
    const isOnly = fromBlock === lowest && end === toBlock;
    const piece = await readPiece(
      reader,
      { fromBlock, toBlock: end },
      { above, chainEnd: toBlock, isOnly, signal },
    );
    if (piece === undefined || piece === 'unrequested') return undefined;
    if (piece === 'tooMuch') {
      if (fromBlock === end) return undefined;
      width = bigintMax(1n, (end - fromBlock + 1n) / 2n);
      continue;
    }
    isLinked &&= isOnly || (piece.isAtomic && piece.hashes.has(end));
    if (end > coveredTo) newPieces++;
    const logs: readonly Log[] = [...piece.logs, ...(joined?.logs ?? [])];
    joined = { ...(joined ?? piece), fromBlock, logs, isAtomic: isLinked };
    above = piece;
    top ??= piece;
    if (isAnchored(joined)) break;
    end = fromBlock - 1n;
  }
  return joined && top && { snapshot: joined, top, isLinked, hasOneNewPiece: newPieces <= 1 };
}

interface PieceOptions extends Abortable {
  /** The piece above. */
  readonly above: Snapshot | undefined;
  /** Last block of all pieces. */
  readonly chainEnd: bigint;
  /** One response is all. */
  readonly isOnly: boolean;
}

async function readPiece(
  reader: SnapshotReader,
  range: SnapshotRange,
  options: PieceOptions,
): Promise<Snapshot | 'tooMuch' | 'unrequested' | undefined> {
  if (range.fromBlock === range.toBlock) {
    const response = await readAlike(reader, range, options);
    if (response !== 'tooMuch') return response;
    const block = await reader.readLarge(range, options);
    return block && block.coveredTo >= range.toBlock ? block : undefined;
  }
  return readAlike(reader, range, options);
}

/** Repeats a request until its response is proven. */
export async function readAlike(
  reader: SnapshotReader,
  range: SnapshotRange,
  { above, chainEnd, isOnly, signal }: PieceOptions,
): Promise<Snapshot | 'tooMuch' | 'unrequested' | undefined> {
  const { fromBlock, toBlock } = range;
  let first: Snapshot | undefined;
  let alike = 0;
  let failures = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const hashesOf = fromBlock > 0n ? [fromBlock - 1n, toBlock] : [toBlock];
    const response = await reader.read({ ...range, hashesOf }, { signal }).catch((error: unknown) => {
      if (++failures > MAX_FAILURES || !isAppError(error, 'server', 'network')) throw error;
      return 'failed' as const;
    });
    if (response === 'tooMuch' || response === 'unrequested') return response;
    if (response === 'failed' || response === 'unseen') {
      // The replica that has the chain as it is may be the one that failed, or that lacks the blocks.
      alike = 0;
      first = undefined;
      continue;
    }
    const isBehind = response.isReported && response.coveredTo < toBlock;
    if (isOnly && response.isReported && response.isAtomic && (!isBehind || attempt >= QUORUM))
      return response;
    if (isBehind) continue;
    const hash = response.hashes.get(toBlock);
    const link = above?.hashes.get(toBlock);
    if (hash !== undefined && response.isAtomic) {
      if (link === undefined ? above === undefined : link === hash) return response;
      if (link !== undefined) continue;
    }
    // A replica that does not have all of the blocks may be of a shorter fork.
    if (response.head !== undefined && response.head < chainEnd) continue;
    if (first && hasSameRows(first.logs, response.logs)) alike++;
    else alike = 1;
    first = response;
    if (alike >= QUORUM) return { ...response, coveredTo: toBlock, hashes: new Map() };
  }
  return undefined;
}
