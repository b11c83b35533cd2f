import assert from 'node:assert/strict';
import { toListVerdict } from '../../../src/cli/commands/address.ts';

describe('what a headless history is worth', () => {
  const unreadable = { code: 'unreadable' as const, count: 2 };

  it('says that there is more, also of a list that lacks something', () => {
    assert.deepEqual(toListVerdict({ reasons: [], isAtEnd: true }), { state: 'complete', reasons: [] });
    assert.deepEqual(toListVerdict({ reasons: [], isAtEnd: false }), { state: 'more', reasons: [] });
    const whole = toListVerdict({ reasons: [unreadable], isAtEnd: true });
    const begun = toListVerdict({ reasons: [unreadable], isAtEnd: false });
    assert.deepEqual([whole.state, begun.state, whole.reasons.length], ['partial', 'partial', 1]);
    assert.match(begun.reasons[1] ?? '', /^not read to the end/);
  });
});
