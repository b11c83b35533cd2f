import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createMessage, formatMessage } from '../../../../src/core/base/text.ts';
import {
  checkExpectation,
  createChainClient,
  createLogStore,
  digestContents,
  digestResult,
  parseLogFilter,
  systemClock,
} from '../../../../src/core/index.ts';
import { digestRows } from '../../../../src/core/queries/resultDigest.ts';
import { createRow, createScriptedFetch, type Row } from '../../../support/fakeFetch.ts';

const rows = Array.from({ length: 600 }, (_, at) => createRow(Math.floor(at / 2), at % 2)) as readonly Row[];

function client({ head = 400, change = {} } = {}) {
  const { fetch } = createScriptedFetch({
    head,
    logs: ({ from, to }) =>
      rows
        .filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to)
        .map((row) => ({ ...row, ...change })),
  });
  return createChainClient({ fetch, clock: systemClock, url: 'http://localhost/rpc' });
}

describe('digest of an answer', () => {
  it('is that of its rows, without keeping them', async () => {
    const filter = parseLogFilter({ toBlock: 399 });
    const query = client().openLogQuery(filter, { order: 'newestFirst' });
    const loaded = createLogStore();
    for await (const { logs } of query.rest()) loaded.append(logs);
    const digest = await digestResult(client(), filter);
    assert.equal(digest.count, rows.length);
    assert.equal(digest.sha256, await digestRows(loaded, { order: 'newestFirst' }));
    assert.equal(digest.contentSha256, await digestContents(loaded, { order: 'newestFirst' }));
    assert.equal(digest.verdict.state, 'complete');
  });

  it('has a hash of what the logs say, which holds on a fresh chain', async () => {
    const filter = parseLogFilter({ toBlock: 399 });
    const digestOf = (change: object) => digestResult(client({ change }), filter);
    const [first, again, other, moved] = await Promise.all([
      digestOf({}),
      digestOf({ blockHash: `0x${'7'.repeat(64)}`, transactionHash: `0x${'8'.repeat(64)}` }),
      digestOf({ data: '0x01' }),
      digestOf({ address: `0x${'9'.repeat(40)}` }),
    ]);
    assert.notEqual(again.sha256, first.sha256);
    assert.equal(again.contentSha256, first.contentSha256);
    assert.notEqual(other.contentSha256, first.contentSha256);
    assert.notEqual(moved.contentSha256, first.contentSha256);
    const contents = rows.map(({ address, topics, data }) => JSON.stringify({ address, topics, data }));
    const text = contents.map((line) => `${line}\n`).join('');
    assert.equal(first.contentSha256, createHash('sha256').update(text).digest('hex'));
  });

  it('is as expected, otherwise, or of an answer that is not whole', async () => {
    const answer = await digestResult(client(), parseLogFilter({ toBlock: 399 }));
    const { count, sha256 } = answer;
    assert.equal(checkExpectation(answer).state, 'ok');
    assert.equal(checkExpectation(answer, { count, sha256 }).state, 'ok');
    assert.deepEqual(checkExpectation(answer, { count: 1, sha256 }).different, ['count']);
    const { contentSha256 } = answer;
    assert.equal(checkExpectation(answer, { sha256, contentSha256 }).state, 'ok');
    const contents = checkExpectation(answer, { count, sha256, contentSha256: 'ab' });
    assert.deepEqual([contents.state, contents.different], ['differs', ['contentSha256']]);
    assert.equal(checkExpectation(answer, { sha256: 'ab', contentSha256: 'ab' }).reasons.length, 1);
    assert.deepEqual(checkExpectation(answer, { sha256: 'ab' }).reasons, [
      createMessage('The logs differ from the expected ones.'),
    ]);
  });

  it('is not whole where reading ended before the range did, or the chain does', async () => {
    const cut = await digestResult(client(), parseLogFilter({ toBlock: 399 }), { maxRows: 10 });
    assert.equal(checkExpectation(cut, { count: cut.count }).state, 'incomplete');
    const early = await digestResult(client({ head: 250 }), parseLogFilter({ toBlock: 399 }));
    assert.equal(early.verdict.state, 'unreached');
    const { state, reasons } = checkExpectation(early, { count: rows.length });
    assert.equal(state, 'incomplete');
    assert.match(reasons.map(formatMessage).join(), /latest block, 250/);
  });
});
