import { SvgRefusal } from './svgRefusal.ts';
import { checkSvgStyle } from './svgStyle.ts';
import type { XmlAttributes } from './xmlTags.ts';

/** The element that attributes are of. */
export interface SvgPlace {
  /** Undefined for an element that is not drawn. */
  readonly element: string | undefined;
  /** Whether it is in or is a clip path: those that use others multiply. */
  readonly clipping: boolean;
  /** Looks at a picture that stands inside a drawing, in a `data:` URL; throws for one that is not to be shown. */
  readonly inside: (url: string) => void;
}

const BROWSER_NAMESPACE = /www\.w3\.org\/(?:2000\/svg|1999\/xhtml)/;
const LARGEST_SIDE = 8_192;
const LONGEST_STYLE = 4 * 1024;
const LONGEST_DASHES = 100;

/**
 * @returns how many parts of the drawing the attributes point to, and how many characters they have of shapes.
 * @throws SvgRefusal
 */
export function checkSvgAttributes(attributes: XmlAttributes, place: SvgPlace) {
  let [links, corners] = [0, 0];
  for (const [name, value] of attributes) {
    links += checkAttribute(name, value, place);
    if (/(?:^|:)(?:d|points)$/.test(name)) corners += value.length;
  }
  return { links, corners };
}

function checkAttribute(name: string, value: string, { element, clipping, inside }: SvgPlace): number {
  const local = name.slice(name.indexOf(':') + 1);
  if (name.startsWith('xmlns:') && name !== 'xmlns:svg' && name !== 'xmlns:xlink') {
    if (value.includes('&') || BROWSER_NAMESPACE.test(value)) throw new SvgRefusal('form');
    return 0;
  }
  if (/^on/i.test(name)) throw new SvgRefusal('script');
  switch (local) {
    case 'filter':
    case 'mask':
    case 'marker':
    case 'marker-start':
    case 'marker-mid':
    case 'marker-end':
      if (value.trim() !== 'none') throw new SvgRefusal(local);
      return 0;
    case 'clip-path':
    case 'fill':
    case 'stroke':
      if (local === 'clip-path' && clipping) throw new SvgRefusal(local);
      return checkSvgStyle(value, 'attribute').links;
    case 'style':
      if (value.length > LONGEST_STYLE) throw new SvgRefusal('length');
      if (clipping && /clip-path/i.test(value)) throw new SvgRefusal('clip-path');
      return checkSvgStyle(value, 'attribute').links;
    case 'href':
      if (element === 'image') inside(value);
      else if (element !== undefined && element !== 'a' && !value.startsWith('#'))
        throw new SvgRefusal('link');
      return 1;
    case 'stroke-dasharray':
      if (value.length > LONGEST_DASHES) throw new SvgRefusal(local);
      return 0;
    case 'width':
    case 'height':
      if (Number.parseFloat(value) > LARGEST_SIDE) throw new SvgRefusal('size');
      return 0;
    default:
      return 0;
  }
}
