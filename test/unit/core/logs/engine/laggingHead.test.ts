import assert from 'node:assert/strict';
import {
  createChainClient,
  formatIsoTime,
  parseLogFilter,
  systemClock,
} from '../../../../../src/core/index.ts';
import { createNodeFetch } from '../../../../support/operationDeps.ts';

const TOKEN = `0x${'11'.repeat(20)}` as const;
const [LAGGING, HEAD] = [15, 20];
const timeOf = (block: number) => formatIsoTime((1_700_000_000 + 12 * block) * 1000) ?? '';

describe('A query where the first replica lags', () => {
  for (const fromBlock of ['19', timeOf(19)])
    for (const toBlock of [undefined, timeOf(19)])
      it(`has the logs from ${fromBlock} to ${toBlock ?? 'the latest block'}`, async () => {
        let heads = 0;
        const topics = [`0x${'ab'.repeat(32)}`];
        const logs = [18, 19, 20].map((block) => ({ block, address: TOKEN, topics }));
        const { fetch } = createNodeFetch(logs, {
          head: HEAD,
          other: (method) =>
            method === 'eth_blockNumber' && heads++ === 0 ? `0x${LAGGING.toString(16)}` : undefined,
        });
        const client = createChainClient({ url: 'https://node.example', fetch, clock: systemClock });
        const query = client.openLogQuery(
          parseLogFilter({ address: TOKEN, fromBlock, ...(toBlock && { toBlock }) }),
        );
        const blocks: number[] = [];
        for await (const page of query.rest())
          for (const log of page.logs) blocks.push(Number(log.blockNumber));
        assert.deepEqual(blocks, toBlock ? [19] : [19, 20]);
        assert.ok(!query.verdict?.reasons.some(({ code }) => code === 'beyondHead'));
      });
});
