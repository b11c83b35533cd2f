import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { startExplorer } from '../../../localnet/explorer/server.ts';
import { MemoryIndex } from '../../../localnet/index/memoryIndex.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { runCli } from '../../support/runCli.ts';
import { type Corpus, compileCorpus, findTrueLines, writeProject } from '../../support/traces/buildCorpus.ts';
import { type SentCorpus, sendFailures } from '../../support/traces/sendFailures.ts';

describe('headless transaction --trace', () => {
  let anvil: Anvil;
  let corpus: Corpus;
  let sent: SentCorpus;
  let folder: string;

  before(async function () {
    this.timeout(60_000);
    corpus = await compileCorpus('plain');
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    sent = await sendFailures(createNodeRpc(anvil.url), corpus);
    folder = await mkdtemp(join(tmpdir(), 'chainside-trace-'));
    await writeProject(folder, corpus, 'foundry');
  });
  after(async () => {
    await anvil.stop();
    await removeFolder(folder);
  });

  async function run(hash: string, ...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['transaction', hash, '--trace', ...args]);
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout);
  }
  const findFailure = (label: string) =>
    sent.failures.find((failure) => failure.label === label)?.hash ?? assert.fail(`There is no ${label}.`);

  it('prints the calls as a tree, with functions, arguments, logs and errors by name', async () => {
    const { trace } = await run(findFailure('through a call'), '--rpc', anvil.url, '--dir', folder);
    assert.deepEqual(
      [trace.type, trace.to, trace.function, trace.value],
      ['CALL', sent.addresses.Callers, 'through(uint256)', '0'],
    );
    assert.deepEqual(trace.arguments, [{ name: 'a', type: 'uint256', value: '1' }]);
    assert.match(trace.gasUsed, /^\d+$/);
    const [log] = trace.logs;
    assert.deepEqual([log.decoded.event, log.position], ['Called(uint256)', 0]);
    const [inner] = trace.calls;
    assert.deepEqual(
      [inner.type, inner.function, inner.error.words, inner.error.meaning.note, inner.calls],
      [
        'STATICCALL',
        'subtract(uint256,uint256)',
        'execution reverted',
        'an integer overflowed or underflowed',
        [],
      ],
    );
  });

  it('names contracts by their code, and the line that failed with the functions above it', async () => {
    const { trace, failedAt } = await run(findFailure('through a call'), '--rpc', anvil.url, '--dir', folder);
    assert.deepEqual([trace.contract, trace.calls[0].contract], ['Callers', 'Failing']);
    const lines = findTrueLines(corpus);
    assert.deepEqual(failedAt, {
      certain: true,
      ...lines.get('overflow'),
      stack: [
        { ...lines.get('overflow'), function: 'Failing.subtract' },
        { ...lines.get('throughCall'), function: 'Callers.through' },
      ],
    });
    const succeeded = await run(sent.caught, '--rpc', anvil.url, '--dir', folder);
    assert.equal(succeeded.failedAt, undefined);
    const alone = await run(findFailure('through a call'), '--rpc', anvil.url);
    assert.equal(alone.failedAt, undefined);
  });

  it('decodes what a call returns, and names who runs whose code', async () => {
    const { trace } = await run(sent.created, '--rpc', anvil.url, '--dir', folder);
    const [creation] = trace.calls;
    assert.deepEqual(trace.output, [{ name: '', type: 'address', value: creation.to }]);
    assert.deepEqual(
      [creation.type, creation.from, creation.output],
      ['CREATE', sent.addresses.Callers, undefined],
    );
    const proxied = await run(findFailure('by a proxy'), '--rpc', anvil.url, '--dir', folder);
    const [delegate] = proxied.trace.calls;
    assert.deepEqual(
      [delegate.type, delegate.from, delegate.to, delegate.function],
      ['DELEGATECALL', sent.addresses.Proxy, sent.addresses.Failing, 'requireText(uint256)'],
    );
  });

  it('has the selector of an unknown function, and no trace without --trace', async () => {
    const { trace } = await run(findFailure('by a proxy'), '--rpc', anvil.url);
    assert.match(trace.function, /^0x[0-9a-f]{8}$/);
    assert.equal(trace.arguments, undefined);
    const { stdout } = await runCli(['transaction', sent.caught, '--rpc', anvil.url]);
    assert.equal(JSON.parse(stdout).trace, undefined);
  });

  it('is null with the reason at a node that cannot trace', async () => {
    const node = createNodeRpc(anvil.url);
    const explorer = await startExplorer({
      ...{ index: new MemoryIndex(), dialect: 'v5.1.4' },
      forward: async (method, params) => ({ result: await node.call(method, params) }),
    });
    try {
      const json = await run(sent.caught, '--rpc', explorer.rpcUrl, '--chain-id', '31337');
      assert.deepEqual(
        [json.trace, json.reason, json.failedAt, json.status],
        [null, 'The endpoint offers no method that traces transactions.', undefined, 'success'],
      );
    } finally {
      await explorer.stop();
    }
  });
});
