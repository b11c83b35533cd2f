import { AppError } from '../base/errors.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { isEscaped } from '../base/values.ts';

/**
 * Parses `text` as `JSON.parse` does, in slices of time: it cuts the text between elements and passes one piece after
 * the other to `JSON.parse`.
 *
 * @throws SyntaxError where `JSON.parse` does; AppError `tooLarge` over `limits`; the signal's reason when it aborts.
 */
export async function parseLargeJson(
  text: string,
  { limits, slices, signal, piece = PIECE_CHARS }: LargeJsonOptions,
): Promise<unknown> {
  const open: OpenJson[] = [];
  let root: unknown;
  let values = 0;
  let cut = 0;
  let steps = 0;
  for (let at = 0; at < text.length; at++) {
    if (++steps % CHECK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
    const code = text.charCodeAt(at);
    const inner = open[open.length - 1];
    if (code === QUOTE) {
      at = text.indexOf('"', at + 1);
      while (at !== -1 && isEscaped(text, at)) {
        if (++steps % CHECK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
        at = text.indexOf('"', at + 1);
      }
      if (at === -1) throw new SyntaxError('A string is not closed.');
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      requireWithinLimits(++values, open.length + 1, limits);
      open.push(openJson(code === OPEN_LIST, at));
    } else if (code === COMMA && inner) {
      requireWithinLimits(++values, open.length, limits);
      if (inner.afterElement) endElement(text, inner, at);
      else if (at - cut < piece) inner.comma = at;
      else {
        cutAtComma(text, open, at);
        cut = at;
        if (!inner.isList && inner.count > limits.maxMembers)
          throw tooManyError(limits.maxMembers, 'fields in one object');
        if (slices.isOver()) await slices.rest({ signal });
      }
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (!inner || inner.isList !== (code === CLOSE_LIST))
        throw new SyntaxError('A closing bracket does not match.');
      open.pop();
      const value = closeJson(text, inner, at);
      const outer = open[open.length - 1];
      if (value !== undefined && outer) outer.from = at + 1;
      if (value !== undefined && !outer) {
        requireWhitespace(text, at + 1, text.length);
        root = value;
      }
    }
  }
  if (open.length > 0) throw new SyntaxError('A list or an object is not closed.');
  // Nothing was cut: the value has few parts, however long it is.
  return root === undefined ? JSON.parse(text) : root;
}

interface LargeJsonOptions {
  readonly limits: JsonLimits;
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal | undefined;
  /** Characters that are parsed at once; default 128 Ki. */
  readonly piece?: number;
}

/** A document over one of these limits is rejected. */
export interface JsonLimits {
  readonly maxDepth: number;
  /** All values together, lists and objects included. */
  readonly maxValues: number;
  /** Members of one object. The cost of each grows with their number. */
  readonly maxMembers: number;
}

/** `JSON.parse` takes about a millisecond for it. */
const PIECE_CHARS = 128 * 1024;
/** Steps of the scanner without checking the clock: less than a millisecond. */
const CHECK_EVERY = 16 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Whether the quote at `at` is part of the string that began at `start`: it follows an odd number of backslashes. */
function requireWithinLimits(values: number, depth: number, { maxValues, maxDepth }: JsonLimits): void {
  if (values > maxValues) throw tooManyError(maxValues, 'values');
  if (depth > maxDepth) throw tooManyError(maxDepth, 'levels of nesting');
}

function tooManyError(limit: number, what: string): AppError {
  return new AppError('tooLarge', `The response has over ${limit.toLocaleString('en')} ${what}.`);
}

/** A list or an object whose end is not reached yet. */
interface OpenJson {
  readonly isList: boolean;
  readonly at: number;
  /** Created when the text is cut inside of it. Until then it is part of a piece of the value around it. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** Elements or members in `value`. */
  count: number;
  /** Start of the text that is not in `value` yet. */
  from: number;
  comma: number | undefined;
  /** Whether an element with its own value ends at `from`, so that a comma or the end must follow. */
  afterElement: boolean;
  /** Whether a comma ends at `from`, so that an element must follow. */
  afterComma: boolean;
}

function openJson(isList: boolean, at: number): OpenJson {
  const before = { value: undefined, count: 0, comma: undefined, afterElement: false, afterComma: false };
  return { isList, at, from: at + 1, ...before };
}

/** Parses the rest of the innermost open value, up to a comma at `at`. */
function cutAtComma(text: string, open: readonly OpenJson[], at: number): void {
  const inner = open[open.length - 1];
  materialize(text, open, open.length - 1);
  if (inner) parsePiece(text, inner, { to: at, isRequired: true });
}

/** Parses the rest of `inner`, up to its end at `at`. @returns its value; undefined if it has none of its own. */
function closeJson(text: string, inner: OpenJson, at: number): OpenJson['value'] {
  if (inner.value !== undefined) {
    if (inner.afterElement) endElement(text, inner, at);
    else parsePiece(text, inner, { to: at, isRequired: inner.afterComma });
  }
  return inner.value;
}

/** Consumes the comma or the end at `at` after an element with its own value. @throws SyntaxError for anything else. */
function endElement(text: string, inner: OpenJson, at: number): void {
  requireWhitespace(text, inner.from, at);
  inner.from = at + 1;
  inner.afterElement = false;
  inner.afterComma = true;
}

/** @throws SyntaxError if there is anything but white space. */
function requireWhitespace(text: string, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
      throw new SyntaxError('Unexpected text after a value.');
    }
  }
}

/** Creates the values at `depth` and around it, and parses the text before them. */
function materialize(text: string, open: readonly OpenJson[], depth: number): void {
  const inner = open[depth];
  if (!inner || inner.value !== undefined) return;
  inner.value = inner.isList ? [] : {};
  materialize(text, open, depth - 1);
  const outer = open[depth - 1];
  if (!outer) {
    requireWhitespace(text, 0, inner.at);
    return;
  }
  if (outer.afterElement) throw new SyntaxError('A comma is missing between two values.');
  if (outer.comma !== undefined) parsePiece(text, outer, { to: outer.comma, isRequired: true });
  if (outer.isList) {
    requireWhitespace(text, outer.from, inner.at);
    append(outer, [inner.value]);
  } else {
    // Parsed as a member, so that `JSON.parse` reads its name. The empty list is a placeholder for its value.
    const member = JSON.parse(`{${text.slice(outer.from, inner.at)}[]}`);
    for (const name of Object.keys(member)) defineMember(member, name, inner.value);
    append(outer, member);
  }
  outer.comma = undefined;
  outer.afterElement = true;
  outer.afterComma = false;
}

/** Parses what is not in the value yet, up to a comma or the end at `to`. `isRequired`: it must not be empty. */
function parsePiece(
  text: string,
  into: OpenJson,
  { to, isRequired }: { readonly to: number; readonly isRequired: boolean },
): void {
  const piece = text.slice(into.from, to);
  const parsed = JSON.parse(into.isList ? `[${piece}]` : `{${piece}}`);
  const before = into.count;
  append(into, parsed);
  if (isRequired && into.count === before) throw new SyntaxError('A value is missing next to a comma.');
  into.from = to + 1;
  into.comma = undefined;
  into.afterComma = true;
}

function append(into: OpenJson, parsed: readonly unknown[] | Record<string, unknown>): void {
  if (Array.isArray(into.value)) {
    const elements = parsed as readonly unknown[];
    for (const element of elements) into.value.push(element);
    into.count += elements.length;
  } else {
    const members = Object.entries(parsed);
    for (const [name, value] of members) defineMember(into.value as object, name, value);
    into.count += members.length;
  }
}

/** As `JSON.parse` does: `__proto__` is a name like any other. */
function defineMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}
