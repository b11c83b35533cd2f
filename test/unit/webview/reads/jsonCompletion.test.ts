import assert from 'node:assert/strict';
import { parseAbiItem } from '../../../../src/core/index.ts';
import { toWireInputs } from '../../../../src/features/reads/formatRead.ts';
import type { WireInput } from '../../../../src/features/reads/protocol.ts';
import { completeJson, findJsonPlace } from '../../../../src/webview/reads/jsonCompletion.ts';

const item = parseAbiItem(
  'function f((address token, uint256[2] amounts, (bool ok, bytes data)[] steps) order, address[][] owners) view',
);
assert.ok(item?.kind === 'function');
const [order, owners] = toWireInputs(item.inputs) as [WireInput, WireInput];

/** The text and the caret, which `|` marks. */
function parseMarked(marked: string) {
  return { text: marked.replace('|', ''), caret: marked.indexOf('|'), isRequested: true };
}

describe('completion of arguments in JSON', () => {
  const places: readonly (readonly [marked: string, input: WireInput, expected: string])[] = [
    ['|', order, '(address,uint256[2],(bool,bytes)[])'],
    ['{|', order, 'token, amounts, steps'],
    ['{"tok|', order, 'token, amounts, steps < tok'],
    ['{to|', order, 'token, amounts, steps < to'],
    ['{"token": |', order, 'address'],
    ['{"token": "Al|", "amounts": [1, 2]}', order, 'address < Al'],
    ['{"token": "a,{\\"b", |}', order, 'amounts, steps'],
    ['{"token" |', order, 'token, amounts, steps'],
    ['{"token": "0x12", "amounts": [1, |', order, 'uint256'],
    ['{"steps": [{"ok": tr|', order, 'bool < tr'],
    ['{"steps": [{"ok": true}, {|', order, 'ok, data'],
    ['{"steps": [{"ok": true}], |', order, 'token, amounts'],
    ['{"other": |', order, ''],
    ['["Alice", |', order, 'uint256[2]'],
    ['["Alice", [1, 2], [[true, |', order, 'bytes'],
    ['[|', owners, 'address[]'],
    ['[["A"], [Bo|b', owners, 'address < Bo'],
    ['[["A"]] |', owners, 'address[][]'],
    ['}]:,|', owners, 'address[][]'],
  ];
  for (const [marked, input, expected] of places) {
    it(`knows what stands at ${marked}`, () => {
      const place = findJsonPlace(parseMarked(marked), input);
      const what = place.missing.map(({ name }) => name).join(', ') || (place.input?.type ?? '');
      assert.equal(place.text === '' ? what : `${what} < ${place.text}`, expected);
    });
  }

  const completed: readonly (readonly [marked: string, input: WireInput, value: string, text: string])[] = [
    ['{|', order, 'token', '{"token": '],
    ['{"to|": 1}', order, 'token', '{"token": 1}'],
    ['{"token": "Al|", "steps": []}', order, 'Alice "A"', '{"token": "Alice \\"A\\"", "steps": []}'],
    ['["Al|, [1, 2]]', order, 'Alice', '["Alice", [1, 2]]'],
    ['[["A"], [Bo|b', owners, 'Bob', '[["A"], ["Bob"'],
    ['{"steps": [{"ok": tr|', order, 'true', '{"steps": [{"ok": true'],
    ['|', owners, '[["0x…"]]', '[["0x…"]]'],
    ['[|]', owners, '["0x…"]', '[["0x…"]]'],
  ];
  for (const [marked, input, value, text] of completed) {
    it(`inserts ${value} into ${marked}`, () => {
      assert.equal(completeJson(parseMarked(marked), input, value), text);
    });
  }
});
