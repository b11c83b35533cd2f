import { AppError } from '../base/errors.ts';
import type { TimeSlices } from '../base/timeSlices.ts';

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
const CHECK_EVERY = 16 * 1024;

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
    if (++steps % CHECK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
    const code = text.charCodeAt(at);
    const inner = open[open.length - 1];
    if (code === QUOTE) {
      const start = at + 1;
      at = text.indexOf('"', start);
      while (at !== -1 && isEscaped(text, start, at)) {
        if (++steps % CHECK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
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

/** A list or an object whose end has not come yet. */
interface OpenJson {
  readonly isList: boolean;
  /** Where its bracket is. */
  readonly at: number;
  /** Made when a piece is cut inside of it; until then it is part of a piece of what holds it. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** Elements or members in `value`. */
  count: number;
  /** Where that begins which is not in `value` yet. */
  from: number;
  /** The last comma since `from`. */
  comma: number | undefined;
  /** Whether an element with a value of its own ends at `from`, so that a comma or the end must follow. */
  afterElement: boolean;
  /** Whether a comma ends at `from`, so that an element must follow. */
  afterComma: boolean;
}

/** A list or an object that begins with the bracket at `at`. */
function openJson(isList: boolean, at: number): OpenJson {
  const before = { value: undefined, count: 0, comma: undefined, afterElement: false, afterComma: false };
  return { isList, at, from: at + 1, ...before };
}

/** Takes what is left of the last of `open` in `text`, up to a comma at `at`, where it must be cut. */
function cutAtComma(text: string, open: readonly OpenJson[], at: number): void {
  const of = open[open.length - 1];
  giveValue(text, open, open.length - 1);
  if (of) take(text, of, { to: at, needed: true });
}

/** Takes what is left of `of` in `text`, up to its end at `at`. @returns its value, undefined if it has none of its own. */
function endJson(text: string, of: OpenJson, at: number): OpenJson['value'] {
  if (of.value !== undefined) {
    if (of.afterElement) endElement(text, of, at);
    else take(text, of, { to: at, needed: of.afterComma });
  }
  return of.value;
}

/** Notes the comma or the end at `at` behind an element with a value of its own. @throws SyntaxError for more than that. */
function endElement(text: string, of: OpenJson, at: number): void {
  requireBlank(text, of.from, at);
  of.from = at + 1;
  of.afterElement = false;
  of.afterComma = true;
}

/** @throws SyntaxError where more than white space stands there. */
function requireBlank(text: string, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
      throw new SyntaxError('Something stands where nothing may.');
    }
  }
}

/** Gives the list or object at `depth`, and those around it, a value of its own, with what stands before it. */
function giveValue(text: string, open: readonly OpenJson[], depth: number): void {
  const inner = open[depth];
  if (!inner || inner.value !== undefined) return;
  inner.value = inner.isList ? [] : {};
  giveValue(text, open, depth - 1);
  const outer = open[depth - 1];
  if (!outer) {
    requireBlank(text, 0, inner.at);
    return;
  }
  if (outer.afterElement) throw new SyntaxError('A comma is missing between two values.');
  if (outer.comma !== undefined) take(text, outer, { to: outer.comma, needed: true });
  if (outer.isList) {
    requireBlank(text, outer.from, inner.at);
    append(outer, [inner.value]);
  } else {
    // Read as a member, so that its name is what `JSON.parse` makes of it; an empty list joins nothing before it.
    const member = JSON.parse(`{${text.slice(outer.from, inner.at)}[]}`);
    for (const name of Object.keys(member)) define(member, name, inner.value);
    append(outer, member);
  }
  outer.comma = undefined;
  outer.afterElement = true;
  outer.afterComma = false;
}

/** Reads what is not in the value yet, up to a comma or the end at `to`; `needed` where something has to be there. */
function take(
  text: string,
  into: OpenJson,
  { to, needed }: { readonly to: number; readonly needed: boolean },
): void {
  const piece = text.slice(into.from, to);
  const read = JSON.parse(into.isList ? `[${piece}]` : `{${piece}}`);
  const before = into.count;
  append(into, read);
  if (needed && into.count === before) throw new SyntaxError('A value is missing beside a comma.');
  into.from = to + 1;
  into.comma = undefined;
  into.afterComma = true;
}

function append(into: OpenJson, read: readonly unknown[] | Record<string, unknown>): void {
  if (Array.isArray(into.value)) {
    const elements = read as readonly unknown[];
    for (const element of elements) into.value.push(element);
    into.count += elements.length;
  } else {
    const members = Object.entries(read);
    for (const [name, value] of members) define(into.value as object, name, value);
    into.count += members.length;
  }
}

/** As `JSON.parse` does it, for which `__proto__` is a name like others. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}
