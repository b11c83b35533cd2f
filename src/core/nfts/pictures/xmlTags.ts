/** One tag of an XML text, or a piece of text between tags. */
export type XmlPart =
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: XmlAttributes;
      readonly empty: boolean;
    }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

export type XmlAttributes = readonly (readonly [name: string, value: string])[];

const SPACES = /\s*/y;
const NAME = /[A-Za-z_][\w.:-]*/y;
const EQUALS = /\s*=\s*/y;
/** Without a subset of its own, which could declare entities; with names that no browser fetches. */
const DOCTYPE = /<!DOCTYPE\s[^<>[\]]*>/y;
const DECLARATION = /<\?xml\s[^<>?]*\?>/y;

/**
 * The tags and texts of an XML document one after the other, in one pass, each as it is written (references such as
 * `&lt;` are not resolved). Comments are left out. Stricter than XML where a browser could read it otherwise.
 *
 * @throws SyntaxError where it is not well formed, and for a processing instruction or a declaration of entities.
 * @example
 * [...xmlParts('<a b="1"/>')]; // [{ kind: 'open', name: 'a', attributes: [['b', '1']], empty: true }]
 */
export function* xmlParts(text: string): Generator<XmlPart> {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const takeUntil = (end: string): string => {
    const found = text.indexOf(end, at);
    if (found === -1) throw notWellFormed();
    const taken = text.slice(at, found);
    at = found + end.length;
    return taken;
  };
  const readAttributes = (): XmlAttributes => {
    const attributes: [string, string][] = [];
    for (;;) {
      const space = take(SPACES);
      const name = take(NAME);
      if (name === undefined) return attributes;
      const quote = space && take(EQUALS) ? text[at++] : undefined;
      if (quote !== '"' && quote !== "'") throw notWellFormed();
      attributes.push([name, takeUntil(quote)]);
    }
  };
  take(DECLARATION);
  while (at < text.length) {
    if (text[at] !== '<') {
      const next = text.indexOf('<', at);
      yield { kind: 'text', text: text.slice(at, next === -1 ? text.length : next) };
      at = next === -1 ? text.length : next;
    } else if (text.startsWith('<!--', at)) {
      at += 4;
      takeUntil('-->');
    } else if (text.startsWith('<![CDATA[', at)) {
      at += 9;
      yield { kind: 'text', text: takeUntil(']]>') };
    } else if (text.startsWith('</', at)) {
      at += 2;
      const name = take(NAME);
      take(SPACES);
      if (name === undefined || text[at++] !== '>') throw notWellFormed();
      yield { kind: 'close', name };
    } else if (take(DOCTYPE) === undefined) {
      at++;
      const name = take(NAME);
      if (name === undefined) throw notWellFormed();
      const attributes = readAttributes();
      const empty = text[at] === '/';
      if (empty) at++;
      if (text[at++] !== '>') throw notWellFormed();
      yield { kind: 'open', name, attributes, empty };
    }
  }
}

function notWellFormed(): SyntaxError {
  return new SyntaxError('Not well-formed XML.');
}
