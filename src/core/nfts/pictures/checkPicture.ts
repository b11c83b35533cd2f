import { PictureRefusal } from './pictureRefusal.ts';
import { type PictureSize, readPictureSize } from './pictureSize.ts';
import { checkSvg } from './svgCheck.ts';
import { SvgRefusal } from './svgRefusal.ts';

const LARGEST_SIDE = 8_192;
/** 64 MiB when it is drawn. */
const MOST_PIXELS = 16 * 1024 * 1024;
/** Of all frames together. */
const MOST_PIXELS_DRAWN = 256 * 1024 * 1024;

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
  if (text === undefined) throw new PictureRefusal('kind', 'The picture format is not supported.');
  let pixels = 0;
  try {
    checkSvg(text, (url) => {
      const inner = readPictureSize(decodeDataUrl(url));
      if (!inner) throw new SvgRefusal('image');
      requireModest(inner);
      pixels += inner.width * inner.height;
      if (pixels > MOST_PIXELS) throw new SvgRefusal('size');
    });
  } catch (error) {
    if (error instanceof SvgRefusal) throw new PictureRefusal('drawing', error.message, error.what);
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
    throw new PictureRefusal('kind', 'The data URL has no picture.');
  }
}

function requireModest({ width, height, frames }: PictureSize): void {
  const pixels = width * height;
  if (pixels === 0) throw new PictureRefusal('kind', 'The picture has no size.');
  const tooLarge =
    Math.max(width, height) > LARGEST_SIDE || pixels > MOST_PIXELS || pixels * frames > MOST_PIXELS_DRAWN;
  if (!tooLarge) return;
  const times = frames > 1 ? `, ${frames} times` : '';
  throw new PictureRefusal('size', 'The picture is too large to be shown.', `${width} × ${height}${times}`);
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
