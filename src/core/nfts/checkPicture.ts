import { PictureError } from './assetUrl.ts';
import { checkSvg, SvgError } from './svg.ts';

const MAX_SIDE_PIXELS = 8_192;
/** 64 MiB when it is drawn. */
const MAX_PIXELS = 16 * 1024 * 1024;
/** Of all frames together. */
const MAX_PIXELS_DRAWN = 256 * 1024 * 1024;

/**
 * The media type of a picture that may be shown, by its own bytes.
 *
 * @throws PictureRefusal
 * @example
 * checkPicture(decodeDataUrl('data:image/png;base64,iVBORw0KGgo…')); // 'image/png'
 */
export function checkPicture(bytes: Uint8Array): PictureSize['mediaType'] | 'image/svg+xml' {
  const size = readPictureSize(bytes);
  if (size) {
    requireModest(size);
    return size.mediaType;
  }
  const text = readSvgText(bytes);
  if (text === undefined) throw new PictureError('kind', 'The picture format is not supported.');
  let pixels = 0;
  try {
    checkSvg(text, (url) => {
      const inner = readPictureSize(decodeDataUrl(url));
      if (!inner) throw new SvgError('image');
      requireModest(inner);
      pixels += inner.width * inner.height;
      if (pixels > MAX_PIXELS) throw new SvgError('size');
    });
  } catch (error) {
    if (error instanceof SvgError) throw new PictureError('drawing', error.message, error.what);
    throw error;
  }
  return 'image/svg+xml';
}

/**
 * The bytes in a `data:` URL.
 *
 * @throws PictureRefusal where there are none.
 * @example
 * decodeDataUrl('data:image/svg+xml,%3Csvg/%3E'); // the bytes of <svg/>
 */
export function decodeDataUrl(url: string): Uint8Array {
  const comma = url.indexOf(',');
  try {
    if (!/^data:/i.test(url) || comma === -1) throw new SyntaxError('Not a data URL.');
    const data = decodeURIComponent(url.slice(comma + 1));
    if (!/;\s*base64\s*$/i.test(url.slice(0, comma))) return new TextEncoder().encode(data);
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    throw new PictureError('kind', 'The data URL has no picture.');
  }
}

function requireModest({ width, height, frames }: PictureSize): void {
  const pixels = width * height;
  if (pixels === 0) throw new PictureError('kind', 'The picture has no size.');
  const tooLarge =
    Math.max(width, height) > MAX_SIDE_PIXELS || pixels > MAX_PIXELS || pixels * frames > MAX_PIXELS_DRAWN;
  if (!tooLarge) return;
  const times = frames > 1 ? `, ${frames} times` : '';
  throw new PictureError('size', 'The picture is too large to be shown.', `${width} × ${height}${times}`);
}

/** Of UTF-8 alone, so that a browser reads the same text. */
function readSvgText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.trimStart().startsWith('<') && namesUtf8Alone(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function namesUtf8Alone(text: string): boolean {
  const declaration = /^<\?xml\s[^>]*/i.exec(text)?.[0] ?? '';
  const named = [...declaration.matchAll(/encoding=["'](.{0,6})/gis)];
  return named.every(([, value = '']) => /^utf-8["']/i.test(value));
}

/** What the header of a picture made of pixels says. Sizes may be 0 in a broken one. */
interface PictureSize {
  readonly mediaType: 'image/bmp' | 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp';
  /** In pixels, of the largest frame. */
  readonly width: number;
  readonly height: number;
  /** Pictures that a film has; passes over all pixels that a picture is drawn in. */
  readonly frames: number;
}

/**
 * Kind and size of a picture by its own bytes, in one pass over them, however they lie about their lengths; undefined
 * where they are of none of these kinds or end before the size.
 *
 * @example
 * readPictureSize(bytes); // { mediaType: 'image/png', width: 512, height: 512, … }
 */
export function readPictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (startsWith(view, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return pngSize(view);
    if (startsWith(view, [0xff, 0xd8, 0xff])) return { mediaType: 'image/jpeg', ...readJpegSize(view) };
    if (/^GIF8[79]a/.test(decodeLatin1(view, 0, 6))) return gifSize(view);
    if (decodeLatin1(view, 0, 4) === 'RIFF' && decodeLatin1(view, 8, 4) === 'WEBP') {
      return { mediaType: 'image/webp', ...readWebpSize(view) };
    }
    if (decodeLatin1(view, 0, 2) === 'BM') return bmpSize(view);
  } catch (error) {
    // A field behind the end.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

function startsWith(view: DataView, start: readonly number[]): boolean {
  return view.byteLength >= start.length && start.every((byte, index) => view.getUint8(index) === byte);
}

/** PNG (W3C, third edition): IHDR comes first; acTL tells the frames of an animated one, fcTL begins each. */
function pngSize(view: DataView): PictureSize | undefined {
  if (decodeLatin1(view, 12, 4) !== 'IHDR') return undefined;
  let [told, frames] = [1, 0];
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const kind = decodeLatin1(view, at + 4, 4);
    if (kind === 'acTL') told = Math.max(told, view.getUint32(at + 8));
    if (kind === 'fcTL') frames++;
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return { mediaType: 'image/png', width, height, frames: Math.max(told, frames) };
}

/** GIF 89a: a frame may be larger than the screen that the header tells. */
function gifSize(view: DataView): PictureSize {
  let [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  let frames = 0;
  let at = 13 + colorTable(view.getUint8(10));
  while (at < view.byteLength) {
    const block = view.getUint8(at);
    if (block === 0x21) at += 2;
    else if (block === 0x2c && at + 10 <= view.byteLength) {
      frames++;
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at += 11 + colorTable(view.getUint8(at + 9));
    } else break;
    for (; at < view.byteLength && view.getUint8(at) !== 0; at += 1 + view.getUint8(at));
    at++;
  }
  return { mediaType: 'image/gif', width, height, frames: Math.max(1, frames) };
}

function colorTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function bmpSize(view: DataView): PictureSize {
  const old = view.getUint32(14, true) === 12;
  const width = old ? view.getUint16(18, true) : view.getInt32(18, true);
  const height = old ? view.getUint16(20, true) : view.getInt32(22, true);
  return { mediaType: 'image/bmp', width: Math.abs(width), height: Math.abs(height), frames: 1 };
}

/**
 * Size of a JPEG (ITU-T T.81): the largest that a frame header tells. Each scan of a progressive one is a pass over
 * all pixels, so that a small file of thousands of scans takes minutes to draw.
 */
function readJpegSize(view: DataView) {
  let [width, height, frames] = [0, 0, 0];
  let at = 2;
  while (at + 1 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) {
      at++;
      continue;
    }
    const marker = view.getUint8(at + 1);
    if (isFrameHeader(marker)) {
      height = Math.max(height, view.getUint16(at + 5));
      width = Math.max(width, view.getUint16(at + 7));
    }
    if (marker === END_OF_PICTURE) break;
    if (marker === START_OF_SCAN) frames++;
    if (marker === 0xff) at++;
    else
      at += standsAlone(marker) ? 2 : 2 + Math.max(2, at + 3 < view.byteLength ? view.getUint16(at + 2) : 2);
  }
  return { width, height, frames: Math.max(1, frames) };
}

const END_OF_PICTURE = 0xd9;
const START_OF_SCAN = 0xda;

/** SOF0 to SOF15; the three between them are tables. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Markers without a length: a stuffed zero, TEM, restarts, start of the picture. */
function standsAlone(marker: number): boolean {
  return marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8);
}

/** Size of a WebP (RFC 9649): of its canvas and of every picture in it, and how many frames it has. */
function readWebpSize(view: DataView) {
  let [width, height, frames] = [0, 0, 0];
  const take = (wide: number, high: number) => {
    width = Math.max(width, wide);
    height = Math.max(height, high);
  };
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const length = view.getUint32(at + 4, true);
    const kind = decodeLatin1(view, at, 4);
    const data = at + 8;
    // A frame of a film holds chunks of its own behind 16 bytes: its picture is seen next.
    at = data + (kind === 'ANMF' ? 16 : length + (length % 2));
    if (kind === 'VP8X') take(1 + uint24(view, data + 4), 1 + uint24(view, data + 7));
    if (kind === 'VP8 ')
      take(view.getUint16(data + 6, true) & 0x3fff, view.getUint16(data + 8, true) & 0x3fff);
    if (kind === 'VP8L') {
      const bits = view.getUint32(data + 1, true);
      take(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
    }
    if (kind === 'ANMF') {
      frames++;
      take(1 + uint24(view, data + 6), 1 + uint24(view, data + 9));
    }
  }
  return { width, height, frames: Math.max(1, frames) };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

/** `length` bytes from `at` on as characters, those that there are. */
function decodeLatin1(view: DataView, at: number, length: number): string {
  const end = Math.min(at + length, view.byteLength);
  let text = '';
  for (let index = at; index < end; index++) text += String.fromCharCode(view.getUint8(index));
  return text;
}
