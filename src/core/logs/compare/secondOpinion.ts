import { decimal, ownWord } from '../../base/ownText.ts';
import { createMessage, foreign, formatMessage, type Message } from '../../base/text.ts';
import { compareLogPlaces, type Log } from '../log.ts';

/**
 * Why two results could not be compared, or not completely.
 *
 * - `nothingRead`: no block was read completely.
 * - `otherChain`: the endpoints report different chain IDs, `here` and `there`.
 * - `sameChainId`: the endpoints report one chain ID, but have different hashes of `block`: they are two chains.
 * - `nothingSettled`: every block of the range is too new on one side: a reorg may still change it.
 * - `notSettled`: the blocks above the compared range are too new on one side.
 * - `notWholeHere`, `notWholeThere`: the result of one side may be incomplete.
 * - `failedHere`, `failedThere`: the requests of one side failed, for the reason in `words`.
 */
export interface OpinionReason {
  readonly code:
    | 'failedHere'
    | 'failedThere'
    | 'notSettled'
    | 'notWholeHere'
    | 'notWholeThere'
    | 'nothingRead'
    | 'nothingSettled'
    | 'otherChain'
    | 'sameChainId';
  /** In English, partly from a server: plain text only. */
  readonly message?: string;
  readonly chainIds?: { readonly here: number; readonly there: number };
  readonly block?: bigint;
}

/**
 * Whether the two endpoints are of different chains, so that no row can be compared.
 *
 * @example isOtherChain({ reasons: [{ code: 'sameChainId', block: 0n }] }) // true
 */
export function isOtherChain({ reasons }: Pick<SecondOpinion, 'reasons'>): boolean {
  return reasons.some(({ code }) => code === 'otherChain' || code === 'sameChainId');
}

/** A row in which two results differ. One side is undefined if only the other has the row. */
export interface RowDifference {
  readonly kind: 'different' | 'onlyHere' | 'onlyThere';
  readonly here: Log | undefined;
  readonly there: Log | undefined;
}

/** Number of rows in which two results differ. */
export interface DifferenceCounts {
  readonly onlyHere: number;
  readonly onlyThere: number;
  /** Different rows at the same position of the chain. */
  readonly different: number;
}

/** The result of a comparison with a second endpoint. */
export interface SecondOpinion extends DifferenceCounts {
  /** `unknown`: nothing is claimed, because of `reasons`; the counts cover the rows compared so far. */
  readonly state: 'agree' | 'differ' | 'unknown';
  readonly reasons: readonly OpinionReason[];
  /** First and last block of the compared range or sample. The last is below the first if nothing was compared. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Only some windows of these blocks were compared. */
  readonly sample: boolean;
  /** Number of compared blocks. */
  readonly blocks: bigint;
  /** Number of equal rows. */
  readonly alike: number;
  /** The first differing rows of each kind. */
  readonly rows: readonly RowDifference[];
}

/**
 * @param other the name of the other endpoint, at the start of a sentence.
 * @example formatMessage(describeOpinionReason({ code: 'notWholeThere' }, 'Node B'))
 * // 'Node B may have returned an incomplete result.'
 */
export function describeOpinionReason(
  { code, message = '', chainIds, block }: OpinionReason,
  other = 'The other endpoint',
): Message {
  switch (code) {
    case 'otherChain':
      return createMessage(
        '{0} serves another chain: {1} instead of {2}.',
        foreign(other),
        foreign(String(chainIds?.there)),
        foreign(String(chainIds?.here)),
      );
    case 'sameChainId':
      return createMessage(
        '{0} serves a different chain with the same chain ID: its block {1} has another hash.',
        foreign(other),
        block === undefined ? ownWord('?') : decimal(block),
      );
    case 'nothingRead':
      return createMessage('No block is completely loaded yet.');
    case 'nothingSettled':
      return createMessage('All blocks are so new that a reorg may still change them. Try again later.');
    case 'notSettled':
      return createMessage('Newer blocks were not compared because a reorg may still change them.');
    case 'notWholeHere':
      return createMessage('The result shown here may be incomplete.');
    case 'notWholeThere':
      return createMessage('{0} may have returned an incomplete result.', foreign(other));
    case 'failedHere':
      return createMessage('The endpoint of this query failed: {0}', foreign(message));
    case 'failedThere':
      return createMessage('{0} failed: {1}', foreign(other), foreign(message));
  }
}

/**
 * The JSON form of a comparison with the endpoint at `origin`; the blocks are null if none was compared.
 *
 * @example const line = { ...verdict, second: opinionToJson(opinion, 'https://node.example') };
 */
export function opinionToJson(opinion: SecondOpinion, origin: string) {
  const { state, onlyHere, onlyThere, different, reasons, fromBlock, toBlock, sample } = opinion;
  const isAny = toBlock >= fromBlock;
  return {
    origin,
    state,
    onlyHere,
    onlyThere,
    different,
    reasons: reasons.map((reason) => formatMessage(describeOpinionReason(reason))),
    fromBlock: isAny ? fromBlock.toString() : null,
    toBlock: isAny ? toBlock.toString() : null,
    sample,
  };
}

/** The differences of two streams of rows. Stores counts and the first rows of each kind only. */
export interface RowDifferences {
  readonly counts: DifferenceCounts;
  readonly alike: number;
  readonly rows: readonly RowDifference[];
  /**
   * Compares two streams to their ends, both oldest first.
   *
   * @throws the error of either stream.
   */
  compare(here: AsyncIterable<readonly Log[]>, there: AsyncIterable<readonly Log[]>): Promise<void>;
}

type Kind = RowDifference['kind'];

/**
 * @param maxRows of each kind to store.
 * @param onDifference called with each differing row, including those that are not stored.
 */
export function createRowDifferences(
  maxRows: number,
  onDifference?: (row: RowDifference) => void,
): RowDifferences {
  const counts: Record<Kind, number> = { onlyHere: 0, onlyThere: 0, different: 0 };
  const rows: RowDifference[] = [];
  let alike = 0;

  function note(kind: Kind, here: Log | undefined, there: Log | undefined): void {
    counts[kind]++;
    const row = { kind, here, there };
    if (counts[kind] <= maxRows) rows.push(row);
    onDifference?.(row);
  }

  return {
    counts,
    rows,
    get alike() {
      return alike;
    },
    async compare(hereRows, thereRows) {
      const here = createReader(hereRows);
      const there = createReader(thereRows);
      try {
        // Both start at once, so that neither server waits for the other.
        await Promise.all([here.begin(), there.begin()]);
        for (;;) {
          const a = here.current ?? (await here.refill());
          const b = there.current ?? (await there.refill());
          if (!a && !b) return;
          const order = !a ? 1 : !b ? -1 : compareLogPlaces(a, b);
          if (order < 0) note('onlyHere', a, undefined);
          else if (order > 0) note('onlyThere', undefined, b);
          else if (a && b && isSameLog(a, b)) alike++;
          else note('different', a, b);
          if (order <= 0) here.advance();
          if (order >= 0) there.advance();
        }
      } finally {
        await Promise.allSettled([here.stop(), there.stop()]);
      }
    },
  };
}

/** Reads a stream row by row, with one page of it in memory. */
function createReader(stream: AsyncIterable<readonly Log[]>) {
  const pages = stream[Symbol.asyncIterator]();
  let page: readonly Log[] = [];
  let index = 0;
  let isEnded = false;

  async function refill(): Promise<Log | undefined> {
    while (!isEnded && index >= page.length) {
      const next = await pages.next();
      isEnded = next.done === true;
      page = next.done ? [] : next.value;
      index = 0;
    }
    return page[index];
  }

  return {
    begin: refill,
    refill,
    get current(): Log | undefined {
      return page[index];
    },
    advance() {
      index++;
    },
    stop: async () => pages.return?.(undefined),
  };
}

function isSameLog(a: Log, b: Log): boolean {
  return (
    a.address === b.address &&
    a.data === b.data &&
    a.transactionHash === b.transactionHash &&
    a.transactionIndex === b.transactionIndex &&
    a.blockHash === b.blockHash &&
    a.topics.length === b.topics.length &&
    a.topics.every((topic, index) => topic === b.topics[index])
  );
}

/** Both ends inclusive. */
export interface BlockWindow {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Which blocks of a long range are compared. */
export interface SampleSize {
  readonly windows: number;
  /** Of each window. */
  readonly blocks: bigint;
  /** The same seed picks the same windows of a range. */
  readonly seed: number;
}

/** Of one sample. */
const MAX_WINDOWS = 1000;

/**
 * One window in each of `windows` equal parts of a range, at a position that the seed determines; the complete range if
 * it is not longer than all windows together.
 *
 * @example pickSampleWindows({ fromBlock: 0n, toBlock: 9n }, { windows: 5, blocks: 2n, seed: 1 }).length // 1
 */
export function pickSampleWindows(
  range: BlockWindow,
  { windows, blocks, seed }: SampleSize,
): readonly BlockWindow[] {
  const { fromBlock, toBlock } = range;
  const count = BigInt(Math.min(Math.max(1, Math.floor(windows)), MAX_WINDOWS));
  const width = blocks > 0n ? blocks : 1n;
  const length = toBlock - fromBlock + 1n;
  if (length <= count * width) return [range];
  const random = createRandom(seed);
  return Array.from({ length: Number(count) }, (_, nth) => {
    const first = fromBlock + (length * BigInt(nth)) / count;
    const end = fromBlock + (length * BigInt(nth + 1)) / count;
    const slack = end - first - width;
    const start = first + (slack > 0n ? (random() * (slack + 1n)) >> 32n : 0n);
    return { fromBlock: start, toBlock: start + width - 1n };
  });
}

/** Pseudo-random 32-bit numbers from a seed (xorshift). */
function createRandom(seed: number): () => bigint {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return BigInt(state >>> 0);
  };
}
