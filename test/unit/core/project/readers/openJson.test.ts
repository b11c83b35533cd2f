import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTimeSlices, systemClock } from '../../../../../src/core/index.ts';
import { findMember, type JsonText, scanMembers } from '../../../../../src/core/project/readers/jsonScan.ts';
import { openJson } from '../../../../../src/core/project/readers/openJson.ts';
import { runs } from '../../../../support/fullRun.ts';

const options = { slices: createTimeSlices(systemClock) };
/** A shorter text is left as it is. */
const PADDING = 'p"\\'.repeat(400_000);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.string(),
    fc.integer(),
    fc.constantFrom('x'.repeat(900), '"\\'.repeat(200), '[{'.repeat(99)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('k'.repeat(400))), tie('value'), { maxKeys: 5 }),
  ),
}));

/** The members of an object, and those of each object in it. */
function listAll(json: JsonText, at = 0): readonly unknown[] {
  return [...scanMembers(json, at)].flatMap((member) => [
    member,
    ...(textOf(json)[member.from] === '{' ? listAll(json, member.from) : []),
  ]);
}

const textOf = (json: JsonText) => (typeof json === 'string' ? json : json.text);

describe('a large JSON text', () => {
  it('has the same members where its long values are known as where they are not', async () => {
    const numRuns = Math.min(runs(1000), 200);
    let known = 0;
    await fc.assert(
      fc.asyncProperty(value, value, fc.constantFrom(undefined, 1), async (one, other, space) => {
        const text = JSON.stringify({ one, padding: PADDING, two: { other } }, null, space);
        const opened = await openJson(text, options);
        assert.deepEqual(listAll(opened), listAll(text));
        assert.equal(findMember(opened, 0, 'two', 'other'), findMember(text, 0, 'two', 'other'));
        if (typeof opened !== 'string') known += opened.ends.size;
      }),
      { numRuns },
    );
    assert.ok(known > numRuns, String(known));
  });

  for (const [what, text, message] of [
    ['a bracket that is not closed', `{"a":"${PADDING.replaceAll(/["\\]/g, 'p')}"`, /not valid JSON/],
    ['a bracket too many', `${' '.repeat(2 ** 20)}{}]`, /not valid JSON/],
    ['a text that is not closed', `${' '.repeat(2 ** 20)}{"`, /not valid JSON/],
    ['too many levels', '['.repeat(2 ** 20), /nested more than 10,000 deep/],
    ['too many members', `[${'0,'.repeat(2 ** 19)}0]`, /more than 100,000 members/],
  ] as const)
    it(`is refused for ${what}`, () =>
      assert.rejects(openJson(text, options), { kind: 'badInput', message }));
});
