import { badInput } from '../../base/errors.ts';
import { createMessage, foreign } from '../../base/text.ts';
import type { SliceOptions } from '../../base/timeSlices.ts';
import { isEscaped } from '../../base/values.ts';
import {
  CLOSE_LIST,
  COMMA,
  invalidJsonError,
  type JsonText,
  MAX_SKIP_DEPTH,
  OPEN_LIST,
  QUOTE,
  tooDeepError,
} from './jsonScan.ts';

/** A shorter text is read within some milliseconds. */
const MIN_OPENED_CHARS = 1024 * 1024;
/** A value is long if it has so many characters outside of its long values. */
const MIN_LONG_CHARS = 256;
/** In one object or list. Builds of compilers have some thousand sources, and as many nodes in a syntax tree. */
const MAX_MEMBERS = 100_000;
const CHECK_EVERY = 1024;

/** An object or a list that is not closed yet. */
interface OpenValue {
  readonly from: number;
  /** Characters of its long values. */
  covered: number;
  members: number;
}

/**
 * Reads where the long values of a large JSON text end, in slices of time: builds of compilers have up to 128 MiB, and
 * each scan for a member would read them again.
 *
 * @throws AppError `badInput` for brackets that do not match, and for more levels or members than any tool writes; the
 * signal's reason when it aborts.
 */
export async function openJson(text: string, { slices, signal }: SliceOptions): Promise<JsonText> {
  if (text.length < MIN_OPENED_CHARS) return text;
  const ends = new Map<number, number>();
  const open: OpenValue[] = [];

  function endValue(from: number, end: number, covered: number): void {
    const isLong = end - from - covered > MIN_LONG_CHARS;
    if (isLong) ends.set(from, end);
    const outer = open.at(-1);
    if (outer) outer.covered += isLong ? end - from : covered;
  }

  for (let at = 0, step = 0; at < text.length; at++, step++) {
    if (step % CHECK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
    const code = text.charCodeAt(at);
    // `[` and `{`, `]` and `}` differ by one bit.
    const bracket = code & ~0x20;
    if (code === QUOTE) {
      const from = at;
      do {
        if (++step % CHECK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
        at = text.indexOf('"', at + 1);
        if (at === -1) throw invalidJsonError(text.length);
      } while (isEscaped(text, at));
      endValue(from, at + 1, 0);
    } else if (bracket === OPEN_LIST) {
      if (open.push({ from: at, covered: 0, members: 1 }) > MAX_SKIP_DEPTH)
        throw tooDeepError(MAX_SKIP_DEPTH);
    } else if (bracket === CLOSE_LIST) {
      const value = open.pop();
      if (!value) throw invalidJsonError(at);
      endValue(value.from, at + 1, value.covered);
    } else if (code === COMMA) {
      const value = open.at(-1);
      if (value && ++value.members > MAX_MEMBERS) throw tooManyError();
    }
  }
  if (open.length > 0) throw invalidJsonError(text.length);
  return { text, ends };
}

function tooManyError() {
  const template = 'It has an object or a list with more than {0} members.';
  return badInput('json', createMessage(template, foreign(MAX_MEMBERS.toLocaleString('en'))));
}
