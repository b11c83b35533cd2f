import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PictureError } from '../../../../src/core/index.ts';
import { checkPicture, readPictureSize } from '../../../../src/core/nfts/checkPicture.ts';
import * as pictures from '../../../support/pictures.ts';

const makers: Record<string, readonly [pictures.PictureMaker, mediaType: string, largest: number]> = {
  png: [pictures.png, 'image/png', 2 ** 31],
  gif: [pictures.gif, 'image/gif', 65_535],
  jpeg: [pictures.jpeg, 'image/jpeg', 65_535],
  'webp, lossy': [pictures.webpLossy, 'image/webp', 16_383],
  'webp, lossless': [pictures.webpLossless, 'image/webp', 16_384],
  'webp, extended': [pictures.webpExtended, 'image/webp', 2 ** 24],
  bmp: [pictures.bmp, 'image/bmp', 2 ** 31 - 1],
};

function refusedFor(bytes: Uint8Array): string {
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
      assert.equal(refusedFor(make(640, 481)), mediaType);
    });

    it(`is refused in a ${name} that takes too much memory to draw, or has none`, () => {
      const side = Math.min(20_000, largest);
      assert.equal(refusedFor(make(side, side)), 'size');
      assert.equal(refusedFor(make(8_193, 1)), 'size');
      assert.equal(refusedFor(make(5_000, 5_000)), 'size');
      assert.equal(refusedFor(make(4_096, 4_096)), mediaType);
      if (largest > 2 ** 24) assert.equal(refusedFor(make(largest, largest)), 'size');
      if (name === 'png' || name === 'gif') assert.equal(refusedFor(make(0, 20)), 'kind');
    });

    it(`is refused in a ${name} that ends early or is damaged, and never fails otherwise`, () => {
      const whole = make(640, 481);
      for (let length = 0; length < Math.min(whole.length, 24); length++)
        refusedFor(whole.subarray(0, length));
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }),
          (changes) => {
            const damaged = whole.slice();
            for (const [at, byte] of changes) damaged[at] = byte;
            refusedFor(damaged);
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
    assert.equal(refusedFor(pictures.gifFrames(500, 500, 100)), 'image/gif');
    for (const film of [
      pictures.apng(4_000, 4_000, 1_000_000, 1),
      pictures.apng(4_000, 4_000, 1, 100),
      pictures.gifFrames(4_000, 4_000, 100),
      pictures.webpFrames(4_000, 4_000, 100),
      pictures.jpegScans(4_000, 4_000, 500),
    ]) {
      assert.equal(refusedFor(film), 'size');
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
        refusedFor(long);
      }
    }
  });

  it('is of no other kind than these, whatever a server calls it', () => {
    for (const bytes of [[], [0], [0x89, 0x50, 0x4e, 0x47], [0, 0, 1, 0], [0xff, 0xd8, 0xff]]) {
      assert.equal(refusedFor(Uint8Array.from(bytes)), 'kind');
    }
    const avif = new TextEncoder().encode('\0\0\0\x20ftypavif');
    assert.equal(refusedFor(avif), 'kind');
    assert.equal(refusedFor(new TextEncoder().encode('%PDF-1.4')), 'kind');
  });
});
