import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Pixels of three bytes each, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Buffer;
}

/** One picture of a moving one, and how long it stays. */
export interface Frame extends Pixels {
  readonly ms: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RGB = 2;
const RGBA = 6;

/**
 * Reads a PNG as browsers write it: 8 bits, not interlaced, without a palette. Transparency is dropped.
 * https://www.w3.org/TR/png-3/
 *
 * @throws Error for any other file.
 */
export function decodePng(file: Buffer): Pixels {
  const chunks = readChunks(file);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (!header) throw new Error('This is no PNG.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, color, , , interlace] = header.subarray(8);
  if (depth !== 8 || interlace !== 0 || (color !== RGB && color !== RGBA))
    throw new Error('Only PNGs with 8 bits, without palette and interlacing are read.');
  const channels = color === RGB ? 3 : 4;
  const data = inflateSync(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((each) => each.data)),
  );
  const stride = width * channels;
  let before: Buffer = Buffer.alloc(stride);
  const rgb = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    const row = unfilter(data[start] ?? 0, data.subarray(start + 1, start + 1 + stride), before, channels);
    for (let x = 0; x < width; x++) row.copy(rgb, (y * width + x) * 3, x * channels, x * channels + 3);
    before = row;
  }
  return { width, height, rgb };
}

/** An animated PNG that is repeated for ever. Each picture but the first holds only what has changed. */
export function encodeApng(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (!first) throw new Error('There are no pictures.');
  const { width, height } = first;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, RGB, 0, 0, 0], 8);
  let sequence = 0;
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const animation = frames.flatMap((frame, index) => {
    if (frame.width !== width || frame.height !== height) throw new Error('The pictures differ in size.');
    const area = findChange(frame, frames[index - 1]);
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    for (const [place, value] of [area.width, area.height, area.x, area.y].entries())
      control.writeUInt32BE(value, 4 + place * 4);
    control.writeUInt16BE(frame.ms, 20);
    control.writeUInt16BE(1000, 22);
    const data = deflateSync(filterRows(frame, area), { level: 9 });
    return [
      writeChunk('fcTL', control),
      index === 0 ? writeChunk('IDAT', data) : writeChunk('fdAT', Buffer.concat([number(sequence++), data])),
    ];
  });
  return Buffer.concat([
    SIGNATURE,
    writeChunk('IHDR', header),
    writeChunk('acTL', Buffer.concat([number(frames.length), number(0)])),
    ...animation,
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest area with all that differs from the picture before; one pixel where nothing does. */
function findChange({ width, height, rgb }: Pixels, before: Pixels | undefined): Area {
  if (!before) return { x: 0, y: 0, width, height };
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    const [start, end] = [y * width * 3, (y + 1) * width * 3];
    if (rgb.compare(before.rgb, start, end, start, end) === 0) continue;
    top = Math.min(top, y);
    bottom = y;
    for (let at = start; at < end; at++) {
      if (rgb[at] === before.rgb[at]) continue;
      const x = Math.floor((at - start) / 3);
      left = Math.min(left, x);
      right = Math.max(right, x);
    }
  }
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Rows with a filter each: that whose differences are smallest, as the specification recommends. */
function filterRows({ width, rgb }: Pixels, area: Area): Buffer {
  const stride = area.width * 3;
  const rows: Buffer[] = [];
  let before: Buffer = Buffer.alloc(stride);
  for (let y = area.y; y < area.y + area.height; y++) {
    const start = (y * width + area.x) * 3;
    const row = rgb.subarray(start, start + stride);
    const filtered = [0, 1, 2].map((filter) => applyFilter(filter, row, before));
    rows.push(filtered.reduce((best, other) => (sumOf(other) < sumOf(best) ? other : best)));
    before = Buffer.from(row);
  }
  return Buffer.concat(rows);
}

function applyFilter(filter: number, row: Buffer, before: Buffer): Buffer {
  const filtered = Buffer.alloc(row.length + 1);
  filtered[0] = filter;
  for (let at = 0; at < row.length; at++)
    filtered[at + 1] = (row[at] ?? 0) - predict(filter, { left: row[at - 3], above: before[at] });
  return filtered;
}

function sumOf(filtered: Buffer): number {
  let sum = 0;
  for (let at = 1; at < filtered.length; at++) {
    const value = filtered[at] ?? 0;
    sum += value < 128 ? value : 256 - value;
  }
  return sum;
}

function unfilter(filter: number, filtered: Buffer, before: Buffer, channels: number): Buffer {
  const row = Buffer.alloc(filtered.length);
  for (let at = 0; at < row.length; at++) {
    const around = { left: row[at - channels], above: before[at], aboveLeft: before[at - channels] };
    row[at] = (filtered[at] ?? 0) + predict(filter, around);
  }
  return row;
}

interface Around {
  readonly left: number | undefined;
  readonly above: number | undefined;
  readonly aboveLeft?: number | undefined;
}

/** What a filter takes a byte for, by the bytes of its neighbours. */
function predict(filter: number, { left = 0, above = 0, aboveLeft = 0 }: Around): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const guess = left + above - aboveLeft;
      const [a, b, c] = [left, above, aboveLeft].map((value) => Math.abs(guess - value)) as [
        number,
        number,
        number,
      ];
      if (a <= b && a <= c) return left;
      return b <= c ? above : aboveLeft;
    }
    default:
      throw new Error(`A PNG has no filter ${filter}.`);
  }
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

export function readChunks(file: Buffer): readonly Chunk[] {
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('This is no PNG.');
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const data = file.subarray(at + 8, at + 8 + length);
    const sum = file.readUInt32BE(at + 8 + length);
    if (sum !== crc32(file.subarray(at + 4, at + 8 + length)))
      throw new Error('A part of the PNG is damaged.');
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data });
    at += 12 + length;
  }
  return chunks;
}

function writeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
