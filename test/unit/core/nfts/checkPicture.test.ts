import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PictureError } from '../../../../src/core/index.ts';
import { checkPicture, readPictureSize } from '../../../../src/core/nfts/checkPicture.ts';
import * as pictures from '../../../support/pictures.ts';
import { png } from '../../../support/pictures.ts';

const makers: Record<string, readonly [pictures.PictureMaker, mediaType: string, largest: number]> = {
  png: [pictures.png, 'image/png', 2 ** 31],
  gif: [pictures.gif, 'image/gif', 65_535],
  jpeg: [pictures.jpeg, 'image/jpeg', 65_535],
  'webp, lossy': [pictures.webpLossy, 'image/webp', 16_383],
  'webp, lossless': [pictures.webpLossless, 'image/webp', 16_384],
  'webp, extended': [pictures.webpExtended, 'image/webp', 2 ** 24],
  bmp: [pictures.bmp, 'image/bmp', 2 ** 31 - 1],
};

function findPictureError(bytes: Uint8Array): string {
  try {
    return checkPicture(bytes);
  } catch (error) {
    assert.ok(error instanceof PictureError, String(error));
    return error.reason;
  }
}

describe('size of a picture', () => {
  for (const [name, [make, mediaType, largest]] of Object.entries(makers)) {
    it(`is read from the header of a ${name}`, () => {
      const { width, height, ...rest } = readPictureSize(make(640, 481)) ?? assert.fail('It was not read.');
      assert.deepEqual([width, height, rest], [640, 481, { mediaType, frames: 1 }]);
      assert.equal(findPictureError(make(640, 481)), mediaType);
    });

    it(`is refused in a ${name} that takes too much memory to draw, or has none`, () => {
      const side = Math.min(20_000, largest);
      assert.equal(findPictureError(make(side, side)), 'size');
      assert.equal(findPictureError(make(8_193, 1)), 'size');
      assert.equal(findPictureError(make(5_000, 5_000)), 'size');
      assert.equal(findPictureError(make(4_096, 4_096)), mediaType);
      if (largest > 2 ** 24) assert.equal(findPictureError(make(largest, largest)), 'size');
      if (name === 'png' || name === 'gif') assert.equal(findPictureError(make(0, 20)), 'kind');
    });

    it(`is refused in a ${name} that ends early or is damaged, and never fails otherwise`, () => {
      const whole = make(640, 481);
      for (let length = 0; length < Math.min(whole.length, 24); length++)
        findPictureError(whole.subarray(0, length));
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }),
          (changes) => {
            const damaged = whole.slice();
            for (const [at, byte] of changes) damaged[at] = byte;
            findPictureError(damaged);
          },
        ),
      );
    });
  }

  it('counts the frames of films, whatever their header tells', () => {
    assert.equal(readPictureSize(pictures.apng(10, 10, 7, 2))?.frames, 7);
    assert.equal(readPictureSize(pictures.apng(10, 10, 1, 9))?.frames, 9);
    assert.equal(readPictureSize(pictures.gifFrames(10, 10, 12))?.frames, 12);
    assert.equal(readPictureSize(pictures.webpFrames(10, 10, 5))?.frames, 5);
    assert.equal(readPictureSize(pictures.jpegScans(10, 10, 11))?.frames, 11);
    assert.equal(findPictureError(pictures.gifFrames(500, 500, 100)), 'image/gif');
    for (const film of [
      pictures.apng(4_000, 4_000, 1_000_000, 1),
      pictures.apng(4_000, 4_000, 1, 100),
      pictures.gifFrames(4_000, 4_000, 100),
      pictures.webpFrames(4_000, 4_000, 100),
      pictures.jpegScans(4_000, 4_000, 500),
    ]) {
      assert.equal(findPictureError(film), 'size');
    }
  });

  it('is that of the largest frame', () => {
    const { width, height } = readPictureSize(pictures.gifFrames(20_000, 20_000, 1)) ?? {};
    assert.deepEqual([width, height], [20_000, 20_000]);
  });

  it('is read in one pass over lengths that lie', () => {
    for (const filler of [0, 0xff, 0x2c, 0x21]) {
      for (const [make] of Object.values(makers)) {
        const long = new Uint8Array(1_000_000).fill(filler);
        long.set(make(640, 481));
        findPictureError(long);
      }
    }
  });

  it('is of no other kind than these, whatever a server calls it', () => {
    for (const bytes of [[], [0], [0x89, 0x50, 0x4e, 0x47], [0, 0, 1, 0], [0xff, 0xd8, 0xff]]) {
      assert.equal(findPictureError(Uint8Array.from(bytes)), 'kind');
    }
    const avif = new TextEncoder().encode('\0\0\0\x20ftypavif');
    assert.equal(findPictureError(avif), 'kind');
    assert.equal(findPictureError(new TextEncoder().encode('%PDF-1.4')), 'kind');
  });
});

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (content: string, attributes = '') => `<svg ${NAMESPACE} ${attributes}>${content}</svg>`;
const dataUrl = (bytes: Uint8Array, mediaType = 'image/png') =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
const small = dataUrl(png(32, 32));

/** What a drawing is refused for; undefined where it is shown. */
function findSvgError(text: string): string | undefined {
  try {
    assert.equal(checkPicture(new TextEncoder().encode(text)), 'image/svg+xml');
    return undefined;
  } catch (error) {
    assert.ok(error instanceof PictureError, String(error));
    return error.detail ?? error.reason;
  }
}

const nested = (() => {
  const levels = Array.from({ length: 7 }, (_, level) => {
    const uses = `<use href="#l${level}"/>`.repeat(10);
    return `<g id="l${level + 1}">${uses}</g>`;
  });
  return svg(`<defs><rect id="l0" width="1" height="1"/>${levels.join('')}</defs><use href="#l7"/>`);
})();
const clips = Array.from(
  { length: 5 },
  (_, n) => `<clipPath id="c${n + 1}">${`<rect clip-path="url(#c${n})"/>`.repeat(9)}</clipPath>`,
).join('');

/** Elements that draw others, load, run or move. */
const refusedElements =
  'filter pattern mask marker symbol foreignObject script iframe animate animateTransform set'.split(' ');

const hostile: readonly (readonly [name: string, text: string, what: string])[] = [
  ...refusedElements.map((name) => [`an element ${name}`, svg(`<g><${name}/></g>`), name] as const),
  ['uses in uses', nested, 'use'],
  ['a use with a prefix', svg('<svg:use href="#a"/>', 'xmlns:svg="http://www.w3.org/2000/svg"'), 'use'],
  ['a prefix of its own', svg('<s:use href="#a"/>', 'xmlns:s="http://www.w3.org/2000/svg"'), 'form'],
  ['a prefix in references', svg('<s:use/>', 'xmlns:s="http://www.w3&#46;org/2000/svg"'), 'form'],
  ['a filter attribute', svg('<rect filter="blur(900px)"/>'), 'filter'],
  ['a filter style', svg('<rect style="fill:red; filter : blur(900px)"/>'), 'filter'],
  ['a filter in a sheet', svg('<style>rect{backdrop-filter:blur(9px)}</style>'), 'filter'],
  ['a filter cut by a comment', svg('<style>rect{fil<!-- -->ter:blur(9px)}</style>'), 'filter'],
  ['a filter cut by a section', svg('<style>rect{fil<![CDATA[ter:blur(9px)]]>}</style>'), 'filter'],
  ['an escape in a style', svg('<rect style="\\66ilter:blur(9px)"/>'), 'style'],
  ['a reference in a style', svg('<rect style="f&#105;lter:blur(9px)"/>'), 'style'],
  ['a reference in a fill', svg('<rect fill="u&#114;l(#a)"/>'), 'style'],
  ['a marker attribute', svg('<path marker-mid="url(#m)"/>'), 'marker-mid'],
  ['clip paths in clip paths', svg(clips), 'clip-path'],
  ['a sheet that clips', svg('<style>rect{clip-path:url(#a)}</style>'), 'clip-path'],
  [
    'a style that clips in a clip path',
    svg('<clipPath><rect style="clip-path:url(#a)"/></clipPath>'),
    'clip-path',
  ],
  ['a handler', svg('', 'onload="alert(1)"'), 'script'],
  ['a style that moves', svg('<style>@keyframes a{to{x:1}}</style>'), 'keyframes'],
  ['an import', svg('<style>@import "https://example.com/a.css";</style>'), 'import'],
  ['a font', svg('<style>@font-face{src:url(data:font/woff;base64,AA)}</style>'), 'font-face'],
  ['a link out', svg('<rect fill="url(https://example.com/#a)"/>'), 'link'],
  ['a link out in a sheet', svg('<style>rect{fill:URL( "//example.com" )}</style>'), 'link'],
  ['a gradient from elsewhere', svg('<linearGradient href="https://example.com/#a"/>'), 'link'],
  ['a picture from elsewhere', svg('<image href="https://example.com/1.png"/>'), 'kind'],
  [
    'a drawing in a drawing',
    svg(`<image href="${dataUrl(new TextEncoder().encode(nested), 'image/svg+xml')}"/>`),
    'image',
  ],
  [
    'a drawing called a picture',
    svg(`<image href="${dataUrl(new TextEncoder().encode(nested))}"/>`),
    'image',
  ],
  ['a huge picture inside', svg(`<image href="${dataUrl(png(20_000, 20_000))}"/>`), '20000 × 20000'],
  ['large pictures inside', svg(`<image xlink:href="${dataUrl(png(4_000, 4_000))}"/>`.repeat(2)), 'size'],
  ['entities', `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('<text>&a;</text>')}`, 'form'],
  ['a style sheet from elsewhere', `<?xml-stylesheet href="a.css"?>${svg('')}`, 'form'],
  ['another encoding', `<?xml version="1.0" encoding="utf-7"?>${svg('')}`, 'kind'],
  ['too many elements', svg('<g/>'.repeat(5_000)), 'length'],
  ['too deep', svg(`${'<g>'.repeat(64)}${'</g>'.repeat(64)}`), 'length'],
  ['an endless start', `<svg ${NAMESPACE}>${'<g>'.repeat(300_000)}`, 'length'],
  ['too long a shape', svg(`<path d="${'M0 0L9 9'.repeat(20_000)}"/>`), 'length'],
  ['shapes that are long together', svg(`<path d="${'M0 0L9 9'.repeat(800)}"/>`.repeat(11)), 'length'],
  ['a shape by a style', svg('<path style="d:path(\'M0 0L9 9\')"/>'), 'path'],
  ['a shape by a sheet', svg("<style>path{d:path('M0 0L9 9')}</style>"), 'path'],
  ['too long a style', svg(`<path style="d:path('${'M0 0L9 9'.repeat(1_000)}')"/>`), 'length'],
  ['too much text', svg(`<text>${'word '.repeat(20_000)}</text>`), 'length'],
  ['too many rules', svg(`<style>${'*{x:1}'.repeat(200)}</style>${'<g/>'.repeat(4_000)}`), 'length'],
  [
    'gradients of many parts, used often',
    svg(
      `<linearGradient id="a">${'<stop/>'.repeat(1_000)}</linearGradient>${'<rect fill="url(#a)"/>'.repeat(1_000)}`,
    ),
    'length',
  ],
  [
    'a gradient that is used without end',
    svg(`<linearGradient id="a"/>${'<rect fill="url(#a)"/>'.repeat(501)}`),
    'length',
  ],
  [
    'a long clip path, used often',
    svg(
      `<clipPath id="a"><path d="${'M0 0L9 9'.repeat(800)}"/></clipPath>${'<g clip-path="url(#a)"/>'.repeat(400)}`,
    ),
    'length',
  ],
  ['dashes without end', svg(`<path stroke-dasharray="${'0.01 '.repeat(40)}"/>`), 'stroke-dasharray'],
  ['dashes by a sheet', svg('<style>path{stroke-dasharray:.001}</style>'), 'stroke-dasharray'],
  ['a huge canvas', svg('', 'width="1000000" height="1000000"'), 'size'],
  ['too much of it', svg(`<desc>${' '.repeat(1_100_000)}</desc>`), 'length'],
  ['no name space', '<svg><rect/></svg>', 'form'],
  ['another name space', '<svg xmlns="http://www.w3.org/1999/xhtml"/>', 'form'],
  ['another root', `<g ${NAMESPACE}/>`, 'form'],
  ['two roots', svg('') + svg(''), 'form'],
  ['a web page', '<!DOCTYPE html><html><body></body></html>', 'form'],
  ['an attribute without quotes', `<svg ${NAMESPACE} a=b/>`, 'form'],
  ['attributes without a space', `<svg ${NAMESPACE}a="b"/>`, 'form'],
  ['a tag that another closes', svg('<g></svg>'), 'form'],
  ['a tag in an attribute', svg('<g a="><use/>'), 'form'],
  ['no end', `<svg ${NAMESPACE}><g>`, 'form'],
  ['text behind it', `${svg('')}<!-- -->x`, 'form'],
];

const benign: Readonly<Record<string, string>> = {
  'shapes and text': svg(
    '<rect width="100%" height="100%" fill="black"/><text x="10" y="20" class="base">Sword &amp; shield</text>',
    'preserveAspectRatio="xMinYMin meet" viewBox="0 0 350 350"',
  ),
  'a style sheet': svg(
    '<style>.base { fill: white; font-family: serif; font-size: 14px; }</style><text>a</text>',
  ),
  'a style sheet in a section': svg('<style><![CDATA[ g > .a{fill:url(#g)} ]]></style><rect class="a"/>'),
  'a gradient': svg(
    '<defs><linearGradient id="g" gradientTransform="rotate(45)"><stop offset="0" stop-color="#f00"/><stop offset="1"/></linearGradient></defs><rect fill="url(#g)" stroke="url(\'#g\')"/>',
  ),
  'a gradient from another': svg(
    '<radialGradient id="b" xlink:href="#a" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
  ),
  'a clip path': svg(
    '<g clip-path="url(#c)"><path d="M0 0h9v9z"/></g><clipPath id="c"><rect width="9" height="9"/></clipPath>',
  ),
  'what a drawing program writes': `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with a drawing program -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
${svg(
  '<sodipodi:namedview pagecolor="#fff"/><metadata><rdf:RDF><cc:Work rdf:about=""/></rdf:RDF></metadata><g style="marker:none;filter:none;stroke-dasharray:none;mask:none" mask="none"><path d="m 1,2 3,4 z" sodipodi:nodetypes="cc"/></g>',
  'xmlns:svg="http://www.w3.org/2000/svg" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" width="210mm" height="297mm"',
)}
`,
  'pictures of pixels inside': svg(`<image width="100%" href="${small}"/><image xlink:href='${small}'/>`),
  'pixels as rectangles': svg('<rect x="1" y="2" width="1" height="1" fill="#abc"/>'.repeat(1_024)),
  'an empty one': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'single quotes and space': "\n  <svg\n xmlns = 'http://www.w3.org/2000/svg' ><title>a > b</title></svg >\n",
};

describe('an SVG picture', () => {
  for (const [name, text, what] of hostile) {
    it(`is not shown with ${name}`, () => assert.equal(findSvgError(text), what));
  }
  for (const [name, text] of Object.entries(benign)) {
    it(`is shown with ${name}`, () => assert.equal(findSvgError(text), undefined));
  }

  it('is not shown in another encoding than UTF-8', () => {
    for (const bytes of [Buffer.from(`\ufeff${svg('')}`, 'utf16le'), Buffer.from(svg('é'), 'latin1')]) {
      assert.throws(() => checkPicture(new Uint8Array(bytes)), PictureError);
    }
  });
});
