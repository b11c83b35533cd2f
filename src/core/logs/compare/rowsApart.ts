import { compareLogs, type Log } from '../query/log.ts';
import type { DifferenceCounts, RowDifference } from './secondOpinion.ts';

/** What two streams of rows do not give alike. Holds counts and the first rows of each kind only. */
export interface RowsApart {
  readonly counts: DifferenceCounts;
  readonly alike: number;
  readonly rows: readonly RowDifference[];
  /** Compares two streams to their ends, both oldest first. @throws what either throws. */
  compare(here: AsyncIterable<readonly Log[]>, there: AsyncIterable<readonly Log[]>): Promise<void>;
}

type Kind = RowDifference['kind'];

/** `onApart` is told of each row that is not alike, also of those that are not kept. */
export function createRowsApart(mostRows: number, onApart?: (row: RowDifference) => void): RowsApart {
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
