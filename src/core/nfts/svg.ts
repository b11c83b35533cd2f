/**
 * Rejects a drawing that could take minutes or gigabytes to render, or that is more than a drawing: elements
 * that redraw others (`use`, `pattern`, `filter`, `mask`, `marker`), scripts (`script`, `foreignObject`,
 * handlers), animation, or too much of anything. One pass over the text.
 *
 * @param inside checks an embedded bitmap by its `data:` URL and throws if it may not be displayed.
 * @throws SvgError
 * @example
 * checkSvg('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', inside); // throws SvgError
 */
export function checkSvg(text: string, inside: SvgContext['inside']): void {
  if (text.length > MAX_SVG_CHARS) throw new SvgError('length');
  const drawing = new Drawing(inside);
  try {
    for (const part of parseXml(text)) drawing.take(part);
  } catch (error) {
    throw error instanceof SyntaxError ? new SvgError('form') : error;
  }
  if (!drawing.ended) throw new SvgError('form');
}

const MAX_SVG_CHARS = 1024 * 1024;
const MAX_ELEMENTS = 5_000;
const MAX_ELEMENT_DEPTH = 64;
const MAX_TEXT_CHARS = 64 * 1024;
const MAX_STYLES_CHARS = 32 * 1024;
/** Style rules times elements: each rule is matched against each element. */
const MAX_STYLINGS = 500_000;
/** Characters of all shapes; their edges are sorted for each line of pixels. */
const MAX_SHAPES_CHARS = 64 * 1024;
/** References to gradients and clip paths, each of which may fill the entire image. */
const MAX_LINKS = 500;
/** Parts of gradients and clip paths times references to them, as each may be drawn for each reference. */
const MAX_REPEATS = 50_000;
/** Characters of a shape in a clip path that count as one part. */
const PART_OF_SHAPE = 20;

/** Elements that are drawn once each. None of them redraws others, runs, loads or animates. */
const allowedElements: ReadonlySet<string> = new Set(
  (
    'svg g path rect circle ellipse line polyline polygon text tspan image defs linearGradient radialGradient stop ' +
    'clipPath style title desc metadata a switch'
  ).split(' '),
);
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** Accumulates the totals that the limits apply to. */
class Drawing {
  ended = false;
  readonly #inside: SvgContext['inside'];
  readonly #open: string[] = [];
  #elements = 0;
  #letters = 0;
  #rules = 0;
  #links = 0;
  #repeated = 0;
  #corners = 0;
  #style = '';
  #styleLength = 0;

  constructor(inside: SvgContext['inside']) {
    this.#inside = inside;
  }

  take(part: XmlPart): void {
    if (part.kind === 'text') this.#takeText(part.text);
    else if (this.ended) throw new SvgError('form');
    else if (part.kind === 'open') this.#begin(part.name, part.attributes, part.empty);
    else this.#end(part.name);
    const { length } = this.#open;
    const tooMuch =
      this.#elements > MAX_ELEMENTS ||
      length > MAX_ELEMENT_DEPTH ||
      this.#letters > MAX_TEXT_CHARS ||
      this.#styleLength > MAX_STYLES_CHARS ||
      this.#rules * this.#elements > MAX_STYLINGS ||
      this.#corners > MAX_SHAPES_CHARS ||
      this.#links > MAX_LINKS ||
      this.#links * this.#repeated > MAX_REPEATS;
    if (tooMuch) throw new SvgError('length');
  }

  #takeText(text: string): void {
    if (this.#open.length === 0 && text.trim() !== '') throw new SvgError('form');
    if (this.#isIn('style')) {
      this.#style += text;
      this.#styleLength += text.length;
    } else {
      this.#letters += text.trim().length;
    }
  }

  #begin(name: string, attributes: XmlAttributes, empty: boolean): void {
    const element = toSvgName(name);
    if (this.#open.length === 0) requireSvg(element, attributes);
    if (element !== undefined && !allowedElements.has(element)) throw new SvgError(element);
    if (this.#isIn('style')) throw new SvgError('style');
    this.#elements++;
    const clipping = element === 'clipPath' || this.#open.some((outer) => toSvgName(outer) === 'clipPath');
    if (clipping || element === 'stop') this.#repeated++;
    const { links, corners } = checkSvgAttributes(attributes, { element, clipping, inside: this.#inside });
    this.#links += links;
    this.#corners += corners;
    if (clipping) this.#repeated += Math.floor(corners / PART_OF_SHAPE);
    if (!empty) this.#open.push(name);
    else this.ended = this.#open.length === 0;
  }

  #end(name: string): void {
    // Checked at the end tag: a comment or a CDATA section may split a keyword that the browser reads as one.
    if (toSvgName(name) === 'style') {
      const { rules, links } = checkSvgStyle(this.#style, 'sheet');
      this.#rules += rules;
      this.#links += links > 0 ? MAX_LINKS : 0;
      this.#style = '';
    }
    if (this.#open.pop() !== name) throw new SvgError('form');
    this.ended = this.#open.length === 0;
  }

  #isIn(element: string): boolean {
    const inner = this.#open[this.#open.length - 1];
    return inner !== undefined && toSvgName(inner) === element;
  }
}

/**
 * The name without `svg:`; undefined for an element of another namespace, such as a drawing program's, which
 * no browser draws.
 */
function toSvgName(name: string): string | undefined {
  const colon = name.indexOf(':');
  if (colon === -1) return name;
  return name.startsWith('svg:') ? name.slice(colon + 1) : undefined;
}

function requireSvg(name: string | undefined, attributes: XmlAttributes): void {
  const namespaces = attributes.filter(([attribute]) => attribute === 'xmlns' || attribute === 'xmlns:svg');
  if (name !== 'svg' || !namespaces.some(([, value]) => value === SVG_NAMESPACE)) throw new SvgError('form');
}

interface SvgContext {
  readonly element: string | undefined;
  /** Whether the element is, or is inside, a clip path, where references multiply. */
  readonly clipping: boolean;
  /** Checks an embedded bitmap by its `data:` URL; throws if it may not be displayed. */
  readonly inside: (url: string) => void;
}

const BROWSER_NAMESPACE = /www\.w3\.org\/(?:2000\/svg|1999\/xhtml)/;
const MAX_SIDE_PIXELS = 8_192;
const MAX_STYLE_CHARS = 4 * 1024;
const MAX_DASHES_CHARS = 100;

/**
 * @returns how many references the attributes contain, and how many characters of shapes.
 * @throws SvgError
 */
function checkSvgAttributes(attributes: XmlAttributes, context: SvgContext) {
  let [links, corners] = [0, 0];
  for (const [name, value] of attributes) {
    links += checkAttribute(name, value, context);
    if (/(?:^|:)(?:d|points)$/.test(name)) corners += value.length;
  }
  return { links, corners };
}

function checkAttribute(name: string, value: string, { element, clipping, inside }: SvgContext): number {
  const local = name.slice(name.indexOf(':') + 1);
  if (name.startsWith('xmlns:') && name !== 'xmlns:svg' && name !== 'xmlns:xlink') {
    if (value.includes('&') || BROWSER_NAMESPACE.test(value)) throw new SvgError('form');
    return 0;
  }
  if (/^on/i.test(name)) throw new SvgError('script');
  switch (local) {
    case 'filter':
    case 'mask':
    case 'marker':
    case 'marker-start':
    case 'marker-mid':
    case 'marker-end':
      if (value.trim() !== 'none') throw new SvgError(local);
      return 0;
    case 'clip-path':
    case 'fill':
    case 'stroke':
      if (local === 'clip-path' && clipping) throw new SvgError(local);
      return checkSvgStyle(value, 'attribute').links;
    case 'style':
      if (value.length > MAX_STYLE_CHARS) throw new SvgError('length');
      if (clipping && /clip-path/i.test(value)) throw new SvgError('clip-path');
      return checkSvgStyle(value, 'attribute').links;
    case 'href':
      if (element === 'image') inside(value);
      else if (element !== undefined && element !== 'a' && !value.startsWith('#')) throw new SvgError('link');
      return 1;
    case 'stroke-dasharray':
      if (value.length > MAX_DASHES_CHARS) throw new SvgError(local);
      return 0;
    case 'width':
    case 'height':
      if (Number.parseFloat(value) > MAX_SIDE_PIXELS) throw new SvgError('size');
      return 0;
    default:
      return 0;
  }
}

/**
 * Why a drawing is not displayed. `what` is the name of the rejected content, or one of `form` (malformed, or
 * ambiguous to a browser), `length` (too much of something), `link`, `script`, `size`, `style`.
 */
export class SvgError extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`The drawing is not shown because of its ${what}.`);
    this.name = 'SvgRefusal';
    this.what = what;
  }
}

/** Anything that is rendered with an extra layer, animated, repeated, or loaded. */
const REFUSED =
  /(@import|@font-face|@keyframes|animation|transition|filter|mask|marker|stroke-dasharray|offset-path|path\(|polygon\(|:has\(|expression|behavior|binding)/i;
const LINK = /(?:url|image|image-set|src)\(\s*['"]?(.?)/gi;

/** A style attribute, or the text of a `style` element, whose rules can match any element. */
type StylePlace = 'attribute' | 'sheet';

/**
 * Rejects styles that load, animate or repeat.
 *
 * @returns the number of rules and of references.
 * @throws SvgError
 */
function checkSvgStyle(css: string, place: StylePlace) {
  // CSS escapes and XML entities: the browser would read another text.
  if (css.includes('\\') || css.includes('&')) throw new SvgError('style');
  for (const declaration of css.split(/[;{}]/)) {
    const refused = REFUSED.exec(declaration)?.[1];
    if (refused && declaration.split(':')[1]?.trim() !== 'none') {
      throw new SvgError(refused.toLowerCase().replace(/[^a-z-]/g, ''));
    }
    if (place === 'sheet' && /clip-path/i.test(declaration)) throw new SvgError('clip-path');
  }
  let links = 0;
  for (const link of css.matchAll(LINK)) {
    if (link[1] !== '#') throw new SvgError('link');
    links++;
  }
  return { rules: css.split('{').length - 1, links };
}

type XmlPart =
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: XmlAttributes;
      readonly empty: boolean;
    }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

type XmlAttributes = readonly (readonly [name: string, value: string])[];

const SPACES = /\s*/y;
const NAME = /[A-Za-z_][\w.:-]*/y;
const EQUALS = /\s*=\s*/y;
/** Without an internal subset, which could declare entities; browsers fetch no external one. */
const DOCTYPE = /<!DOCTYPE\s[^<>[\]]*>/y;
const XML_DECLARATION = /<\?xml\s[^<>?]*\?>/y;

/**
 * Yields the tags and texts of an XML document in one pass, with entities such as `&lt;` unresolved and
 * comments left out. Stricter than XML wherever a browser could read it differently.
 *
 * @throws SyntaxError if malformed, and for processing instructions and entity declarations.
 */
function* parseXml(text: string): Generator<XmlPart> {
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
  take(XML_DECLARATION);
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
