/** Numbers that look random and are the same for the same seed. */
export type Random = { below(limit: number): number };

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(limit) {
      // mulberry32
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}
