import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { headlessMain } from '../../support/runHeadless.ts';
import { createRow } from '../../support/scriptedServer.ts';

const PAGE = 1000;
/** The first block that is not simply answered for. */
const BROKEN_FROM = 5000;

function blocksOf(asked: unknown): readonly number[] {
  const { fromBlock, toBlock } = asked as { readonly fromBlock: string; readonly toBlock: string };
  return [Number(fromBlock), Number(toBlock)];
}

describe('headless log query that ends after its first rows', () => {
  let server: LoopbackServer;
  let goesOn: (id: number, response: ServerResponse) => unknown;

  /** A row a block, 1,000 an answer. */
  before(async () => {
    server = await startRpcServer(({ id, method, params }, response) => {
      const reply = (result: unknown) => ({ jsonrpc: '2.0', id, result });
      if (method === 'eth_blockNumber') return reply('0x2710');
      if (method !== 'eth_getLogs') return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } };
      const [from = 0, to = 0] = blocksOf(params[0]);
      if (from >= BROKEN_FROM) return goesOn(id, response);
      const length = Math.min(PAGE, to - from + 1);
      return reply(Array.from({ length }, (_, index) => createRow(from + index, 0)));
    });
  });
  after(() => server.close());

  async function run(onRows?: (end: () => void) => void) {
    const flags = ['--disable-warning=ExperimentalWarning', headlessMain, 'logs', '--pages', '9'];
    const child = spawn(process.execPath, [...flags, '--rpc', server.url]);
    onRows?.(() => child.kill('SIGINT'));
    child.stderr.resume();
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const lines = stdout.trimEnd().split('\n');
    return { code, rows: lines.length - 1, last: JSON.parse(lines.at(-1) ?? '') };
  }

  it('prints the error of a cancel with what the rows are worth, and ends with 1', async () => {
    const { code, rows, last } = await run((end) => {
      goesOn = () => end();
    });
    assert.equal(code, 1);
    assert.deepEqual(Object.keys(last), ['error', 'verdict']);
    assert.equal(last.error.kind, 'aborted');
    assert.deepEqual([last.verdict.state, last.verdict.rows], ['uncertain', rows]);
    assert.match(last.verdict.reasons.at(-1), /^cancelled at block \d+$/);
    assert.ok(rows > 0);
  });

  it('prints the error of a server with what the rows are worth, and ends with 1', async () => {
    goesOn = (id) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'gone for good' } });
    const { code, rows, last } = await run();
    assert.equal(code, 1);
    assert.deepEqual(Object.keys(last), ['error', 'verdict']);
    assert.deepEqual([last.error.kind, last.error.serverMessage], ['rpc', 'gone for good']);
    assert.deepEqual([last.verdict.state, last.verdict.rows], ['uncertain', rows]);
    assert.equal(last.verdict.reasons.at(-1), last.error.message);
    assert.ok(rows > 0);
  });
});
