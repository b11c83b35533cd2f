import fc from 'fast-check';
import { followedChains } from '../../../support/followModel.ts';
import { runs } from '../../../support/fullRun.ts';

describe('followed query on any chain', () => {
  it('has the rows of the chain at the end, and says complete of no block that it lacks rows of', async () => {
    await fc.assert(followedChains, { numRuns: runs(60) });
  });
});
