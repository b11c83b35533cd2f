/**
 * Size of a JPEG (ITU-T T.81): the largest that a frame header tells. Each scan of a progressive one is a pass over
 * all pixels, so that a small file of thousands of scans takes minutes to draw.
 */
export function jpegSize(view: DataView) {
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
