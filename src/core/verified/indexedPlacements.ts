import type { AbiEvent } from '../abi/abiItem.ts';
import { parseAbiItem } from '../abi/read/parseAbiItem.ts';

/** Ways to place `indexed` that are tried: three among nine parameters, two among fifteen. */
export const MOST_PLACEMENTS = 105;

/**
 * An event of which the types alone are known, in every form whose logs have `topics` topics: each choice of as many
 * indexed parameters, the first parameters first. Which one is meant, a log tells only where no other decodes. Empty
 * where no choice fits, and where there are too many: of a part nobody could say that it is the only one.
 *
 * @example placeIndexed('Paid(address,uint256)', 2).map(({ inputs }) => inputs.map(({ indexed }) => indexed))
 * // [[true, false], [false, true]]
 */
export function placeIndexed(signature: string, topics: number): readonly AbiEvent[] {
  const item = parseAbiItem(`event ${signature}`);
  if (item?.kind !== 'event') return [];
  const { inputs } = item;
  const count = topics - 1;
  if (count < 0 || count > 3 || count > inputs.length) return [];
  if (choices(inputs.length, count) > MOST_PLACEMENTS) return [];
  return [...combinations(inputs.length, count)].map((chosen) => ({
    ...item,
    inputs: inputs.map((input, index) => ({ ...input, indexed: chosen.includes(index) })),
  }));
}

function choices(of: number, count: number): number {
  let number = 1;
  for (let taken = 0; taken < count; taken++) number = (number * (of - taken)) / (taken + 1);
  return number;
}

/** Every choice of `count` among the first `of` numbers, in order. */
function* combinations(of: number, count: number, from = 0): Generator<readonly number[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (let first = from; first <= of - count; first++) {
    for (const rest of combinations(of, count - 1, first + 1)) yield [first, ...rest];
  }
}
