import assert from 'node:assert/strict';
import { createChainClient, parseLogFilter, systemClock } from '../../../../../src/core/index.ts';
import { createRpcFetch } from '../../../../support/loopbackServer.ts';

const TOKEN = `0x${'11'.repeat(20)}` as const;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

/** Blocks of the logs from a server that writes the head and the blocks of logs like this. */
async function readBlocks(writeHead: (block: number) => string, writeBlock: (block: number) => string) {
  const rows = [9, 10, 155].map((block) => ({
    ...{ address: TOKEN, topics: [word(1)], data: '0x', blockNumber: writeBlock(block), removed: false },
    ...{
      blockHash: word(block),
      transactionHash: word(1000 + block),
      transactionIndex: '0x0',
      logIndex: '0x0',
    },
  }));
  const fetch = createRpcFetch(({ id, method }) => ({
    ...{ jsonrpc: '2.0', id },
    ...(method === 'eth_blockNumber'
      ? { result: writeHead(300) }
      : method === 'eth_getLogs'
        ? { result: rows }
        : { error: { code: -32601, message: 'the method does not exist' } }),
  }));
  const client = createChainClient({ url: 'https://node.example', fetch, clock: systemClock });
  const blocks: bigint[] = [];
  const query = client.openLogQuery(parseLogFilter({ address: TOKEN }));
  for await (const { logs } of query.rest()) blocks.push(...logs.map(({ blockNumber }) => blockNumber));
  return blocks;
}

const hex = (block: number) => `0x${block.toString(16)}`;
const bareHex = (block: number) => block.toString(16).toUpperCase();

describe('Block numbers without 0x', () => {
  it('are hex where the head has 0x, as of an old explorer', async () => {
    assert.deepEqual(await readBlocks(hex, bareHex), [9n, 10n, 155n]);
  });

  it('are refused where the head is decimal text, and hex ones are read', async () => {
    await assert.rejects(readBlocks(String, String), { kind: 'badLogs', details: { field: 'blockNumber' } });
    assert.deepEqual(await readBlocks(String, hex), [9n, 10n, 155n]);
  });
});
