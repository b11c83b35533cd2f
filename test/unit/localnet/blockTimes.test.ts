import assert from 'node:assert/strict';
import type { DialectName } from '../../../localnet/explorer/dialects.ts';
import { startExplorer } from '../../../localnet/explorer/server.ts';
import { FIRST_SECOND, TIMED_ADDRESS, timedChain } from '../../support/timedChain.ts';

describe('the explorer’s routes for times', () => {
  const index = timedChain(100);

  async function ask(url: string, dialect: DialectName = 'v11.2') {
    const server = await startExplorer({ index, dialect });
    try {
      const reply = await server.inject({ method: 'GET', url, headers: {}, body: '' });
      return { httpStatus: reply.status, ...JSON.parse(String(reply.body)) };
    } finally {
      await server.stop();
    }
  }

  const at = (second: number, closest: string) =>
    `/api?module=block&action=getblocknobytime&timestamp=${FIRST_SECOND + second}&closest=${closest}`;

  it('name the block nearest to a time, in an object, and as bare text for a while in v9', async () => {
    assert.deepEqual(await ask(at(504, 'before')), {
      ...{ httpStatus: 200, status: '1', message: 'OK', result: { blockNumber: '50' } },
    });
    assert.equal((await ask(at(504, 'before'), 'v9.1')).result, '50');
    assert.deepEqual((await ask(at(504, 'after'))).result, { blockNumber: '51' });
    assert.deepEqual((await ask(at(508, 'before'))).result, { blockNumber: '50' });
  });

  it('pass over a block of that very second when asked for the one after it, and name one that is not there', async () => {
    assert.deepEqual((await ask(at(500, 'after'))).result, { blockNumber: '51' });
    assert.deepEqual((await ask(at(-5, 'before'))).result, { blockNumber: '-1' });
    assert.deepEqual((await ask(at(5000, 'after'))).result, { blockNumber: '100' });
  });

  it('look at a minute around on old releases', async () => {
    assert.equal((await ask(at(5000, 'before'), 'v5.1.4')).message, 'Block does not exist');
    assert.deepEqual((await ask(at(504, 'before'), 'v5.1.4')).result, { blockNumber: '50' });
  });

  it('say in words what is wrong', async () => {
    for (const [query, words] of [
      ['', /'timestamp' is required/],
      ['&timestamp=1', /'closest' is required/],
      ['&timestamp=x&closest=before', /Invalid `timestamp`/],
      ['&timestamp=1&closest=near', /Invalid `closest`/],
    ] as const) {
      const { status, message, result } = await ask(`/api?module=block&action=getblocknobytime${query}`);
      assert.deepEqual([status, result], ['0', null]);
      assert.match(message, words);
    }
    assert.equal((await ask('/api?module=block&action=no')).message, 'Unknown action');
  });

  it('tell the time of a block, and of each log of the module', async () => {
    const { height, timestamp } = await ask('/api/v2/blocks/50');
    assert.deepEqual([height, timestamp], [50, '2026-11-01T00:08:20.000000Z']);
    assert.equal((await ask('/api/v2/blocks/100')).httpStatus, 404);
    const query = `fromBlock=50&toBlock=50&address=${TIMED_ADDRESS}`;
    const { result } = await ask(`/api?module=logs&action=getLogs&${query}`);
    assert.equal(Number(result[0].timeStamp), FIRST_SECOND + 500);
  });
});
