import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { sendTransactionKinds, type TransactionKinds } from '../../../localnet/chain/transactionKinds.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { parseLines, runCli } from '../../support/runCli.ts';

describe('headless transaction', () => {
  let anvil: Anvil;
  let kinds: TransactionKinds;
  let folder: string;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    kinds = await sendTransactionKinds(createNodeRpc(anvil.url));
    folder = await mkdtemp(join(tmpdir(), 'chainside-transaction-'));
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'foundry.toml'), '[profile.default]\n');
    await cp(fromRoot('localnet', 'contracts', 'Failures.sol'), join(folder, 'src', 'Failures.sol'));
  });
  after(async () => {
    await anvil.stop();
    await removeFolder(folder);
  });

  async function run(...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['transaction', ...args]);
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, 1, stdout);
    return { code, stderr, json: JSON.parse(lines[0] ?? '') };
  }

  it('prints one object: facts, and the bytes by the projects of a folder', async () => {
    const { code, stderr, json } = await run(kinds.customError, '--rpc', anvil.url, '--dir', folder);
    assert.deepEqual([code, stderr], [0, '']);
    const { failure, call, source, ...facts } = json;
    assert.deepEqual(
      [facts.kind, facts.status, facts.value, facts.position],
      ['transaction', 'failed', '1', 1],
    );
    assert.match(facts.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.match(
      facts.summary,
      /^Failed: Unpaid\(0x5e4D…05e4, 9,999,999,999,999,999\) in \S+\.pay\(10,000,/i,
    );
    assert.deepEqual(
      [call.signature, call.source, call.from],
      ['pay(uint256)', 'workspace', 'src/Failures.sol'],
    );
    assert.equal(failure.meaning.signature, 'Unpaid(address,uint256)');
    assert.deepEqual(failure.candidates, [{ file: 'src/Failures.sol', line: 13 }]);
    assert.deepEqual([source.name, source.origin], ['calls', anvil.url]);
  });

  it('names the same lines for agents', async () => {
    const input = JSON.stringify({ hash: kinds.customError });
    const args = ['ask', 'get_transaction', input, '--rpc', anvil.url, '--dir', folder];
    const { code, stdout } = await runCli(args);
    const { failure, summary } = JSON.parse(stdout);
    assert.match(summary.chainText, /^Failed: Unpaid\(/);
    assert.deepEqual(
      [code, failure.candidates],
      [0, [{ file: { chainText: 'src/Failures.sol' }, line: 13 }]],
    );
  });

  it('prints bytes without a meaning, where no folder is given', async () => {
    const { json } = await run(kinds.customError.toUpperCase().replace('0X', '0x'), '--rpc', anvil.url);
    assert.deepEqual([json.call, json.failure.meaning, json.failure.candidates], [null, null, undefined]);
    assert.match(json.failure.data, /^0x8bde88ca/);
  });

  it('begins with what happened, for each kind of transaction', async () => {
    const expected = {
      creation: /^0x\S+ created the contract 0x\S+$/,
      paid: /^0x\S+ paid 0\.01 ETH to 0x\S+ with pay\(10,000,000,000,000,000\)$/,
      requireText: /^Failed: "Not open on Sundays" in 0x\S+\.open\(false\)$/,
      panic: /^Failed: an integer overflowed or underflowed in 0x\S+\.subtract\(1, 2\)$/,
      outOfGas: /^Failed: out of gas in 0x\S+\.fill\(\)$/,
      emptyRevert: /^Failed: reverted without a reason in 0x\S+\.refuse\(\)$/,
      setCode: /^0x\S+ called 0x\S+\.pay\(0\), and 1 more$/,
      pending: /^Pending: 0x\S+ calls 0x\S+\.pay\(/,
    } as const;
    for (const [kind, pattern] of Object.entries(expected)) {
      const hash = kinds[kind as keyof typeof expected];
      const { json } = await run(hash, '--rpc', anvil.url, '--dir', folder);
      assert.match(json.summary, pattern, kind);
      assert.deepEqual(Object.keys(json).slice(0, 2), ['kind', 'summary']);
    }
  });

  it('prints what a hash is that is no transaction', async () => {
    const at = ['--rpc', anvil.url];
    const event = await run('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', ...at);
    assert.deepEqual([event.code, event.json.kind, event.json.meanings[0].name], [0, 'event', 'Transfer']);
    const slot = await run('0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc', ...at);
    assert.deepEqual(
      [slot.json.kind, slot.json.constant],
      ['constant', 'keccak256("eip1967.proxy.implementation") - 1'],
    );
    const unknown = await run(`0x${'12'.repeat(32)}`, ...at);
    assert.deepEqual(
      [unknown.code, unknown.json.kind, unknown.json.source.asked],
      [1, 'unknown', ['eth_getTransactionByHash', 'eth_getBlockByHash']],
    );
    for (const { hash, kind } of [unknown.json, event.json]) {
      const agent = await runCli(['ask', 'get_transaction', JSON.stringify({ hash }), ...at]);
      assert.deepEqual([agent.code, JSON.parse(agent.stdout).kind], [kind === 'unknown' ? 1 : 0, kind]);
    }
  });

  it('explains each hash of standard input in its order', async () => {
    const unknown = `0x${'12'.repeat(32)}`;
    const args = ['transaction', '-', '--rpc', anvil.url, '--dir', folder];
    const input = `${kinds.paid}\r\n\n  ${unknown}\n${kinds.paid}\n`;
    const { code, stdout } = await runCli(args, { input });
    const lines = parseLines(stdout);
    const alone = await run(kinds.paid, '--rpc', anvil.url, '--dir', folder);
    assert.deepEqual([code, lines.length, lines[1].kind], [1, 3, 'unknown']);
    assert.deepEqual([lines[0].summary, lines[2].hash], [alone.json.summary, kinds.paid]);
    for (const [wrong, message] of [
      [`${kinds.paid}\nnone\n`, /^Line 2 is not a transaction hash\./],
      ['\n', /has no hash/],
    ] as const) {
      const refused = await runCli(args, { input: wrong });
      assert.match(JSON.parse(refused.stdout).error.message, message);
      assert.equal(refused.code, 2);
    }
  });

  it('refuses what is no hash, and an endpoint that tells of no transactions', async () => {
    for (const args of [[], ['0x1234'], ['hash']]) {
      const { code, json } = await run(...args, '--rpc', anvil.url);
      assert.deepEqual([code, json.error.kind, json.error.field], [2, 'badInput', 'hash']);
    }
    const missing = await run(kinds.paid);
    assert.deepEqual([missing.code, missing.json.error.field], [2, 'rpc']);
  });
});
