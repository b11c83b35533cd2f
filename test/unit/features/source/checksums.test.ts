import assert from 'node:assert/strict';
import { createTimeSlices, systemClock } from '../../../../src/core/index.ts';
import { findChecksumErrors } from '../../../../src/features/source/checksums.ts';

const RIGHT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const LOWER = RIGHT.toLowerCase();
const WRONG = '0x5fBDB2315678afecb367f032d93F642f64180aa3';
const DIGITS = '0x0000000000000000000000000000000000000001';

const find = (text: string, isSolidity = true) =>
  findChecksumErrors(text, { isSolidity, slices: createTimeSlices(systemClock) });

describe('checksum faults', () => {
  it('are errors in Solidity code, where the compiler refuses them', async () => {
    const text = `address a = ${WRONG};\naddress b = ${LOWER};`;
    assert.deepEqual(await find(text), [
      { offset: 12, written: WRONG, expected: RIGHT, isError: true },
      { offset: text.indexOf(LOWER), written: LOWER, expected: RIGHT, isError: true },
    ]);
  });

  it('are hints in comments, strings and other languages, and only where a checksum is claimed', async () => {
    for (const text of [`// ${WRONG} ${LOWER}`, `string s = "${WRONG} ${LOWER}";`, `/* ${WRONG} */`]) {
      const [fault, ...rest] = await find(text);
      assert.equal(fault?.isError, false, text);
      assert.deepEqual(rest, []);
    }
    assert.deepEqual(await find(`{ "a": "${WRONG}", "b": "${LOWER}" }`, false), [
      { offset: 8, written: WRONG, expected: RIGHT, isError: false },
    ]);
  });

  it('are none where the checksum is right, or there are no letters', async () => {
    const ten = `0x${'0'.repeat(39)}A`;
    const text = `address a = ${RIGHT}; address b = ${DIGITS}; address c = ${ten}; address d = 0x${'0'.repeat(40)};`;
    for (const isSolidity of [true, false]) assert.deepEqual(await find(text, isSolidity), []);
  });

  it('are no errors in inline assembly, which takes any number', async () => {
    const inside = `assembly ("memory-safe") { let a := ${LOWER} if a { a := ${LOWER} } }`;
    assert.deepEqual(await find(`function f() { ${inside} }`), []);
    const after = `function f() { ${inside} } address a = ${LOWER};`;
    assert.deepEqual(
      (await find(after)).map(({ offset }) => offset),
      [after.lastIndexOf(LOWER)],
    );
    assert.equal((await find(`uint assembly; address a = ${LOWER};`)).length, 1);
  });

  it('are bounded in number', async () => {
    assert.equal((await find(`${WRONG},`.repeat(10_000), false)).length, 500);
  });

  it('stop being sought when nobody waits for them any more', async () => {
    const asked = new AbortController();
    asked.abort(new Error('gone'));
    const search = findChecksumErrors(`${RIGHT}\n`.repeat(10_000), {
      isSolidity: false,
      slices: { isOver: () => true, rest: async ({ signal } = {}) => signal?.throwIfAborted() },
      signal: asked.signal,
    });
    await assert.rejects(search, /gone/);
  });
});
