import assert from 'node:assert/strict';
import { createMessage, formatMessage } from '../../../../src/core/base/text.ts';
import {
  checkExpectation,
  createChainClient,
  createLogStore,
  digestResult,
  digestRows,
  parseLogFilter,
  systemClock,
} from '../../../../src/core/index.ts';
import { createRow, createScriptedFetch } from '../../../support/fakeFetch.ts';

const rows = Array.from({ length: 2500 }, (_, at) => createRow(Math.floor(at / 2), at % 2));

function client({ head = 2000 } = {}) {
  const { fetch } = createScriptedFetch({
    head,
    logs: ({ from, to }) =>
      rows.filter((row) => {
        const block = Number((row as { blockNumber: string }).blockNumber);
        return block >= from && block <= to;
      }),
  });
  return createChainClient({ fetch, clock: systemClock, url: 'http://localhost/rpc' });
}

describe('digest of an answer', () => {
  it('is that of its rows, without keeping them', async () => {
    const filter = parseLogFilter({ toBlock: 1999 });
    const query = client().openLogQuery(filter, { order: 'newestFirst' });
    const loaded = createLogStore();
    for await (const { logs } of query.rest()) loaded.append(logs);
    const digest = await digestResult(client(), filter);
    assert.equal(digest.count, rows.length);
    assert.equal(digest.sha256, await digestRows(loaded, { order: 'newestFirst' }));
    assert.equal(digest.verdict.state, 'complete');
  });

  it('is as expected, otherwise, or of an answer that is not whole', async () => {
    const answer = await digestResult(client(), parseLogFilter({ toBlock: 1999 }));
    const { count, sha256 } = answer;
    assert.equal(checkExpectation(answer).state, 'ok');
    assert.equal(checkExpectation(answer, { count, sha256 }).state, 'ok');
    assert.deepEqual(checkExpectation(answer, { count: 1, sha256 }).different, ['count']);
    assert.deepEqual(checkExpectation(answer, { sha256: 'ab' }).reasons, [
      createMessage('The logs differ from the expected ones.'),
    ]);
  });

  it('is not whole where reading ended before the range did, or the chain does', async () => {
    const cut = await digestResult(client(), parseLogFilter({ toBlock: 1999 }), { maxRows: 10 });
    assert.equal(checkExpectation(cut, { count: cut.count }).state, 'incomplete');
    const early = await digestResult(client({ head: 1500 }), parseLogFilter({ toBlock: 1999 }));
    assert.equal(early.verdict.state, 'complete');
    const { state, reasons } = checkExpectation(early, { count: rows.length });
    assert.equal(state, 'incomplete');
    assert.match(reasons.map(formatMessage).join(), /latest block is 1500/);
  });
});
