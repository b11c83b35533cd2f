import { PictureError } from './assetUrl.ts';
import { checkSvg, SvgError } from './svg.ts';

/**
 * The media type of an image that may be displayed, detected from its bytes.
 *
 * @throws PictureError for an image that may not be displayed.
 * @example
 * checkPicture(decodeDataUrl('data:image/png;base64,iVBORw0KGgo…')); // 'image/png'
 */
export function checkPicture(bytes: Uint8Array): PictureSize['mediaType'] | 'image/svg+xml' {
  const size = readPictureSize(bytes);
  if (size) {
    requireAllowedSize(size);
    return size.mediaType;
  }
  const text = readSvgText(bytes);
  if (text === undefined) throw new PictureError('kind', 'The picture format is not supported.');
  let pixels = 0;
  try {
    checkSvg(text, (url) => {
      const inner = readPictureSize(decodeDataUrl(url));
      if (!inner) throw new SvgError('image');
      requireAllowedSize(inner);
      pixels += inner.width * inner.height;
      if (pixels > MAX_PIXELS) throw new SvgError('size');
    });
  } catch (error) {
    if (error instanceof SvgError) throw new PictureError('drawing', error.message, error.what);
    throw error;
  }
  return 'image/svg+xml';
}

const MAX_SIDE_PIXELS = 8_192;
/** 64 MiB when decoded. */
const MAX_PIXELS = 16 * 1024 * 1024;
/** Of all frames together. */
const MAX_PIXELS_DRAWN = 256 * 1024 * 1024;

/**
 * Decodes the bytes of a `data:` URL.
 *
 * @throws PictureError if it has none.
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

function requireAllowedSize({ width, height, frames }: PictureSize): void {
  const pixels = width * height;
  if (pixels === 0) throw new PictureError('kind', 'The picture has no size.');
  const tooLarge =
    Math.max(width, height) > MAX_SIDE_PIXELS || pixels > MAX_PIXELS || pixels * frames > MAX_PIXELS_DRAWN;
  if (!tooLarge) return;
  const times = frames > 1 ? `, ${frames} times` : '';
  throw new PictureError('size', 'The picture is too large to be shown.', `${width} × ${height}${times}`);
}

/** UTF-8 only, so that a browser reads the same text. */
function readSvgText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.trimStart().startsWith('<') && declaresOnlyUtf8(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function declaresOnlyUtf8(text: string): boolean {
  const declaration = /^<\?xml\s[^>]*/i.exec(text)?.[0] ?? '';
  const encodings = [...declaration.matchAll(/encoding=["'](.{0,6})/gis)];
  return encodings.every(([, value = '']) => /^utf-8["']/i.test(value));
}

/** The size in a bitmap's header. It may be 0 in a broken file. */
interface PictureSize {
  readonly mediaType: 'image/bmp' | 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp';
  /** In pixels, of the largest frame. */
  readonly width: number;
  readonly height: number;
  /** Frames of an animation; for a progressive JPEG, its scans, each of which is a pass over all pixels. */
  readonly frames: number;
}

/**
 * Detects format and size of a bitmap from its bytes, in one pass, whatever lengths they claim. Undefined if
 * the format is not supported or the bytes end before the size.
 *
 * @example
 * readPictureSize(bytes); // { mediaType: 'image/png', width: 512, height: 512, … }
 */
export function readPictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (startsWith(view, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return readPngSize(view);
    if (startsWith(view, [0xff, 0xd8, 0xff])) return { mediaType: 'image/jpeg', ...readJpegSize(view) };
    if (/^GIF8[79]a/.test(decodeLatin1(view, 0, 6))) return readGifSize(view);
    if (decodeLatin1(view, 0, 4) === 'RIFF' && decodeLatin1(view, 8, 4) === 'WEBP') {
      return { mediaType: 'image/webp', ...readWebpSize(view) };
    }
    if (decodeLatin1(view, 0, 2) === 'BM') return readBmpSize(view);
  } catch (error) {
    // A field past the end.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

function startsWith(view: DataView, start: readonly number[]): boolean {
  return view.byteLength >= start.length && start.every((byte, index) => view.getUint8(index) === byte);
}

/** PNG (W3C, third edition): IHDR comes first; acTL declares the number of animation frames, fcTL begins each. */
function readPngSize(view: DataView): PictureSize | undefined {
  if (decodeLatin1(view, 12, 4) !== 'IHDR') return undefined;
  let [declared, frames] = [1, 0];
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const kind = decodeLatin1(view, at + 4, 4);
    if (kind === 'acTL') declared = Math.max(declared, view.getUint32(at + 8));
    if (kind === 'fcTL') frames++;
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return { mediaType: 'image/png', width, height, frames: Math.max(declared, frames) };
}

/** GIF 89a: a frame may exceed the logical screen in the header. */
function readGifSize(view: DataView): PictureSize {
  let [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  let frames = 0;
  let at = 13 + colorTableBytes(view.getUint8(10));
  while (at < view.byteLength) {
    const block = view.getUint8(at);
    if (block === 0x21) at += 2;
    else if (block === 0x2c && at + 10 <= view.byteLength) {
      frames++;
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at += 11 + colorTableBytes(view.getUint8(at + 9));
    } else break;
    for (; at < view.byteLength && view.getUint8(at) !== 0; at += 1 + view.getUint8(at));
    at++;
  }
  return { mediaType: 'image/gif', width, height, frames: Math.max(1, frames) };
}

function colorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function readBmpSize(view: DataView): PictureSize {
  const isOs2 = view.getUint32(14, true) === 12;
  const width = isOs2 ? view.getUint16(18, true) : view.getInt32(18, true);
  const height = isOs2 ? view.getUint16(20, true) : view.getInt32(22, true);
  return { mediaType: 'image/bmp', width: Math.abs(width), height: Math.abs(height), frames: 1 };
}

/**
 * JPEG (ITU-T T.81): the largest size in any frame header. Each scan of a progressive JPEG is a pass over all
 * pixels, so a small file with thousands of scans takes minutes to draw.
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
    if (marker === END_OF_IMAGE) break;
    if (marker === START_OF_SCAN) frames++;
    if (marker === 0xff) at++;
    else
      at += hasNoLength(marker) ? 2 : 2 + Math.max(2, at + 3 < view.byteLength ? view.getUint16(at + 2) : 2);
  }
  return { width, height, frames: Math.max(1, frames) };
}

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;

/** SOF0 to SOF15; the three excluded markers among them define tables. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Markers without a length: a stuffed zero, TEM, RST0 to RST7, SOI. */
function hasNoLength(marker: number): boolean {
  return marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8);
}

/** WebP (RFC 9649): the largest size of the canvas and of any image, and the number of frames. */
function readWebpSize(view: DataView) {
  let [width, height, frames] = [0, 0, 0];
  const include = (wide: number, high: number) => {
    width = Math.max(width, wide);
    height = Math.max(height, high);
  };
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const length = view.getUint32(at + 4, true);
    const kind = decodeLatin1(view, at, 4);
    const data = at + 8;
    // An animation frame nests its chunks after 16 bytes: continue with the first of them.
    at = data + (kind === 'ANMF' ? 16 : length + (length % 2));
    if (kind === 'VP8X') include(1 + uint24(view, data + 4), 1 + uint24(view, data + 7));
    if (kind === 'VP8 ')
      include(view.getUint16(data + 6, true) & 0x3fff, view.getUint16(data + 8, true) & 0x3fff);
    if (kind === 'VP8L') {
      const bits = view.getUint32(data + 1, true);
      include(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
    }
    if (kind === 'ANMF') {
      frames++;
      include(1 + uint24(view, data + 6), 1 + uint24(view, data + 9));
    }
  }
  return { width, height, frames: Math.max(1, frames) };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

/** Up to `length` bytes from `at` as Latin-1. */
function decodeLatin1(view: DataView, at: number, length: number): string {
  const end = Math.min(at + length, view.byteLength);
  let text = '';
  for (let index = at; index < end; index++) text += String.fromCharCode(view.getUint8(index));
  return text;
}
