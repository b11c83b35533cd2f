import type { FileFacts } from '../facts.ts';

/** The bounds of what is read of one file, and which of them were met. */
export interface Bounds {
  /** The first `most` of `items`, which are called `what`. */
  first<Item>(most: number, what: string, items: Iterable<Item>): Generator<Item, void>;
  /** Whether one more may be read where `count` have been. */
  allow(count: number, most: number, what: string): boolean;
  /** What is left out, in one line; nothing where no bound was met. */
  readonly met: Pick<FileFacts, 'leftOut'>;
}

export function createBounds(): Bounds {
  const met = new Set<string>();

  function allow(count: number, most: number, what: string): boolean {
    if (count < most) return true;
    met.add(`${most} ${what}`);
    return false;
  }

  return {
    allow,
    *first(most, what, items) {
      let count = 0;
      for (const item of items) {
        if (!allow(count++, most, what)) return;
        yield item;
      }
    },
    get met() {
      return met.size === 0 ? {} : { leftOut: `Only the first ${[...met].join(' and ')} are read.` };
    },
  };
}
