import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { decodePng, encodeApng, type Pixels, readChunks } from '../../../scripts/support/apng.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';

const paint = (
  width: number,
  height: number,
  colorAt: (x: number, y: number) => readonly number[],
): Pixels => ({
  width,
  height,
  rgb: Buffer.from(
    Array.from({ length: width * height }, (_, at) => colorAt(at % width, Math.floor(at / width))).flat(),
  ),
});

describe('an animated PNG', () => {
  const before = paint(20, 10, (x, y) => [x * 12, y * 20, (x * y) % 256]);
  const after = paint(20, 10, (x, y) =>
    x >= 4 && x < 9 && y === 7 ? [255, 0, 9] : [x * 12, y * 20, (x * y) % 256],
  );

  it('begins with its first picture, and holds of the others what has changed, with their times', () => {
    const file = encodeApng([
      { ...before, ms: 1300 },
      { ...after, ms: 700 },
      { ...after, ms: 1 },
    ]);
    assert.deepEqual(decodePng(file), before);
    const chunks = readChunks(file);
    assert.deepEqual(
      chunks.map(({ type }) => type),
      ['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'IEND'],
    );
    const controls = chunks
      .filter(({ type }) => type === 'fcTL')
      .map(({ data }) => [
        ...[0, 4, 8, 12, 16].map((at) => data.readUInt32BE(at)),
        data.readUInt16BE(20) / data.readUInt16BE(22),
      ]);
    assert.deepEqual(controls, [
      [0, 20, 10, 0, 0, 1.3],
      [1, 5, 1, 4, 7, 0.7],
      [3, 1, 1, 0, 0, 0.001],
    ]);
  });

  it('is made of pictures of browsers, and of nothing that is no whole picture', async () => {
    const overview = decodePng(await readFile(fromRoot('media', 'screenshots', 'overview.png')));
    assert.equal(overview.rgb.length, overview.width * overview.height * 3);
    assert.deepEqual(decodePng(encodeApng([{ ...overview, ms: 1 }])).rgb, overview.rgb);
    const file = encodeApng([{ ...before, ms: 1 }]);
    file[60] = (file[60] ?? 0) ^ 1;
    assert.throws(() => decodePng(file), /damaged/);
    assert.throws(() => decodePng(Buffer.from('GIF89a, no PNG')), /no PNG/);
    assert.throws(
      () =>
        encodeApng([
          { ...before, ms: 1 },
          { ...overview, ms: 1 },
        ]),
      /differ in size/,
    );
  });

  it('of the README takes about 12 seconds and less than 2 MiB', async () => {
    const file = await readFile(fromRoot('media', 'screenshots', 'story.png'));
    assert.ok(file.length < 2 * 1024 * 1024, `${file.length} bytes`);
    const controls = readChunks(file).filter(({ type }) => type === 'fcTL');
    const ms = controls.reduce((sum, { data }) => sum + data.readUInt16BE(20), 0);
    assert.ok(ms >= 10_000 && ms <= 14_000, `${ms} ms`);
  });
});
