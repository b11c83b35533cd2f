import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../scripts/support/script.ts';
import { parseLines, runCli } from '../../support/runCli.ts';
import { CONTRACT, createStateNode, FORKED_SUPPLY, type StateNodeTraits } from '../../support/stateNode.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const RPC = ['--rpc', 'http://127.0.0.1:1'];
const HEAD = 1000;
/** Seconds since the Unix epoch; block 1000 is of 2020-09-13T12:43:20Z. */
const timeOf = (block: number) => 1_600_000_000 + block;
const FUTURE = '2030-01-01';
const PAST = '2020-09-13T12:30:00Z';
const code = { object: '0x6001600055', sourceMap: '', linkReferences: {} };
const TOTAL = { type: 'function', name: 'totalSupply', stateMutability: 'view', inputs: [] };
const FILES = {
  'foundry.toml': '[profile.default]\n',
  'src/Vault.sol': 'contract Vault { function totalSupply() external view returns (uint256) {} }',
  'out/Vault.sol/Vault.json': JSON.stringify({
    abi: [{ ...TOTAL, outputs: [{ name: '', type: 'uint256' }] }],
    ...{ bytecode: code, deployedBytecode: code },
    metadata: { settings: { compilationTarget: { 'src/Vault.sol': 'Vault' } }, sources: {} },
  }),
};

describe('the chain of --chain-id', () => {
  it('is that of the server in every command, or the command is refused', async () => {
    const node = createStateNode({ head: HEAD, timeOf });
    const hash = `0x${'11'.repeat(32)}`;
    const commands = [
      ...[['block'], ['block', '--at', PAST], ['balance', CONTRACT], ['identify', CONTRACT]],
      ...[
        ['transfers', CONTRACT],
        ['balances', CONTRACT],
        ['tokens', CONTRACT],
        ['logs'],
        ['transaction', hash],
      ],
      ...[
        ['transaction', '--failed', '--from', '0'],
        ['read', CONTRACT, 'totalSupply'],
      ],
      ...[
        ['state', 'holders', CONTRACT],
        ['code', CONTRACT, '--dir', '.'],
      ],
    ];
    for (const command of commands) {
      const { code, stdout } = await runCli([...command, ...RPC, '--chain-id', '5'], { fetch: node.fetch });
      const [{ error }, ...others] = parseLines(stdout);
      assert.deepEqual([code, error?.field, others], [2, 'chain-id', []], command.join(' '));
      assert.equal(error.message, 'The server is on chain 31337, not on chain 5.');
    }
    const same = await runCli(['block', ...RPC, '--chain-id', '31337'], { fetch: node.fetch });
    assert.deepEqual(parseLines(same.stdout), [{ block: String(HEAD) }]);
  });
});

describe('blocks of reads, state, code and checks', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-blocks-'));
    await writeFiles(folder, FILES);
  });
  after(() => removeFolder(folder));

  /** What each command and tool makes of a block of a node. */
  async function runEach(block: string, traits: StateNodeTraits) {
    const node = createStateNode({ head: HEAD, timeOf, ...traits });
    const runOnNode = (...args: readonly string[]) => runCli([...args, ...RPC], { fetch: node.fetch });
    const run = (...args: readonly string[]) => runOnNode(...args, '--dir', folder);
    const name = Buffer.from(block).toString('hex');
    const filed = { contract: CONTRACT, block };
    const files = [
      { title: 'read', chainId: 31337, read: { ...filed, function: 'totalSupply' } },
      { title: 'state', chainId: 31337, state: { ...filed, kind: 'holders' } },
      { title: 'code', chainId: 31337, code: { contract: 'Vault', address: CONTRACT, block } },
    ];
    for (const file of files)
      await writeFiles(folder, { [`q/${name}-${file.title}.chainlog.json`]: JSON.stringify(file) });
    const tools = {
      read_contract: { contract: CONTRACT, function: 'totalSupply', arguments: [], block },
      get_state: { kind: 'holders', address: CONTRACT, block },
      compare_code: { contract: 'Vault', address: CONTRACT, block },
    };
    return {
      block: await runOnNode('block', '--at', block),
      commands: [
        await run('read', CONTRACT, 'totalSupply', '--block', block),
        await run('state', 'holders', CONTRACT, '--block', block),
        await run('code', CONTRACT, '--contract', 'Vault', '--block', block),
      ],
      tools: await Promise.all(
        Object.entries(tools).map(async ([tool, input]) => {
          const { code, stdout } = await run('ask', tool, JSON.stringify(input));
          return { ...parseLines(stdout)[0], code };
        }),
      ),
      checks: await Promise.all(
        files.map(async ({ title }) => {
          const { stdout } = await run('check', join(folder, 'q', `${name}-${title}.chainlog.json`));
          return parseLines(stdout)[0];
        }),
      ),
    };
  }

  it('are those of a time that the chain has reached', async () => {
    const { block, commands, checks, tools } = await runEach(PAST, {});
    assert.equal(parseLines(block.stdout)[0].block, '200');
    assert.deepEqual(parseLines(commands[0]?.stdout ?? '')[0].values[0].value, '200');
    assert.equal(parseLines(commands[1]?.stdout ?? '').at(-1).verdict.block, '200');
    assert.deepEqual([parseLines(commands[2]?.stdout ?? '')[0].block, commands[2]?.code], ['200', 0]);
    assert.deepEqual([checks[0].state, checks[2].state], ['ok', 'ok']);
    assert.equal(tools[0].complete, true);
    assertSameCodes(tools, commands);
  });

  /** A tool ends as the command of the same kind. */
  function assertSameCodes(...ends: readonly (readonly { readonly code: number }[])[]) {
    const [tools, commands] = ends.map((all) => all.map(({ code }) => code));
    assert.deepEqual(tools, commands);
  }

  /** No command, check or tool takes the result for that of the block that is meant. */
  function assertUncertain({ commands, checks, tools }: Awaited<ReturnType<typeof runEach>>, reason: RegExp) {
    const [read, state, compared] = commands;
    for (const { stderr } of commands) assert.match(stderr, reason);
    assert.deepEqual([read?.code, compared?.code], [3, 3]);
    assert.match(parseLines(read?.stdout ?? '')[0].reasons[0], reason);
    assert.match(parseLines(compared?.stdout ?? '')[0].reasons[0], reason);
    const { verdict } = parseLines(state?.stdout ?? '').at(-1);
    assert.notEqual(verdict.state, 'complete');
    assert.match(verdict.reasons[0], reason);
    for (const check of checks) {
      assert.equal(check.state, 'incomplete', check.title);
      assert.match(check.reasons[0], reason);
    }
    assertSameCodes(tools, commands);
    for (const result of tools) {
      assert.notEqual(result.complete, true);
      assert.match(result.reasons[0], reason);
    }
  }

  it('are not reached at a time in the future: what is read is that of the latest, and says so', async () => {
    const all = await runEach(FUTURE, {});
    assertUncertain(all, /not reached this time: its latest block is 1000/);
    const [read] = parseLines(all.commands[0]?.stdout ?? '');
    assert.deepEqual([read.block, read.values[0].value], ['1000', '1000']);
  });

  it('are not certain where times go backwards, nor are the ends of the chain', async () => {
    const falls = { timeOf: (block: number) => 1_600_000_000 - block };
    const firstIsLater = {
      timeOf: (block: number) => (block === 0 ? 2_000_000_000 : timeOf(block)),
    };
    for (const traits of [falls, firstIsLater]) {
      const all = await runEach(PAST, traits);
      const reason = /block times of the server go backwards at block \d+/;
      // No state is lost where a search went to the wrong end of the chain.
      if (traits === firstIsLater) assertUncertain(all, reason);
      else for (const check of all.checks) assert.equal(check.state, 'incomplete', check.title);
      assert.equal(all.block.code, 3);
      assert.match(all.block.stderr, reason);
      assert.doesNotMatch(all.block.stderr, /begins after|not reached/);
      const [found] = parseLines(all.block.stdout);
      assert.ok(found.unorderedAt !== undefined && found.outside === undefined);
    }
  });

  it('that are not certain make no check pass that expects a revert, or no contract', async () => {
    const node = createStateNode({ head: HEAD, timeOf });
    const read = { contract: CONTRACT, function: 'other()(uint256)', block: FUTURE };
    await writeFiles(folder, {
      'q/revert.chainlog.json': JSON.stringify({ chainId: 31337, read, expect: { reverts: true } }),
    });
    const args = ['check', join(folder, 'q/revert.chainlog.json'), '--dir', folder, ...RPC];
    const { stdout } = await runCli(args, { fetch: node.fetch });
    assert.equal(parseLines(stdout)[0].state, 'incomplete');
  });

  it('have no state at an endpoint that returns that of now', async () => {
    const ignores = ['eth_call', 'eth_getCode', 'eth_getStorageAt'];
    const { commands, checks, tools } = await runEach('100', { ignores });
    const [read, state, compared] = commands;
    for (const { code: exit, stdout } of [read, compared].flatMap((one) => one ?? [])) {
      assert.equal(exit, 3);
      assert.equal(parseLines(stdout)[0].error.kind, 'historyUnavailable');
    }
    assert.match(state?.stderr ?? '', /Nothing was compared|historyUnavailable|may return the state of now/);
    for (const check of checks) assert.equal(check.state, 'incomplete', check.title);
    for (const result of [tools[0], tools[2]]) assert.notEqual(result.complete, true);
    const latest = await runEach('latest', { ignores });
    assert.deepEqual(parseLines(latest.commands[0]?.stdout ?? '')[0].values[0].value, '1000');
    assert.equal(latest.checks[2].state, 'ok');
  });

  it('are read again as a whole where a reorg comes between', async () => {
    for (let at = 1; at < 30; at++) {
      const forkAt = (request: number) => (request > at ? 1 : 0);
      const node = createStateNode({ head: HEAD, timeOf, forkAt });
      const { code: exit, stdout } = await runCli(
        ['read', CONTRACT, 'totalSupply', '--dir', folder, ...RPC],
        {
          fetch: node.fetch,
        },
      );
      const fork = forkAt(node.requests());
      const [{ values }] = parseLines(stdout);
      assert.deepEqual([exit, values[0].value], [0, String(HEAD + fork * FORKED_SUPPLY)], String(at));
      const stateNode = createStateNode({ head: HEAD, timeOf, forkAt });
      const state = await runCli(['state', 'holders', CONTRACT, ...RPC], { fetch: stateNode.fetch });
      assert.doesNotMatch(state.stderr, /replaced by another one/, String(at));
    }
  });

  it('are given up where each attempt has another block', async () => {
    const forkAt = (request: number) => request;
    const node = () => ({ fetch: createStateNode({ head: HEAD, timeOf, forkAt }).fetch });
    const read = await runCli(['read', CONTRACT, 'totalSupply', '--dir', folder, ...RPC], node());
    assert.equal(parseLines(read.stdout)[0].error.kind, 'blockNotSeen');
    const compared = await runCli(['code', CONTRACT, '--contract', 'Vault', '--dir', folder, ...RPC], node());
    assert.match(compared.stderr, /replaced by another one meanwhile/);
    const state = await runCli(['state', 'holders', CONTRACT, ...RPC], node());
    assert.match(state.stderr, /replaced by another one meanwhile/);
  });
});
