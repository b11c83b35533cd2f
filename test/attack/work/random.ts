/** Uniform in [0, 1). */
export type Chance = () => number;

export function pick<T>(chance: Chance, values: readonly T[]): T {
  return values[Math.floor(chance() * values.length)] as T;
}

/** A whole number from 0 to below `limit`. */
export function below(chance: Chance, limit: number): number {
  return Math.floor(chance() * limit);
}

/** Text of about `size` characters: one unit again and again, or units at random. */
export function repeatUnits(chance: Chance, size: number, units: readonly string[]): string {
  const unit = pick(chance, units);
  if (chance() < 0.5) return unit.repeat(Math.max(1, Math.floor(size / unit.length)));
  const parts: string[] = [];
  for (let length = 0; length < size; length += parts.at(-1)?.length ?? 0) parts.push(pick(chance, units));
  return parts.join('');
}

/** So many of about `bytes` each. */
export const fill = <T>(size: number, bytes: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(size / bytes)) }, (_, index) => make(index));

export const hashOf = (index: number) => `0x${index.toString(16).padStart(64, '0')}`;
