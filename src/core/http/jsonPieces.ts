/** A list or an object whose end has not come yet. */
export interface OpenJson {
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
export function openJson(isList: boolean, at: number): OpenJson {
  const before = { value: undefined, count: 0, comma: undefined, afterElement: false, afterComma: false };
  return { isList, at, from: at + 1, ...before };
}

/** Takes what is left of the last of `open` in `text`, up to a comma at `at`, where it must be cut. */
export function cutAtComma(text: string, open: readonly OpenJson[], at: number): void {
  const of = open[open.length - 1];
  giveValue(text, open, open.length - 1);
  if (of) take(text, of, { to: at, needed: true });
}

/** Takes what is left of `of` in `text`, up to its end at `at`. @returns its value, undefined if it has none of its own. */
export function endJson(text: string, of: OpenJson, at: number): OpenJson['value'] {
  if (of.value !== undefined) {
    if (of.afterElement) endElement(text, of, at);
    else take(text, of, { to: at, needed: of.afterComma });
  }
  return of.value;
}

/** Notes the comma or the end at `at` behind an element with a value of its own. @throws SyntaxError for more than that. */
export function endElement(text: string, of: OpenJson, at: number): void {
  requireBlank(text, of.from, at);
  of.from = at + 1;
  of.afterElement = false;
  of.afterComma = true;
}

/** @throws SyntaxError where more than white space stands there. */
export function requireBlank(text: string, from: number, to: number): void {
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
