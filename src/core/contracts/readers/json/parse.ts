import { type AppError, badInput } from '../../../base/errors.ts';

/** A value in a JSON text: where it begins, and one past its end. */
export interface JsonSpan {
  readonly from: number;
  readonly to: number;
}

/** Characters of one value that is parsed: the largest ABIs have about 1 MB. */
const LONGEST_VALUE = 4 * 1_024 * 1_024;
/** Of lists and objects in one another. Tuples of an ABI take two each; readers may follow the value by calling themselves. */
const DEEPEST_VALUE = 64;

/**
 * The value at `span`, as `JSON.parse` reads it.
 *
 * @throws AppError `badInput` for what is no JSON, too long or too deep.
 */
export function parseSpan(text: string, { from, to }: JsonSpan): unknown {
  if (to - from > LONGEST_VALUE) throw badInput('json', 'It has a value of more than 4 MiB.');
  if (isDeep(text, from, to)) throw tooDeep(DEEPEST_VALUE);
  try {
    return JSON.parse(text.slice(from, to));
  } catch {
    throw brokenJson(from);
  }
}

/** @throws as {@link parseSpan}. */
export function parseJson(text: string): unknown {
  return parseSpan(text, { from: 0, to: text.length });
}

export function brokenJson(at: number): AppError {
  return badInput('json', `It is not valid JSON, at character ${at + 1}.`);
}

export function tooDeep(levels: number): AppError {
  return badInput('json', `It is nested more than ${levels.toLocaleString('en')} deep.`);
}

/** Brackets in strings count too: more than enough for a bound. */
function isDeep(text: string, from: number, to: number): boolean {
  let depth = 0;
  for (let at = from; at < to; at++) {
    // `[` and `{`, `]` and `}` differ by one bit.
    const code = text.charCodeAt(at) & ~0x20;
    if (code === 0x5b && ++depth > DEEPEST_VALUE) return true;
    if (code === 0x5d) depth--;
  }
  return false;
}
