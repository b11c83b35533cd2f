import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { describeInFullRun, isFullRun } from '../../support/fullRun.ts';
import { parseFiles } from '../../support/parseFiles.ts';
import { patternsOf } from '../../support/sourcePatterns.ts';

const require = createRequire(import.meta.url);
// This build of it runs in plain JavaScript; the other would look for a Java or a native program.
const { checkSync } = require('recheck/lib/browser.js') as typeof import('recheck');

/** Judged by the characters that are looked at: none of these limits is a time, so that a busy machine judges the same. */
const untimed = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** Times that a repetition inside another may be tried in all, where both have an end. */
const MAX_TRIES = 100;

/** Why the time of a regular expression may grow faster than its text; undefined where it does not. */
function superLinear(source: string, flags: string): string | undefined {
  const tries = triesOfNested(source);
  if (tries <= MAX_TRIES) return undefined;
  if (tries < Number.POSITIVE_INFINITY) return `tries a repetition in a repetition ${tries} times`;
  // The judge would take all memory.
  if (/\\[1-9]/.test(source)) return 'has a back reference: write a pattern for each case, or a loop';
  const found = checkSync(source, flags, untimed);
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return 'too involved to be judged: bound each repetition, or write a loop';
  return `${found.complexity.type}, as for ${found.attack.pattern}`;
}

/** The greatest product of bounds of repetitions that lie in one another, 1 where none do; infinite for one without end. */
function triesOfNested(source: string): number {
  const signs = source
    .replace(/\\[\s\S]/g, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '(')
    .replace(/([?}])\?/g, '$1');
  if (/[*+]|\{\d+,\}/.test(signs)) return Number.POSITIVE_INFINITY;
  let most = 1;
  /** For each open group the most that a repetition in it is tried. */
  const open = [1];
  let closed = 1;
  for (const [sign, least = '', greatest = least] of signs.matchAll(/\{(\d+)(?:,(\d+))?\}|[\s\S]/g)) {
    if (sign === '(') open.push(1);
    const tries = sign.length > 1 ? Number(greatest) : 1;
    if (tries > 1 && closed > 1) most = Math.max(most, tries * closed);
    const within = tries > 1 && (closed > 1 || least !== greatest) ? tries * closed : 1;
    closed = sign === ')' ? (open.pop() ?? 1) : 1;
    open.push(Math.max(open.pop() ?? 1, closed, within));
  }
  return most;
}

// Literals are judged in a full run only. What is made of other texts has to be one, or to be known from them.
const sources = globSync('src/**/*.{ts,tsx}', { cwd: fromRoot('.') })
  .map((file) => [file.replaceAll('\\', '/'), readFileSync(fromRoot(file), 'utf8')] as const)
  .filter(([, text]) => isFullRun || /\bRegExp\(/.test(text));
const patterns = parseFiles(Object.fromEntries(sources), patternsOf).flat();

/**
 * The beginning of a secret in all its escapes: each repetition is of one character and up to six times. The tests of
 * redaction search long texts that nearly match.
 */
const MADE_OF_A_KEY = /^src\/core\/secrets\/keyMatcher\.ts:/;

describe('regular expressions of the source', () => {
  it('are all known, also those that are put together of constants', () => {
    assert.ok(patterns.length > (isFullRun ? 500 : 5), `${patterns.length} patterns`);
    assert.deepEqual(
      patterns.filter(({ place, source }) => source === undefined && !MADE_OF_A_KEY.test(place)),
      [],
      'A pattern that is made at run time cannot be checked: write it as a literal.',
    );
  });
});

// Some take up to two seconds to be judged.
describeInFullRun('times of regular expressions of the source', () => {
  it('grow with the length of the text and not faster', () => {
    const slow = patterns.flatMap(({ place, source = '', flags }) => {
      const reason = superLinear(source, flags);
      return reason === undefined ? [] : [`${place} /${source}/${flags} ${reason}`];
    });
    assert.deepEqual(slow, []);
  });

  it('would not pass with a repetition inside or beside one, or with one that a search begins again in', () => {
    for (const slow of [
      /(?:a+)+$/,
      /(?:a{0,50}b?){1,50}c/,
      /\s*,?\s*$/,
      /(?:ab)*(?:ab)*$/,
      /\/+$/,
      /\B(?=(\d{3})+$)/g,
      /not.*(?:supported|allowed)/,
      /"(?:\\.|[^"\\])*"/g,
      /\/\*[\s\S]*?\*\//g,
      /(["'])(?:(?!\1).)*\1/g,
    ]) {
      assert.notEqual(superLinear(slow.source, slow.flags), undefined, String(slow));
    }
    for (const linear of [
      /^\/+$/,
      /"[^"]*"/g,
      /^(?:a+b)+$/,
      /(?:a[*+]?){2}\+(?:b{1,512}?c)?/,
      /(?<!a)b{0,20}(?=c)/,
      /^127(?:\.\d{1,3}){3}$/,
    ]) {
      assert.equal(superLinear(linear.source, linear.flags), undefined, String(linear));
    }
  });
});
