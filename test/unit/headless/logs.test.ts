import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type ExplorerServer, startExplorer } from '../../../localnet/explorer/server.ts';
import { addresses, dataSets } from '../../support/logDataSets.ts';
import { expectedKeys } from '../../support/logReading.ts';
import { headlessMain } from '../../support/runHeadless.ts';

const query = { address: addresses[0] ?? '' };

describe('headless log query', () => {
  const set = dataSets.uneven();
  let server: ExplorerServer;
  before(async () => {
    server = await startExplorer({ index: set.index, dialect: 'v5.1.4' });
  });
  after(() => server.stop());

  function start(...args: readonly string[]) {
    const flags = ['--disable-warning=ExperimentalWarning', headlessMain, 'logs', '--rpc', server.rpcUrl];
    const child = spawn(process.execPath, [...flags, '--query', '-', ...args]);
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    return { child, ended };
  }

  it('prints a log a line, in normal form, and the verdict last', async () => {
    const { child, ended } = start('--all');
    child.stdin.end(JSON.stringify(query));
    child.stderr.resume();
    const lines = (await text(child.stdout)).trim().split('\n');
    assert.equal(await ended, 0);
    const wanted = expectedKeys(set, query);
    const { verdict } = JSON.parse(lines.pop() ?? '');
    assert.deepEqual([verdict.state, verdict.reasons, verdict.rows], ['complete', [], wanted.length]);
    const logs = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      logs.map(({ blockNumber, logIndex }) => `${Number(blockNumber)}:${Number(logIndex)}`),
      wanted,
    );
    const fields = 'address blockHash blockNumber data logIndex topics transactionHash transactionIndex';
    assert.deepEqual(Object.keys(logs[0]), fields.split(' '));
  });

  it('prints the newest first where it is asked to, through the pages that were asked for', async () => {
    const { child, ended } = start('--newest-first', '--pages', '1');
    child.stdin.end(JSON.stringify({ ...query, fromBlock: -160 }));
    child.stderr.resume();
    const lines = (await text(child.stdout)).trim().split('\n');
    assert.equal(await ended, 0);
    const { verdict } = JSON.parse(lines.pop() ?? '');
    assert.deepEqual([verdict.state, verdict.order, verdict.rows], ['more', 'newestFirst', lines.length]);
    assert.deepEqual([verdict.fromBlock, verdict.toBlock], [`${set.head - 159}`, `${set.head}`]);
    const logs = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      logs.map(({ blockNumber, logIndex }) => `${Number(blockNumber)}:${Number(logIndex)}`),
      expectedKeys(set, query, 'newestFirst').slice(0, lines.length),
    );
  });

  it('ends without a word when its reader has seen enough', async () => {
    const { child, ended } = start('--all');
    child.stdin.end(JSON.stringify(query));
    child.stdout.once('data', () => child.stdout.destroy());
    assert.equal(await text(child.stderr), '');
    assert.equal(await ended, 0);
  });

  it('can be cancelled while it waits for its query', async () => {
    const { child, ended } = start();
    child.stderr.resume();
    // More than a pipe holds: once it is written, the runner has read of it.
    await new Promise<unknown>((resolve) => child.stdin.write(' '.repeat(1 << 20), resolve));
    child.stdin.on('error', () => undefined);
    child.kill('SIGINT');
    const { error } = JSON.parse(await text(child.stdout));
    assert.equal(error.kind, 'aborted');
    assert.equal(await ended, 1);
  });

  it('says in JSON what is wrong with the query, and ends with 1', async () => {
    const { child, ended } = start();
    child.stdin.end('{"address":');
    child.stderr.resume();
    const { error } = JSON.parse(await text(child.stdout));
    assert.deepEqual([error.kind, error.field], ['badInput', 'query']);
    assert.equal(await ended, 1);
  });
});
