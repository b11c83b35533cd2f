import assert from 'node:assert/strict';
import { startExplorer } from '../../../localnet/explorer/server.ts';
import { addresses, dataSets, topics } from '../../support/logDataSets.ts';

describe('the explorer’s module of logs', () => {
  const [address = ''] = addresses;
  const [topic0 = ''] = topics;
  const { index, truth } = dataSets.dense();

  async function ask(query: Readonly<Record<string, string>>) {
    const server = await startExplorer({ index, dialect: 'v9.1' });
    try {
      const search = new URLSearchParams({ module: 'logs', action: 'getLogs', ...query });
      const reply = await server.inject({ method: 'GET', url: `/api?${search}`, headers: {}, body: '' });
      return { status: reply.status, ...JSON.parse(String(reply.body)) };
    } finally {
      await server.stop();
    }
  }

  it('gives the first thousand rows of a block in order, without their block hash', async () => {
    const { message, result } = await ask({ fromBlock: '3', toBlock: '3', address });
    const wanted = truth.filter((log) => log.blockNumber === 3 && log.address === address).slice(0, 1000);
    assert.equal(message, 'OK');
    assert.deepEqual(
      result.map(({ logIndex }: { logIndex: string }) => Number(logIndex)),
      wanted.map(({ logIndex }) => logIndex),
    );
    assert.equal('blockHash' in result[0], false);
    assert.equal(result[0].topics.length, 4);
  });

  it('narrows by topic0, and says in words when there is none, or what is wrong', async () => {
    const { result } = await ask({ fromBlock: '0', toBlock: 'latest', topic0 });
    assert.ok(result.length > 0);
    assert.ok(result.every(({ topics: [first] }: { topics: string[] }) => first === topic0));
    assert.deepEqual(await ask({ fromBlock: '6', toBlock: '6', address }), {
      ...{ status: '0', message: 'No logs found', result: [] },
    });
    assert.match((await ask({ fromBlock: '0', toBlock: '1' })).message, /parameters missing/);
    assert.match((await ask({ fromBlock: 'x', toBlock: '1', address })).message, /fromBlock/);
  });
});
