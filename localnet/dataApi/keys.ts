/**
 * Which answers a key gets: as of 2021, as of 2022 to 2025 and still for keys of that time, or as for keys made
 * after 2026-04-01.
 */
export type Generation = 'early' | 'classic' | 'current';

/**
 * The keys that the local data API knows: one for each shape of answers, one for each way to be refused. All are of
 * the two forms that the service's own SDK takes.
 */
export const dataApiKeys = {
  early: 'ckey_ea210000000000000000000000a',
  classic: 'ckey_c1a551c0000000000000000000a',
  current: 'cqt_wFcrrtKCCCCCCCCCCCCCCCCCCCCC',
  /** Right, with its credits used up: 402. */
  exhausted: 'ckey_e4a0576ed00000000000000000a',
  /** Right, for other resources: 403. */
  notEntitled: 'ckey_f0b1dde0000000000000000000a',
  /** Right, always too fast: 429. */
  rateLimited: 'ckey_707a5700000000000000000000a',
} as const;

export type KeyName = keyof typeof dataApiKeys;

/** The name of a key, or undefined for one that nobody was given. */
export function keyName(key: string): KeyName | undefined {
  const names = Object.keys(dataApiKeys) as KeyName[];
  return names.find((name) => dataApiKeys[name] === key);
}
