import assert from 'node:assert/strict';
import {
  describeReasons,
  formatMessage,
  type LogProof,
  type SecondOpinion,
} from '../../../../../src/core/index.ts';
import { formatResultDetails, formatStatus } from '../../../../../src/features/logs/panel/formatStatus.ts';
import { judgeResult } from '../../../../../src/features/logs/panel/resultActions.ts';
import { anyNetwork, english, verdictOf } from '../../../../support/stubs.ts';

const complete = verdictOf({ toBlock: 500n, requests: 2 });
const proven: LogProof = {
  ...{ level: 'proven', reasons: [], trustedHash: `0x${'1'.repeat(64)}`, trustedBy: 'endpoint' },
  ...{ blocks: 90, receipts: 7, requests: 9 },
};
const contradicted: LogProof = { ...proven, level: 'contradicted', contradictedAt: 7n };
const agreed: SecondOpinion = {
  ...{ state: 'agree', onlyHere: 0, onlyThere: 0, different: 0, reasons: [], rows: [] },
  ...{ fromBlock: 20n, toBlock: 500n, sample: false, blocks: 481n, alike: 3 },
};
const differs: SecondOpinion = { ...agreed, state: 'differ', onlyThere: 1 };
const none = { proof: undefined, opinion: undefined };

/** What the panel says. */
function said(verdict: ReturnType<typeof judgeResult>) {
  const results = {
    ...{ loading: undefined, backoff: undefined, progress: undefined, notice: undefined },
    ...{ verdict, sequence: { count: 3 }, isFollowed: false, error: undefined },
    ...{ loadedAt: undefined, age: undefined, network: anyNetwork(1) },
  };
  const { status } = formatStatus(results, undefined, english);
  return { status, reasons: formatResultDetails(results, english).reasons };
}

describe('verdict with a proof and a second opinion', () => {
  it('stays complete if nothing is against it', () => {
    for (const found of [none, { proof: proven, opinion: agreed }, { ...none, opinion: agreed }])
      assert.equal(judgeResult(complete, found).state, 'complete');
  });

  it('is not complete, in words neither, where one of them is against it', () => {
    const cases = [
      [{ ...none, proof: contradicted }, /^The receipts of block 7 have other logs/],
      [{ ...none, opinion: differs }, /^Another endpoint returned different logs for blocks from 20 on/],
    ] as const;
    for (const [found, reason] of cases) {
      const verdict = judgeResult(complete, found);
      assert.equal(verdict.state, 'uncertain');
      const { status, reasons } = said(verdict);
      assert.equal(status, 'May be incomplete · 3 logs');
      assert.match(reasons.join(), reason);
    }
    const both = judgeResult(complete, { proof: contradicted, opinion: differs });
    assert.equal(describeReasons(both.reasons).map(formatMessage).length, 2);
  });

  it('of a result with more pages has their reasons in sight, and claims nothing of its blocks', () => {
    const more = { ...complete, state: 'more' as const, readThrough: 99n };
    const verdict = judgeResult(more, { ...none, opinion: differs });
    assert.equal(verdict.state, 'more');
    const { status, reasons } = said(verdict);
    assert.match(status, /^Partial: /);
    assert.equal(reasons.length, 1);
  });
});
