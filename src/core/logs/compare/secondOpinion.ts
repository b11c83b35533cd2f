import { compareLogs, type Log } from '../log.ts';

/**
 * Why two sources could not be compared, or not all of what was asked for.
 *
 * - `nothingRead`: no block was read whole.
 * - `otherChain`: they tell two chain ids, `here` and `there`.
 * - `nothingSettled`: no block of the range is so old on both that no reorg can change it.
 * - `notSettled`: the blocks above the compared range are too new for one of both.
 * - `notWholeHere`, `notWholeThere`: the answer of one of both is not certain to be whole.
 * - `failedHere`, `failedThere`: one of both could not be asked, with `words` of why.
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
    | 'otherChain';
  /** English, in part of a server: plain text only. */
  readonly words?: string;
  readonly chainIds?: { readonly here: number; readonly there: number };
}

/** A row that two sources do not give alike: one of both is missing where only one gives it. */
export interface RowDifference {
  readonly kind: 'different' | 'onlyHere' | 'onlyThere';
  readonly here: Log | undefined;
  readonly there: Log | undefined;
}

/** How many rows two sources do not give alike. */
export interface DifferenceCounts {
  readonly onlyHere: number;
  readonly onlyThere: number;
  /** Rows at one place in the chain that are not the same. */
  readonly different: number;
}

/** What became of asking a second source the same. */
export interface SecondOpinion extends DifferenceCounts {
  /** `unknown`: nothing is claimed, for `reasons`; the counts are of what was seen. */
  readonly state: 'agree' | 'differ' | 'unknown';
  readonly reasons: readonly OpinionReason[];
  /** First and last block of what was compared, or of a sample of it. The last is below the first where nothing was. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Only some windows of these blocks were compared. */
  readonly sample: boolean;
  /** Blocks that were compared. */
  readonly blocks: bigint;
  /** Rows that both gave alike. */
  readonly alike: number;
  /** The first rows of each kind that are not alike. */
  readonly rows: readonly RowDifference[];
}

/**
 * A reason in English, for the headless runner and for logs.
 *
 * @example formatOpinionReason({ code: 'notWholeThere' }) // 'the answer of the other endpoint is not certain to be whole'
 */
export function formatOpinionReason({ code, words = '', chainIds }: OpinionReason): string {
  switch (code) {
    case 'otherChain':
      return `the endpoints are of two chains, ${chainIds?.here} and ${chainIds?.there}`;
    case 'nothingRead':
      return 'no block was read whole';
    case 'nothingSettled':
      return 'all blocks of the range are too new to be compared: a reorg may still change them';
    case 'notSettled':
      return 'the blocks above are too new to be compared: a reorg may still change them';
    case 'notWholeHere':
      return 'the answer of this endpoint is not certain to be whole';
    case 'notWholeThere':
      return 'the answer of the other endpoint is not certain to be whole';
    case 'failedHere':
      return `this endpoint could not be asked: ${words}`;
    case 'failedThere':
      return `the other endpoint could not be asked: ${words}`;
  }
}

/**
 * The JSON form of an opinion of the source at `origin`; the blocks are null where none was compared.
 *
 * @example const line = { ...verdict, second: opinionToJson(opinion, 'https://node.example') };
 */
export function opinionToJson(opinion: SecondOpinion, origin: string) {
  const { state, onlyHere, onlyThere, different, reasons, fromBlock, toBlock, sample } = opinion;
  const isAny = toBlock >= fromBlock;
  return {
    ...{ origin, state, onlyHere, onlyThere, different },
    reasons: reasons.map(formatOpinionReason),
    fromBlock: isAny ? fromBlock.toString() : null,
    toBlock: isAny ? toBlock.toString() : null,
    sample,
  };
}

/** What two streams of rows do not give alike. Holds counts and the first rows of each kind only. */
export interface RowDifferences {
  readonly counts: DifferenceCounts;
  readonly alike: number;
  readonly rows: readonly RowDifference[];
  /** Compares two streams to their ends, both oldest first. @throws what either throws. */
  compare(here: AsyncIterable<readonly Log[]>, there: AsyncIterable<readonly Log[]>): Promise<void>;
}

type Kind = RowDifference['kind'];

/** `onApart` is told of each row that is not alike, also of those that are not kept. */
export function createRowDifferences(
  mostRows: number,
  onApart?: (row: RowDifference) => void,
): RowDifferences {
  const counts: Record<Kind, number> = { onlyHere: 0, onlyThere: 0, different: 0 };
  const rows: RowDifference[] = [];
  let alike = 0;

  function note(kind: Kind, here: Log | undefined, there: Log | undefined): void {
    counts[kind]++;
    const row = { kind, here, there };
    if (counts[kind] <= mostRows) rows.push(row);
    onApart?.(row);
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
        // Both are begun at once: neither server waits for the other.
        await Promise.all([here.begin(), there.begin()]);
        for (;;) {
          const a = here.current ?? (await here.refill());
          const b = there.current ?? (await there.refill());
          if (!a && !b) return;
          const order = !a ? 1 : !b ? -1 : compareLogs(a, b);
          if (order < 0) note('onlyHere', a, undefined);
          else if (order > 0) note('onlyThere', undefined, b);
          else if (a && b && isSame(a, b)) alike++;
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

/** The rows of a stream one by one, with one page of them in memory. */
function createReader(stream: AsyncIterable<readonly Log[]>) {
  const pages = stream[Symbol.asyncIterator]();
  let page: readonly Log[] = [];
  let at = 0;
  let ended = false;

  async function refill(): Promise<Log | undefined> {
    while (!ended && at >= page.length) {
      const next = await pages.next();
      ended = next.done === true;
      page = next.done ? [] : next.value;
      at = 0;
    }
    return page[at];
  }

  return {
    begin: refill,
    refill,
    get current(): Log | undefined {
      return page[at];
    },
    advance() {
      at++;
    },
    stop: async () => pages.return?.(undefined),
  };
}

function isSame(a: Log, b: Log): boolean {
  return (
    a.address === b.address &&
    a.data === b.data &&
    a.transactionHash === b.transactionHash &&
    a.transactionIndex === b.transactionIndex &&
    a.blockHash === b.blockHash &&
    a.topics.length === b.topics.length &&
    a.topics.every((topic, place) => topic === b.topics[place])
  );
}

/** Blocks, both ends included. */
export interface BlockWindow {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Which blocks of a long range are looked at. */
export interface SampleSize {
  readonly windows: number;
  /** Of each window. */
  readonly blocks: bigint;
  /** The same seed takes the same windows of a range. */
  readonly seed: number;
}

/** Windows of one sample, at most. */
const MAX_WINDOWS = 1000;

/**
 * Windows of a range, one in each of as many equal parts of it, at a place that the seed decides; the whole range where
 * that is no longer than all windows together.
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
    const room = end - first - width;
    const start = first + (room > 0n ? (random() * (room + 1n)) >> 32n : 0n);
    return { fromBlock: start, toBlock: start + width - 1n };
  });
}

/** Numbers of 32 bits that the seed decides (xorshift). */
function createRandom(seed: number): () => bigint {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return BigInt(state >>> 0);
  };
}
