/** The ABI type of `decimal`: https://docs.vyperlang.org/en/latest/release-notes.html#v0-4-0 */
export type VyperDecimal = 'fixed168x10' | 'int168';

const PRAGMA = /^[ \t]*#[ \t]*(?:@version|pragma[ \t]+version)[ \t]+([^\r\n]{1,200})/m;
const COMPARATOR = /^(\^|~=?|>=?|<=?|={0,3})\s*v?(\d{1,6})(?:\.(\d{1,6}|[x*]))?(?:\.(\d{1,6}|[x*]))?/;
const CHANGE = toNumber(0, 4, 0);
/** No release is between this one and 0.4.0. */
const LAST_BEFORE = toNumber(0, 3, 10);
const MAX_COMPARATORS = 16;

/**
 * The ABI type of `decimal` by the version that a source asks for, `# @version ^0.3.7` or `#pragma version ~=0.4.0`.
 * Undefined without a version, and for a range that allows compilers of both kinds.
 *
 * @example findDecimalType('# @version 0.3.10\n') // 'fixed168x10'
 */
export function findDecimalType(source: string): VyperDecimal | undefined {
  const [, written] = PRAGMA.exec(source) ?? [];
  if (written === undefined) return undefined;
  const ranges = written.split('||').map(readRange);
  if (ranges.some((range) => range === undefined)) return undefined;
  const mayBeOld = ranges.some((range) => range && range.from <= LAST_BEFORE && range.from < range.to);
  const mayBeNew = ranges.some((range) => range && range.to > CHANGE && range.from < range.to);
  if (mayBeOld === mayBeNew) return undefined;
  return mayBeOld ? 'fixed168x10' : 'int168';
}

/** Versions as numbers; `to` does not belong to the range. */
interface VersionRange {
  readonly from: number;
  readonly to: number;
}

/** Undefined if a part is not understood. */
function readRange(written: string): VersionRange | undefined {
  // A sign belongs to the version after it. A comment may follow.
  const text = written
    .replace(/#[\s\S]*/, '')
    .replace(/([\^~<>=])\s+/g, '$1')
    .trim();
  let range: VersionRange = { from: 0, to: Number.POSITIVE_INFINITY };
  for (const part of text.split(/[\s,]+/, MAX_COMPARATORS)) {
    const next = readComparator(part);
    if (!next) return undefined;
    range = { from: Math.max(range.from, next.from), to: Math.min(range.to, next.to) };
  }
  return range;
}

function readComparator(part: string): VersionRange | undefined {
  const [, operator = '', ...numbers] = COMPARATOR.exec(part) ?? [];
  const [major, minor, patch] = numbers.map((text) => (/^\d+$/.test(text ?? '') ? Number(text) : undefined));
  if (major === undefined) return undefined;
  const from = toNumber(major, minor ?? 0, patch ?? 0);
  /** Past all versions that begin with what is written. */
  const past =
    minor === undefined
      ? toNumber(major + 1, 0, 0)
      : patch === undefined
        ? toNumber(major, minor + 1, 0)
        : from + 1;
  const nextMinor = minor === undefined ? past : toNumber(major, minor + 1, 0);
  switch (operator) {
    case '^':
      // The first number other than 0 stays the same: https://docs.npmjs.com/cli/v6/using-npm/semver#caret-ranges-123-025-004
      return { from, to: major > 0 ? toNumber(major + 1, 0, 0) : minor === 0 ? past : nextMinor };
    case '~':
      return { from, to: nextMinor };
    case '~=':
      // Of two numbers, the second may grow: https://peps.python.org/pep-0440/#compatible-release
      return { from, to: patch === undefined ? toNumber(major + 1, 0, 0) : nextMinor };
    case '>=':
      return { from, to: Number.POSITIVE_INFINITY };
    case '>':
      return { from: past, to: Number.POSITIVE_INFINITY };
    case '<=':
      return { from: 0, to: past };
    case '<':
      return { from: 0, to: from };
    default:
      return { from, to: past };
  }
}

function toNumber(major: number, minor: number, patch: number): number {
  return (major * 1_000 + Math.min(minor, 999)) * 1_000 + Math.min(patch, 999);
}
