import { AppError } from '../base/errors.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { cutAtComma, endElement, endJson, type OpenJson, openJson, requireBlank } from './jsonPieces.ts';

/** What a document may hold before it is refused. */
export interface JsonLimits {
  /** Lists and objects inside one another. */
  readonly maxDepth: number;
  /** Values of every kind together, lists and objects among them. */
  readonly maxValues: number;
  /** Members of one object, which cost more the more there are. */
  readonly maxMembers: number;
}

interface LargeJsonOptions {
  readonly limits: JsonLimits;
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal | undefined;
  /** Characters that are read at once; default 128 Ki. */
  readonly piece?: number;
}

/** Characters that are handed to `JSON.parse` at once: about a millisecond. */
const PIECE = 128 * 1024;
/** Steps of the scanner without a look at the clock: less than a millisecond. */
const LOOK_EVERY = 16 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * `text` as `JSON.parse` reads it, in slices of time: the text is cut between elements, and `JSON.parse` reads one
 * piece after the other. What is over `limits` is refused where it goes over them.
 *
 * @throws SyntaxError where `JSON.parse` does, AppError `tooLarge`, and the signal's reason when it aborts.
 */
export async function parseLargeJson(
  text: string,
  { limits, slices, signal, piece = PIECE }: LargeJsonOptions,
): Promise<unknown> {
  const open: OpenJson[] = [];
  let root: unknown;
  let values = 0;
  let cut = 0;
  let steps = 0;
  for (let at = 0; at < text.length; at++) {
    if (++steps % LOOK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
    const code = text.charCodeAt(at);
    const inner = open[open.length - 1];
    if (code === QUOTE) {
      const start = at + 1;
      at = text.indexOf('"', start);
      while (at !== -1 && isEscaped(text, start, at)) {
        if (++steps % LOOK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
        at = text.indexOf('"', at + 1);
      }
      if (at === -1) throw new SyntaxError('A text has no end.');
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      requireRoom(++values, open.length + 1, limits);
      open.push(openJson(code === OPEN_LIST, at));
    } else if (code === COMMA && inner) {
      requireRoom(++values, open.length, limits);
      if (inner.afterElement) endElement(text, inner, at);
      else if (at - cut < piece) inner.comma = at;
      else {
        cutAtComma(text, open, at);
        cut = at;
        if (!inner.isList && inner.count > limits.maxMembers)
          throw tooMany(limits.maxMembers, 'fields in one');
        if (slices.isOver()) await slices.rest({ signal });
      }
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (!inner || inner.isList !== (code === CLOSE_LIST))
        throw new SyntaxError('The wrong bracket closes.');
      open.pop();
      const value = endJson(text, inner, at);
      const outer = open[open.length - 1];
      if (value !== undefined && outer) outer.from = at + 1;
      if (value !== undefined && !outer) {
        requireBlank(text, at + 1, text.length);
        root = value;
      }
    }
  }
  if (open.length > 0) throw new SyntaxError('A list or an object has no end.');
  // Where nothing was cut: a value of few parts, however long.
  return root === undefined ? JSON.parse(text) : root;
}

/** Whether the quote at `at` belongs to the text that began at `start`: an odd number of backslashes is before it. */
function isEscaped(text: string, start: number, at: number): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

function requireRoom(values: number, depth: number, { maxValues, maxDepth }: JsonLimits): void {
  if (values > maxValues) throw tooMany(maxValues, 'values');
  if (depth > maxDepth) throw tooMany(maxDepth, 'lists one inside the other');
}

function tooMany(most: number, what: string): AppError {
  return new AppError('tooLarge', `The answer holds over ${most.toLocaleString('en')} ${what}.`);
}
