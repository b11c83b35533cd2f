import assert from 'node:assert/strict';
import { l10n } from 'vscode';
import {
  createChainClient,
  formatLocalTime,
  systemClock,
  toQuantity,
} from '../../../../../src/core/index.ts';
import { formatTimesHint } from '../../../../../src/features/logs/decoded/rowReader.ts';
import { PanelTimes } from '../../../../../src/features/logs/panel/panelRows.ts';
import { waitUntil } from '../../../../support/host/settings.ts';
import { answerEach, type RpcRequest, startRpcServer } from '../../../../support/loopbackServer.ts';
import { anyNetwork, bareLog } from '../../../../support/stubs.ts';

const SECOND = 1_767_323_045;

const logOf = (block: number) => bareLog({ blockNumber: BigInt(block) });

describe('times of log rows', () => {
  /** Times of rows of a server that answers so about headers; `requests` counts what came to it. */
  async function timesOf(answer: (block: string) => object, work: (times: PanelTimes) => Promise<void>) {
    let requests = 0;
    let changes = 0;
    const each = answerEach(({ id, params }: RpcRequest) => ({
      ...{ jsonrpc: '2.0', id },
      ...answer(String(params[0])),
    }));
    const server = await startRpcServer((request) => {
      requests++;
      return each(request);
    });
    const { fetch } = globalThis;
    const client = createChainClient({ url: server.url, fetch, clock: systemClock });
    const network = anyNetwork(5, { rpcUrl: server.url });
    const times = new PanelTimes({ endpoint: () => ({ network, client }), onDidChange: () => changes++ });
    try {
      await work(times);
      return { requests, changes };
    } finally {
      times.dispose();
      await server.close();
    }
  }

  const headerOf = (block: string) => ({
    result: { number: block, timestamp: toQuantity(SECOND + Number(block)) },
  });

  it('are read in one request for a screen of rows, but those that rows have themselves', async () => {
    const rows = Array.from({ length: 60 }, (_, block) => logOf(block));
    const { requests, changes } = await timesOf(headerOf, async (times) => {
      const own = { ...logOf(900), time: 5000 };
      times.prefetch([...rows, own]);
      await waitUntil(() => times.timeOf(logOf(59)) !== undefined);
      assert.deepEqual(
        [times.timeOf(logOf(7)), times.timeOf(own), times.timeOf(logOf(900))],
        [(SECOND + 7) * 1000, 5000, undefined],
      );
      times.prefetch(rows.slice(10, 40));
      assert.equal(times.state, 'asked');
      assert.equal(times.canRead, true);
    });
    assert.deepEqual([requests, changes], [1, 1]);
  });

  it('are told in the time zone of the machine, to the second, and in UTC in the tooltip', async () => {
    await timesOf(headerOf, async (times) => {
      const { text, hint } = times.format(SECOND * 1000);
      assert.equal(text, formatLocalTime(SECOND * 1000));
      assert.equal(hint, '2026-01-02T03:04:05Z');
    });
  });

  it('that nothing tells have the reason over their column, and are not asked for again', async () => {
    const missing = () => ({ error: { code: -32601, message: 'the method does not exist' } });
    const { requests } = await timesOf(missing, async (times) => {
      times.prefetch([logOf(1), logOf(2)]);
      await waitUntil(() => times.state === 'notTold');
      times.prefetch([logOf(3)]);
      assert.equal(times.canRead, false);
      assert.match(formatTimesHint(times.state, l10n), /does not support eth_getBlockByNumber/);
    });
    assert.equal(requests, 1);
  });
});
