/** Bytes of a picture that says it is of this size, with no pixels in it. */
export type PictureMaker = (width: number, height: number) => Uint8Array<ArrayBuffer>;

const be16 = (value: number) => [(value >> 8) & 0xff, value & 0xff];
const be32 = (value: number) => [...be16(value >>> 16), ...be16(value)];
const le16 = (value: number) => be16(value).reverse();
const le24 = (value: number) => [...le16(value), (value >> 16) & 0xff];
const le32 = (value: number) => be32(value).reverse();
const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const bytes = (...parts: readonly (readonly number[])[]) => Uint8Array.from(parts.flat());

const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const chunk = (name: string, data: readonly number[]) => [
  ...be32(data.length),
  ...letters(name),
  ...data,
  ...be32(0),
];
const ihdr = (width: number, height: number) =>
  chunk('IHDR', [...be32(width), ...be32(height), 8, 6, 0, 0, 0]);

export const png: PictureMaker = (width, height) => bytes(pngStart, ihdr(width, height), chunk('IEND', []));

/** An animated PNG that tells `told` frames and has `frames`. */
export function apng(width: number, height: number, told: number, frames: number): Uint8Array<ArrayBuffer> {
  const each = Array.from({ length: frames }, () => chunk('fcTL', Array(26).fill(0))).flat();
  return bytes(pngStart, ihdr(width, height), chunk('acTL', [...be32(told), ...be32(0)]), each);
}

export const gif: PictureMaker = (width, height) =>
  bytes(letters('GIF89a'), le16(width), le16(height), [0, 0, 0, 0x3b]);

/** A GIF of `frames` frames, each of this size on a screen of one pixel. */
export function gifFrames(width: number, height: number, frames: number): Uint8Array<ArrayBuffer> {
  const control = [0x21, 0xf9, 4, 0, 0, 0, 0, 0];
  const frame = [...control, 0x2c, 0, 0, 0, 0, ...le16(width), ...le16(height), 0, 8, 1, 0, 0];
  return bytes(
    letters('GIF89a'),
    le16(1),
    le16(1),
    [0x80, 0, 0],
    Array(6).fill(0),
    Array(frames).fill(frame).flat(),
  );
}

const sof = (marker: number, width: number, height: number) => [
  ...[0xff, marker, 0, 11, 8],
  ...[...be16(height), ...be16(width), 1, 1, 0x11, 0],
];
const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xff, 0, 0x34];
const app1 = [0xff, 0xe1, 0, 15, ...sof(0xc0, 9, 9)];

/** A JPEG with a preview in a segment of its own, and `scans` passes. */
export function jpegScans(width: number, height: number, scans: number): Uint8Array<ArrayBuffer> {
  const all = Array(scans).fill(scan).flat();
  return bytes([0xff, 0xd8], app1, sof(0xc2, width, height), all, [0xff, 0xd9], sof(0xc0, 65_535, 65_535));
}
export const jpeg: PictureMaker = (width, height) => jpegScans(width, height, 1);

const riff = (...chunks: readonly (readonly number[])[]) => {
  const content = chunks.flat();
  return bytes(letters('RIFF'), le32(content.length + 4), letters('WEBP'), content);
};
const webpChunk = (name: string, data: readonly number[]) => [
  ...letters(name),
  ...le32(data.length),
  ...data,
  ...(data.length % 2 ? [0] : []),
];

export const webpLossy: PictureMaker = (width, height) =>
  riff(webpChunk('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, ...le16(width), ...le16(height)]));
export const webpLossless: PictureMaker = (width, height) =>
  riff(webpChunk('VP8L', [0x2f, ...le32(((width - 1) | ((height - 1) << 14)) >>> 0)]));
export const webpExtended: PictureMaker = (width, height) =>
  riff(webpChunk('VP8X', [2, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)]));

export function webpFrames(width: number, height: number, frames: number): Uint8Array<ArrayBuffer> {
  const canvas = webpChunk('VP8X', [2, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)]);
  const picture = webpChunk('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, ...le16(width), ...le16(height)]);
  const place = [0, 0, 0, 0, 0, 0, ...le24(width - 1), ...le24(height - 1), 0, 0, 0, 0];
  return riff(
    canvas,
    Array(frames)
      .fill(webpChunk('ANMF', [...place, ...picture]))
      .flat(),
  );
}

export const bmp: PictureMaker = (width, height) =>
  bytes(letters('BM'), Array(12).fill(0), le32(40), le32(width), le32(-height >>> 0), Array(28).fill(0));
