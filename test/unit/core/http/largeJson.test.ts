import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type JsonLimits, parseLargeJson } from '../../../../src/core/http/largeJson.ts';
import { createTimeSlices, isAppError } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';

const LIMITS: JsonLimits = { maxDepth: 64, maxValues: 1_000_000, maxMembers: 20_000 };

const read = (text: string, piece?: number, limits = LIMITS) =>
  parseLargeJson(text, {
    limits,
    slices: createTimeSlices(createTestClock()),
    ...(piece === undefined ? {} : { piece }),
  });

/** The very same value as `JSON.parse` gives, or an error where that throws one. */
async function isAsJsonParse(text: string, piece: number): Promise<void> {
  let expected: unknown;
  try {
    expected = JSON.parse(text);
  } catch {
    await assert.rejects(read(text, piece), SyntaxError, text);
    return;
  }
  const value = await read(text, piece);
  assert.deepStrictEqual(value, expected);
  // Order of members and names such as __proto__ as well.
  assert.equal(JSON.stringify(value), JSON.stringify(expected));
}

const space = fc.constantFrom('', '', ' ', '\n', '\t \r\n');
// No name has an escape: JSON.parse of V8 12.8 to 14.6 itself reads some of those wrong, whichever way the document comes
// to it (https://github.com/nodejs/node/issues/63785).
const names = fc.constantFrom('a', 'b', '__proto__', '', '0', '1', 'é', '😀', 'length', 'toString');
const texts = /"(?:[^"\\]|\\.)*"(\s*:)?/gs;

function hasEscapedName(document: string): boolean {
  return [...document.matchAll(texts)].some(([text, colon]) => colon !== undefined && text.includes('\\'));
}

/** Documents as servers write them and as they do not: odd space, names twice, escapes. */
const documents = fc.letrec<Record<'value' | 'list' | 'object' | 'text', string>>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', '0', '-0', '1e400', '12.5E-3', '9007199254740993', '"\\u005b\\ud800"'),
    tie('text'),
    tie('list'),
    tie('object'),
  ),
  text: fc.oneof(fc.string({ unit: 'binary' }), names).map((text) => JSON.stringify(text)),
  list: fc
    .tuple(space, fc.array(fc.tuple(space, tie('value'), space).map((parts) => parts.join(''))))
    .map(([blank, elements]) => `[${elements.join(',') || blank}]`),
  object: fc
    .tuple(
      space,
      fc.array(
        fc
          .tuple(
            space,
            names.map((name) => JSON.stringify(name)),
            space,
            tie('value'),
          )
          .map(([before, name, after, value]) => `${before}${name}${after}:${value}${after}`),
      ),
    )
    .map(([blank, members]) => `{${members.join(',') || blank}}`),
})).value;

describe('a large JSON document', () => {
  it('is read as JSON.parse reads it, wherever it is cut', () =>
    fc.assert(
      fc.asyncProperty(
        space,
        documents,
        space,
        fc.integer({ min: 0, max: 12 }),
        (before, text, after, piece) => isAsJsonParse(`${before}${text}${after}`, piece),
      ),
    ));

  it('is refused where JSON.parse refuses it, wherever it is cut', () => {
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.integer({ min: 0, max: 3 }),
      put: fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '\\', '1', ' ', '\u0000', '\ufeff', '"a":'),
    });
    return fc.assert(
      fc.asyncProperty(
        documents,
        damage,
        fc.integer({ min: 0, max: 12 }),
        (text, { at, cut, put }, piece) => {
          const place = at % (text.length + 1);
          const damaged = text.slice(0, place) + put + text.slice(place + cut);
          fc.pre(!hasEscapedName(damaged));
          return isAsJsonParse(damaged, piece);
        },
      ),
    );
  });

  it('is as JSON.parse has it at edges that damage seldom makes', async () => {
    const edges = [
      ...[
        '',
        ' ',
        '"a"',
        '12',
        '\ufeff[1]',
        '[,1]',
        '{,}',
        '[[1],]',
        '[[1]2]',
        '[1[2]]',
        '[[1,2]}',
        '[[1,2]][1]',
      ],
      ...['{"a":1,}', '{"a":1[2,3]}', '{"a":[1]"b":2}', '{"a":1,[1]}', '[1,"a":[1]]', '[1,2]x', '["\\"]'],
      ...['{"__proto__":[1,2],"a":{"__proto__":{"b":1}}}', '{"a":[1,2],"a":[3,4]}', '{"a":-{"b":2,"c":3}}'],
      '{"a\\"b":[1,2],"a\\\\":[3,4],"\\u0061":{"c":5,"d":6}}',
    ];
    for (const text of edges) for (const piece of [0, 1, 2, 3]) await isAsJsonParse(text, piece);
  });

  it('is refused in words when it holds too much', async () => {
    const limits = { maxDepth: 8, maxValues: 1000, maxMembers: 20 };
    const tooMuch: readonly [string, RegExp][] = [
      [`[${'{},'.repeat(1000)}0]`, /over 1,000 values/],
      [`[${'0,'.repeat(1001)}0]`, /over 1,000 values/],
      ['['.repeat(9), /over 8 levels of nesting/],
      ['{"a":'.repeat(9), /over 8 levels of nesting/],
      [`{${Array.from({ length: 60 }, (_, n) => `"${n}":0`).join()}}`, /over 20 fields/],
    ];
    for (const [text, words] of tooMuch) {
      await assert.rejects(
        read(text, 0, limits),
        (error) => isAppError(error, 'tooLarge') && words.test(error.message),
      );
    }
  });

  it('is read in steps in proportion to its length, with rests between them', async () => {
    const shapes = ['[1,2],', '"\\"\\"\\"",', '{"a":"b"},', '"a",\n   '];
    for (const shape of shapes) {
      const [once, tenTimes] = [await looksAtTheClock(shape, 1), await looksAtTheClock(shape, 10)];
      assert.ok(once > 2, `${shape} ${once}`);
      assert.ok(tenTimes < 15 * once && tenTimes > 5 * once, `${shape} ${once} ${tenTimes}`);
    }
  });

  async function looksAtTheClock(shape: string, times: number): Promise<number> {
    let looks = 0;
    let rests = 0;
    const slices = {
      isOver: () => looks++ % 2 === 0,
      rest: async () => {
        rests++;
      },
    };
    await parseLargeJson(`[${shape.repeat(times * 1500)}0]`, { limits: LIMITS, slices, piece: 1000 });
    assert.ok(rests >= looks / 2 - 1);
    return looks;
  }

  it('is left when the signal aborts', async () => {
    const stop = new AbortController();
    stop.abort('stopped');
    const slices = { isOver: () => true, rest: async () => stop.signal.throwIfAborted() };
    const text = `[${'0,'.repeat(100_000)}0]`;
    await assert.rejects(
      parseLargeJson(text, { limits: LIMITS, slices, signal: stop.signal }),
      (reason) => reason === 'stopped',
    );
  });
});
