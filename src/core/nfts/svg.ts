const MAX_SVG_CHARS = 1024 * 1024;
const MAX_ELEMENTS = 5_000;
const MAX_ELEMENT_DEPTH = 64;
const MAX_TEXT_CHARS = 64 * 1024;
const MAX_STYLES_CHARS = 32 * 1024;
/** Rules of styles times elements, as each is tried on each. */
const MAX_STYLINGS = 500_000;
/** Characters of all shapes, whose edges are sorted in each line of pixels. */
const MAX_SHAPES_CHARS = 64 * 1024;
/** Links to gradients and clip paths, each of which may fill the picture. */
const MAX_LINKS = 500;
/** Parts of gradients and clip paths times links to them, as each may be drawn for each. */
const MAX_REPEATS = 50_000;
/** Characters of a shape in a clip path that count as a part. */
const PART_OF_SHAPE = 20;

/** What is drawn, each once. Nothing that draws another element anew, runs, loads or moves. */
const known: ReadonlySet<string> = new Set(
  (
    'svg g path rect circle ellipse line polyline polygon text tspan image defs linearGradient radialGradient stop ' +
    'clipPath style title desc metadata a switch'
  ).split(' '),
);
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * Refuses a drawing that could take minutes and gigabytes to draw, or that is more than a drawing: with elements that
 * draw others again and again (`use`, `pattern`, `filter`, `mask`, `marker`), that run (`script`, `foreignObject`,
 * handlers) or move, or with too much of anything. One pass over the text.
 *
 * @param inside looks at a picture of pixels inside it, by its `data:` URL; throws for one that is not to be shown.
 * @throws SvgRefusal
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

/** What has been seen of a drawing so far. */
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
    const element = drawnName(name);
    if (this.#open.length === 0) requireSvg(element, attributes);
    if (element !== undefined && !known.has(element)) throw new SvgError(element);
    if (this.#isIn('style')) throw new SvgError('style');
    this.#elements++;
    const clipping = element === 'clipPath' || this.#open.some((outer) => drawnName(outer) === 'clipPath');
    if (clipping || element === 'stop') this.#repeated++;
    const { links, corners } = checkSvgAttributes(attributes, { element, clipping, inside: this.#inside });
    this.#links += links;
    this.#corners += corners;
    if (clipping) this.#repeated += Math.floor(corners / PART_OF_SHAPE);
    if (!empty) this.#open.push(name);
    else this.ended = this.#open.length === 0;
  }

  #end(name: string): void {
    // At its end, since a comment or a section in it cuts a word that the browser reads as one.
    if (drawnName(name) === 'style') {
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
    return inner !== undefined && drawnName(inner) === element;
  }
}

/** The name without `svg:`; undefined for an element of a drawing program's own, which no browser draws. */
function drawnName(name: string): string | undefined {
  const colon = name.indexOf(':');
  if (colon === -1) return name;
  return name.startsWith('svg:') ? name.slice(colon + 1) : undefined;
}

function requireSvg(name: string | undefined, attributes: XmlAttributes): void {
  const spaces = attributes.filter(([attribute]) => attribute === 'xmlns' || attribute === 'xmlns:svg');
  if (name !== 'svg' || !spaces.some(([, value]) => value === SVG_NAMESPACE)) throw new SvgError('form');
}

/** The element that attributes are of. */
interface SvgContext {
  /** Undefined for an element that is not drawn. */
  readonly element: string | undefined;
  /** Whether it is in or is a clip path: those that use others multiply. */
  readonly clipping: boolean;
  /** Looks at a picture that stands inside a drawing, in a `data:` URL; throws for one that is not to be shown. */
  readonly inside: (url: string) => void;
}

const BROWSER_NAMESPACE = /www\.w3\.org\/(?:2000\/svg|1999\/xhtml)/;
const MAX_SIDE_PIXELS = 8_192;
const MAX_STYLE_CHARS = 4 * 1024;
const MAX_DASHES_CHARS = 100;

/**
 * @returns how many parts of the drawing the attributes point to, and how many characters they have of shapes.
 * @throws SvgRefusal
 */
function checkSvgAttributes(attributes: XmlAttributes, place: SvgContext) {
  let [links, corners] = [0, 0];
  for (const [name, value] of attributes) {
    links += checkAttribute(name, value, place);
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
 * Why a drawing is not shown: `what` is the name of what is in it, or one of `form` (not well formed, or written
 * otherwise than it is read), `length` (too much of something), `link`, `script`, `size`, `style`.
 */
export class SvgError extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`The drawing is not shown for its ${what}.`);
    this.name = 'SvgRefusal';
    this.what = what;
  }
}

/** What is drawn with a layer, a picture, a shape or a time of its own, or over and over; and what loads. */
const REFUSED =
  /(@import|@font-face|@keyframes|animation|transition|filter|mask|marker|stroke-dasharray|offset-path|path\(|polygon\(|:has\(|expression|behavior|binding)/i;
const LINK = /(?:url|image|image-set|src)\(\s*['"]?(.?)/gi;

/** What a style is in: an attribute, or the text of a `style` element, whose rules can reach any element. */
type StylePlace = 'attribute' | 'sheet';

/**
 * Refuses styles that load something, move, or draw elements more than once.
 *
 * @returns how many rules it has, and how many parts of the drawing it points to.
 * @throws SvgRefusal
 */
function checkSvgStyle(css: string, place: StylePlace) {
  // Written otherwise than it is read: escapes of CSS and references of XML.
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

/** One tag of an XML text, or a piece of text between tags. */
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
/** Without a subset of its own, which could declare entities; with names that no browser fetches. */
const DOCTYPE = /<!DOCTYPE\s[^<>[\]]*>/y;
const DECLARATION = /<\?xml\s[^<>?]*\?>/y;

/**
 * The tags and texts of an XML document one after the other, in one pass, each as it is written (references such as
 * `&lt;` are not resolved). Comments are left out. Stricter than XML where a browser could read it otherwise.
 *
 * @throws SyntaxError where it is not well formed, and for a processing instruction or a declaration of entities.
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
