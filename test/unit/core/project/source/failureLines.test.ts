import assert from 'node:assert/strict';
import { systemClock } from '../../../../../src/core/base/clock.ts';
import { createTimeSlices, runToEnd } from '../../../../../src/core/base/timeSlices.ts';
import {
  findPlainFailureLines,
  type PlainCause,
} from '../../../../../src/core/project/source/failureLines.ts';
import { readFailureNames } from '../../../../../src/core/project/source/failureNames.ts';

const SOURCE = `contract Shop {
  enum Kind { One }
  mapping(address => mapping(uint256 => uint256)) private paid;
  function (uint256) internal pure returns (uint256) private rule;
  function half(uint256[] memory a, uint256 b) external returns (uint256) {
    unchecked { b = b - 1; }
    b = b + 1;
    b = b / 2 + b / b;
    paid[msg.sender] = a[b];
    Kind(b);
    half2(b);
    rule(b);
    a = new uint256[](b);
    new Shop();
    bytes memory data = abi.encode(b);
    require(b > 1, "one");
    require(b > 2);
    revert Bad(b);
    revert();
    assembly ("memory-safe") { if b { revert(0, 0) } }
    return this.half(a[1:b], b);
  }
  function half2(uint256 b) internal {}
  error Bad(uint256 b);
}`;
const options = { slices: createTimeSlices(systemClock) };
const find = (...search: Parameters<typeof findPlainFailureLines>) =>
  runToEnd(findPlainFailureLines(...search));

describe('the lines that can fail without an error of their own', () => {
  for (const [name, cause, expected] of [
    ['an overflow, apart from unchecked code', { panic: 0x11n }, [7, 8]],
    ['a division, apart from one by a number', { panic: 0x12n }, [8]],
    ['a conversion to an enum', { panic: 0x21n }, [10]],
    ['an index, apart from keys of mappings and types', { panic: 0x32n }, [9, 21]],
    ['an allocation', { panic: 0x41n }, [13]],
    ['a call of a variable', { panic: 0x51n }, [12]],
    ['a revert without data', { plain: true }, [5, 14, 17, 19, 20, 21]],
  ] as const satisfies readonly (readonly [string, PlainCause, readonly number[]])[]) {
    it(`are those of ${name}`, async () => {
      const names = await readFailureNames([SOURCE], options);
      assert.deepEqual(find(SOURCE, cause, { names }), expected);
      const all = find(SOURCE, cause);
      for (const line of expected) assert.ok(all.includes(line), `${line}`);
    });
  }

  it('are those with texts, too, where the compiler left the texts out', async () => {
    const stripped = { ...(await readFailureNames([SOURCE], options)), hasNoTexts: true };
    const lines = find(SOURCE, { plain: true }, { names: stripped });
    assert.deepEqual(lines, [5, 14, 16, 17, 19, 20, 21]);
  });

  it('are also divisions by a name, by zero in addmod, and of negative numbers', async () => {
    const text =
      'function f(int256 a, uint256 b) {\n a = a / -1;\n b = addmod(b, 1, b);\n b %= b;\n b /= 3;\n}';
    const signed = await readFailureNames([text], options);
    assert.deepEqual(find(text, { panic: 0x12n }, { names: signed }), [2, 3, 4]);
    assert.ok(find(text, { panic: 0x11n }, { names: signed }).includes(2));
  });

  it('are more rather than fewer where a source takes too long to look ahead in', async () => {
    const text = `contract A { function f(uint256 b) { ${'new '.repeat(5000)};\n x = new uint256[](b); } }`;
    const names = await readFailureNames([text], options);
    assert.ok(find(text, { panic: 0x41n }, { names }).includes(2));
  });
});
