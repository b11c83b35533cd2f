import { crc32, deflateSync } from 'node:zlib';
import { png } from '../../support/pictures.ts';

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

export const pictureAttacks: readonly PictureAttack[] = [
  {
    ...{
      name: 'ten million elements by nested use',
      short: true,
      refused: /, which could freeze the window\./,
    },
    url: () => drawing(nestedUses),
  },
  {
    ...{ name: 'a path of 150 KB', short: true, refused: /too many elements to draw safely/ },
    url: () => drawing(`<path d="${shape(26_000)}"/>`),
  },
  {
    ...{ name: 'a PNG of 20,000 by 20,000', short: true, refused: /too much memory to draw/ },
    url: () => encoded('image/png', png(20_000, 20_000)),
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
