import { SvgRefusal } from './svgRefusal.ts';

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
export function checkSvgStyle(css: string, place: StylePlace) {
  // Written otherwise than it is read: escapes of CSS and references of XML.
  if (css.includes('\\') || css.includes('&')) throw new SvgRefusal('style');
  for (const declaration of css.split(/[;{}]/)) {
    const refused = REFUSED.exec(declaration)?.[1];
    if (refused && declaration.split(':')[1]?.trim() !== 'none') {
      throw new SvgRefusal(refused.toLowerCase().replace(/[^a-z-]/g, ''));
    }
    if (place === 'sheet' && /clip-path/i.test(declaration)) throw new SvgRefusal('clip-path');
  }
  let links = 0;
  for (const link of css.matchAll(LINK)) {
    if (link[1] !== '#') throw new SvgRefusal('link');
    links++;
  }
  return { rules: css.split('{').length - 1, links };
}
