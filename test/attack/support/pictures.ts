import { crc32, deflateSync } from 'node:zlib';
import { apng, gif, gifFrames, png, webpFrames } from '../../support/pictures.ts';

/** A picture that means harm to whoever looks at it. */
export interface PictureAttack {
  readonly name: string;
  /** As a `data:` URL. */
  readonly url: () => string;
  /** Part of the words with which it is refused; none for one of the largest that are shown. */
  readonly refused?: RegExp;
  readonly short?: true;
}

const encoded = (mediaType: string, bytes: Uint8Array | string) =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
const drawing = (content: string, attributes = 'viewBox="0 0 100 100"') =>
  encoded(
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`,
  );
const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join('');

/** Seven levels, each of which uses the one before ten times. */
const nestedUses = `<g id="u0"><rect width="9" height="9"/></g>${times(
  7,
  (level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`,
)}`;
const shape = (corners: number) =>
  `M0 0${times(corners, (index) => `L${(index * 37) % 101} ${(index * 53) % 97}`)}`;

const FREEZES = /, which could freeze the window\./;
const MEMORY = /too much memory to draw/;
const PARTS = /too many elements to draw safely/;
const NO_KIND = /is not PNG, JPEG, GIF, WebP, BMP or SVG/;

export const pictureAttacks: readonly PictureAttack[] = [
  {
    ...{ name: 'ten million elements by nested use', short: true, refused: FREEZES },
    url: () => drawing(nestedUses),
  },
  {
    ...{ name: 'filters upon filters', refused: FREEZES },
    url: () =>
      drawing(
        `<filter id="f">${'<feGaussianBlur stdDeviation="900"/>'.repeat(400)}</filter><rect filter="url(#f)" width="9" height="9"/>`,
      ),
  },
  {
    ...{ name: 'a filter in a style', refused: FREEZES },
    url: () => drawing('<g style="filter:blur(900px)"><rect width="9" height="9"/></g>'),
  },
  {
    ...{ name: 'patterns of patterns', refused: FREEZES },
    url: () =>
      drawing(
        times(
          40,
          (index) =>
            `<pattern id="p${index + 1}" width=".01" height=".01"><rect width="9" height="9" fill="url(#p${index})"/></pattern>`,
        ),
      ),
  },
  {
    ...{ name: 'a drawing with a script', refused: /SVG/ },
    url: () => drawing('<script>for(;;);</script>'),
  },
  {
    ...{ name: 'a page inside a drawing', refused: FREEZES },
    url: () => drawing('<foreignObject width="99" height="99"><iframe/></foreignObject>'),
  },
  {
    ...{ name: 'a drawing that is larger than any screen', refused: MEMORY },
    url: () => drawing('<rect width="9" height="9"/>', 'width="1000000" height="1000000"'),
  },
  { name: 'groups 25,000 deep', refused: PARTS, url: () => drawing(times(25_000, () => '<g>')) },
  {
    ...{ name: 'a path of 150 KB', short: true, refused: PARTS },
    url: () => drawing(`<path d="${shape(26_000)}"/>`),
  },
  { name: 'entities of entities', refused: /SVG|is not PNG/, url: entities },
  {
    ...{ name: 'a PNG of 20,000 by 20,000', short: true, refused: MEMORY },
    url: () => encoded('image/png', png(20_000, 20_000)),
  },
  {
    ...{ name: 'a PNG that says it is a GIF', refused: MEMORY },
    url: () => encoded('image/gif', png(20_000, 20_000)),
  },
  {
    ...{ name: 'a drawing that says it is a PNG', refused: FREEZES },
    url: () => drawing(nestedUses).replace('image/svg+xml', 'image/png'),
  },
  {
    ...{ name: 'a page that says it is a picture', refused: /SVG|is not PNG/ },
    url: () => encoded('image/png', '<html><script>for(;;);</script></html>'),
  },
  {
    ...{ name: 'nothing but zeros', refused: NO_KIND },
    url: () => encoded('image/png', new Uint8Array(180_000)),
  },
  {
    ...{ name: 'an animated PNG of 4,000 large frames', refused: MEMORY },
    url: () => encoded('image/png', apng(4_000, 4_000, 4_000, 4_000)),
  },
  {
    ...{ name: 'a GIF as large as GIF goes', refused: MEMORY },
    url: () => encoded('image/gif', gif(65_535, 65_535)),
  },
  {
    ...{ name: 'a GIF of 4,000 large frames', refused: MEMORY },
    url: () => encoded('image/gif', gifFrames(8_000, 2_000, 4_000)),
  },
  {
    ...{ name: 'a WebP of 2,000 large frames', refused: MEMORY },
    url: () => encoded('image/webp', webpFrames(4_000, 4_000, 2_000)),
  },
  {
    ...{ name: 'a long clip path that is used often', refused: PARTS },
    url: () =>
      drawing(
        `<clipPath id="c"><path d="${shape(1_000)}"/></clipPath>${'<rect clip-path="url(#c)" width="99" height="99"/>'.repeat(400)}`,
      ),
  },
  {
    ...{ name: 'gradients upon gradients', refused: PARTS },
    url: () =>
      drawing(
        `<radialGradient id="g">${times(40, (index) => `<stop offset="${index / 40}"/>`)}</radialGradient>${'<rect fill="url(#g)" width="99" height="99"/>'.repeat(3_900)}`,
      ),
  },
  {
    ...{ name: 'a shape in a style for a thousand elements', refused: FREEZES },
    url: () => drawing(`<style>path{d:path("${shape(4_000)}")}</style>${'<path/>'.repeat(1_000)}`),
  },
  {
    name: 'the most circles that are shown',
    url: () =>
      drawing(
        times(
          1_900,
          (index) => `<circle cx="${index % 100}" cy="${(index * 7) % 100}" r="40" fill-opacity=".01"/>`,
        ),
      ),
  },
  {
    name: 'the longest path that is shown',
    url: () => drawing(`<path fill-rule="evenodd" d="${shape(11_000)}"/>`),
  },
  {
    name: 'the longest line that is shown',
    url: () => drawing(`<path fill="none" stroke="red" stroke-width="3" d="${shape(11_000)}"/>`),
  },
  { name: 'the largest PNG that is shown', short: true, url: () => encoded('image/png', black(4_096)) },
];

/** A picture that everybody may look at, for comparison. */
export const harmlessPicture = (): string => drawing('<circle cx="50" cy="50" r="40" fill="teal"/>');

function entities(): string {
  const definitions = times(20, (index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`);
  return encoded(
    'image/svg+xml',
    `<!DOCTYPE svg [<!ENTITY e0 "lol">${definitions}]><svg xmlns="http://www.w3.org/2000/svg"><text>&e20;</text></svg>`,
  );
}

/** A sound PNG of that side, all of it black. */
function black(side: number): Uint8Array {
  const sides = Buffer.alloc(8);
  sides.writeUInt32BE(side, 0);
  sides.writeUInt32BE(side, 4);
  const header = Buffer.concat([sides, Buffer.from([8, 0, 0, 0, 0])]);
  const rows = deflateSync(Buffer.alloc(side * (side + 1)), { level: 9 });
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
