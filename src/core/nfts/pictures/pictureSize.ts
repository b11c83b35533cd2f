import { jpegSize } from './jpegSize.ts';
import { latin } from './latin.ts';
import { webpSize } from './webpSize.ts';

/** What the header of a picture made of pixels says. Sizes may be 0 in a broken one. */
export interface PictureSize {
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
    if (startsWith(view, [0xff, 0xd8, 0xff])) return { mediaType: 'image/jpeg', ...jpegSize(view) };
    if (/^GIF8[79]a/.test(latin(view, 0, 6))) return gifSize(view);
    if (latin(view, 0, 4) === 'RIFF' && latin(view, 8, 4) === 'WEBP') {
      return { mediaType: 'image/webp', ...webpSize(view) };
    }
    if (latin(view, 0, 2) === 'BM') return bmpSize(view);
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
  if (latin(view, 12, 4) !== 'IHDR') return undefined;
  let [told, frames] = [1, 0];
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const kind = latin(view, at + 4, 4);
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
