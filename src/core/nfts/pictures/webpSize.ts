import { latin } from './latin.ts';

/** Size of a WebP (RFC 9649): of its canvas and of every picture in it, and how many frames it has. */
export function webpSize(view: DataView) {
  let [width, height, frames] = [0, 0, 0];
  const take = (wide: number, high: number) => {
    width = Math.max(width, wide);
    height = Math.max(height, high);
  };
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const length = view.getUint32(at + 4, true);
    const kind = latin(view, at, 4);
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
