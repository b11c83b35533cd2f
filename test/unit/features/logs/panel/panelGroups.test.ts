import assert from 'node:assert/strict';
import { formatGroupVerdict } from '../../../../../src/features/logs/panel/panelGroups.ts';
import { l10n } from '../../../../support/stubs.ts';

describe('what groups are made of', () => {
  it('is said with the certainty of the logs, and why some are in no group', () => {
    const logs = { grouped: 3, ungrouped: 1, loaded: 4, hasSum: false, state: 'complete', l10n } as const;
    for (const [over, said] of [
      [{}, 'Counts of 3 of 4 logs · 1 log lacks a field'],
      [{ grouped: 4, ungrouped: 0 }, 'Counts of all 4 logs'],
      [{ loaded: 5, ungrouped: 2, hasSum: true }, 'Sums of 3 of 5 logs · 2 logs lack a field'],
      [{ state: 'uncertain' }, 'Counts of 3 of at least 4 logs · 1 log lacks a field'],
      [{ grouped: 4, ungrouped: 0, state: 'more', hasSum: true }, 'Sums of 4 of at least 4 logs'],
    ] as const)
      assert.equal(formatGroupVerdict({ ...logs, ...over }), said);
  });
});
