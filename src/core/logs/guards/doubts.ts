import type { ReasonCode, VerdictReason } from '../query/verdict.ts';

/** Reasons of one query, of which a server may give one for every block of a chain. */
export interface Doubts {
  add(reasons: readonly VerdictReason[]): void;
  /** None twice; of each code the first blocks by name, and how many more there are. */
  list(): readonly VerdictReason[];
}

/** Blocks named for one reason. */
const MOST_NAMED = 100;

export function createDoubts(): Doubts {
  const byCode = new Map<ReasonCode, { readonly named: VerdictReason[]; more: number }>();
  let made: readonly VerdictReason[] | undefined;

  function addOne(reason: VerdictReason): void {
    const known = byCode.get(reason.code) ?? { named: [], more: 0 };
    byCode.set(reason.code, known);
    if (known.named.some(({ block }) => block === reason.block)) return;
    if (known.named.length < MOST_NAMED) known.named.push(reason);
    else known.more++;
    made = undefined;
  }

  return {
    add(reasons) {
      for (const reason of reasons) addOne(reason);
    },
    list() {
      made ??= [...byCode.values()].flatMap(({ named, more }) => {
        const [first, ...others] = named;
        return first && more > 0 ? [{ ...first, more }, ...others] : named;
      });
      return made;
    },
  };
}
