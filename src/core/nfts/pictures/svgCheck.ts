import { checkSvgAttributes, type SvgPlace } from './svgAttributes.ts';
import { SvgRefusal } from './svgRefusal.ts';
import { checkSvgStyle } from './svgStyle.ts';
import { type XmlAttributes, type XmlPart, xmlParts } from './xmlTags.ts';

const LONGEST_SVG = 1024 * 1024;
const MOST_ELEMENTS = 5_000;
const DEEPEST = 64;
const LONGEST_TEXT = 64 * 1024;
const LONGEST_STYLES = 32 * 1024;
/** Rules of styles times elements, as each is tried on each. */
const MOST_STYLINGS = 500_000;
/** Characters of all shapes, whose edges are sorted in each line of pixels. */
const LONGEST_SHAPES = 64 * 1024;
/** Links to gradients and clip paths, each of which may fill the picture. */
const MOST_LINKS = 500;
/** Parts of gradients and clip paths times links to them, as each may be drawn for each. */
const MOST_REPEATS = 50_000;
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
 * checkSvg('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', inside); // throws SvgRefusal
 */
export function checkSvg(text: string, inside: SvgPlace['inside']): void {
  if (text.length > LONGEST_SVG) throw new SvgRefusal('length');
  const drawing = new Drawing(inside);
  try {
    for (const part of xmlParts(text)) drawing.take(part);
  } catch (error) {
    throw error instanceof SyntaxError ? new SvgRefusal('form') : error;
  }
  if (!drawing.ended) throw new SvgRefusal('form');
}

/** What has been seen of a drawing so far. */
class Drawing {
  ended = false;
  readonly #inside: SvgPlace['inside'];
  readonly #open: string[] = [];
  #elements = 0;
  #letters = 0;
  #rules = 0;
  #links = 0;
  #repeated = 0;
  #corners = 0;
  #style = '';
  #styleLength = 0;

  constructor(inside: SvgPlace['inside']) {
    this.#inside = inside;
  }

  take(part: XmlPart): void {
    if (part.kind === 'text') this.#takeText(part.text);
    else if (this.ended) throw new SvgRefusal('form');
    else if (part.kind === 'open') this.#begin(part.name, part.attributes, part.empty);
    else this.#end(part.name);
    const { length } = this.#open;
    const tooMuch =
      this.#elements > MOST_ELEMENTS ||
      length > DEEPEST ||
      this.#letters > LONGEST_TEXT ||
      this.#styleLength > LONGEST_STYLES ||
      this.#rules * this.#elements > MOST_STYLINGS ||
      this.#corners > LONGEST_SHAPES ||
      this.#links > MOST_LINKS ||
      this.#links * this.#repeated > MOST_REPEATS;
    if (tooMuch) throw new SvgRefusal('length');
  }

  #takeText(text: string): void {
    if (this.#open.length === 0 && text.trim() !== '') throw new SvgRefusal('form');
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
    if (element !== undefined && !known.has(element)) throw new SvgRefusal(element);
    if (this.#isIn('style')) throw new SvgRefusal('style');
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
      this.#links += links > 0 ? MOST_LINKS : 0;
      this.#style = '';
    }
    if (this.#open.pop() !== name) throw new SvgRefusal('form');
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
  if (name !== 'svg' || !spaces.some(([, value]) => value === SVG_NAMESPACE)) throw new SvgRefusal('form');
}
