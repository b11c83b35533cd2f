/** Of Blockscout. */
export type Release = readonly [major: number, minor: number, patch: number];

/**
 * Major, minor and patch; undefined if `version` does not begin like a release.
 *
 * @example parseRelease('v6.10.1.+commit.8aff9e50') // [6, 10, 1]
 */
export function parseRelease(version: string): Release | undefined {
  const match = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?/.exec(version.trim());
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** @example isBefore([6, 3, 0], [6, 10, 0]) // true */
export function isBefore(release: Release, other: Release): boolean {
  const [major, minor, patch] = release;
  if (major !== other[0]) return major < other[0];
  if (minor !== other[1]) return minor < other[1];
  return patch < other[2];
}

/**
 * Whether `release` is `first` or later, and before `end`.
 *
 * @example isWithin([6, 8, 0], [6, 8, 0], [11, 0, 0]) // true
 */
export function isWithin(release: Release, first: Release, end: Release): boolean {
  return !isBefore(release, first) && isBefore(release, end);
}
