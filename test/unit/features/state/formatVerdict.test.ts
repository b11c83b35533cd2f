import assert from 'node:assert/strict';
import { formatChanges } from '../../../../src/features/state/formatVerdict.ts';
import { l10n } from '../../../support/stubs.ts';

describe('changes between two blocks', () => {
  it('are none only if the rows of both are complete', () => {
    const none = { added: 0, removed: 0, changed: 0 };
    assert.equal(formatChanges(none, { isComplete: true, l10n }), 'No changes');
    assert.equal(formatChanges(none, { isComplete: false, l10n }), 'No changes in the rows found');
    const some = { ...none, added: 1200 };
    assert.equal(formatChanges(some, { isComplete: false, l10n }), '1,200 added, 0 removed, 0 changed');
  });
});
