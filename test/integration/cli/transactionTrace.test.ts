import assert from 'node:assert/strict';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { startExplorer } from '../../../localnet/explorer/server.ts';
import { MemoryIndex } from '../../../localnet/index/memoryIndex.ts';
import { startSignatures } from '../../../localnet/signatures/server.ts';
import { createVerifiedRegistry } from '../../../localnet/verified/registry.ts';
import { runCli } from '../../support/runCli.ts';
import { findTrueLines } from '../../support/traces/buildCorpus.ts';
import { type FailingProject, startFailingProject } from '../../support/traces/failingProject.ts';

describe('headless transaction --trace', () => {
  let project: FailingProject;

  before(async function () {
    this.timeout(60_000);
    project = await startFailingProject();
  });
  after(() => project.stop());

  async function run(hash: string, ...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['transaction', hash, '--trace', ...args]);
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout);
  }
  const runInProject = (hash: string) => run(hash, '--rpc', project.rpcUrl, '--dir', project.folder);

  it('prints the calls as a tree, with functions, arguments, logs and errors by name', async () => {
    const { trace } = await runInProject(project.findFailure('through a call'));
    assert.deepEqual(
      [trace.type, trace.to, trace.function, trace.value],
      ['CALL', project.sent.addresses.Callers, 'through(uint256)', '0'],
    );
    assert.deepEqual(trace.arguments, [{ name: 'a', type: 'uint256', value: '1' }]);
    assert.match(trace.gasUsed, /^\d+$/);
    const [log] = trace.logs;
    assert.deepEqual([log.decoded.event, log.position], ['Called(uint256)', 0]);
    const [inner] = trace.calls;
    assert.deepEqual(
      [inner.type, inner.function, inner.error.message, inner.error.meaning.note, inner.calls],
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
    const { trace, failedAt, summary } = await runInProject(project.findFailure('through a call'));
    assert.deepEqual([trace.contract, trace.calls[0].contract], ['Callers', 'Failing']);
    const lines = findTrueLines(project.corpus);
    assert.deepEqual(failedAt, {
      certain: true,
      ...lines.get('overflow'),
      stack: [
        { ...lines.get('overflow'), function: 'Failing.subtract' },
        { ...lines.get('throughCall'), function: 'Callers.through' },
      ],
    });
    const { file, line } = failedAt;
    assert.equal(summary, `Failed: an integer overflowed or underflowed at ${file}:${line}`);
    const succeeded = await runInProject(project.sent.caught);
    assert.match(succeeded.summary, /^0x\S+ called Callers\.caught\(51\)$/);
    assert.equal(succeeded.failedAt, undefined);
    const alone = await run(project.findFailure('through a call'), '--rpc', project.rpcUrl);
    assert.equal(alone.failedAt, undefined);
  });

  it('decodes what a call returns, and names who created what', async () => {
    const { trace } = await runInProject(project.sent.created);
    const [creation] = trace.calls;
    assert.deepEqual(trace.output, [{ name: '', type: 'address', value: creation.to }]);
    assert.deepEqual(
      [creation.type, creation.from, creation.output],
      ['CREATE', project.sent.addresses.Callers, undefined],
    );
  });

  it('has the selector of an unknown function, and no trace without --trace', async () => {
    const { trace } = await run(project.findFailure('by a proxy'), '--rpc', project.rpcUrl);
    assert.match(trace.function, /^0x[0-9a-f]{8}$/);
    assert.equal(trace.arguments, undefined);
    const { stdout } = await runCli(['transaction', project.sent.caught, '--rpc', project.rpcUrl]);
    assert.equal(JSON.parse(stdout).trace, undefined);
  });

  it('has names of functions by their selectors where --sources allows the database', async () => {
    const hash = project.findFailure('by a proxy');
    const unverified = [{ type: 'function', name: 'requireText', inputs: [{ name: '', type: 'uint256' }] }];
    const signatures = await startSignatures({ registry: createVerifiedRegistry(), unverified });
    try {
      const sources = ['--sources', 'signatures', '--signatures', signatures.url];
      const { trace, call } = await run(hash, '--rpc', project.rpcUrl, ...sources);
      assert.equal(call.signature, 'requireText(uint256)');
      assert.deepEqual(
        [trace.function, trace.calls[0].function],
        ['requireText(uint256)', 'requireText(uint256)'],
      );
      assert.equal(signatures.requestCount, 1);
      await run(hash, '--rpc', project.rpcUrl);
      assert.equal(signatures.requestCount, 1);
    } finally {
      await signatures.stop();
    }
  });

  it('is null with the reason at a node that cannot trace', async () => {
    const node = createNodeRpc(project.rpcUrl);
    const explorer = await startExplorer({
      ...{ index: new MemoryIndex(), dialect: 'v5.1.4' },
      forward: async (method, params) => ({ result: await node.call(method, params) }),
    });
    try {
      const json = await run(project.sent.caught, '--rpc', explorer.rpcUrl, '--chain-id', '31337');
      assert.deepEqual(
        [json.trace, json.reason, json.failedAt, json.status],
        [null, 'The endpoint offers no method that traces transactions.', undefined, 'success'],
      );
    } finally {
      await explorer.stop();
    }
  });
});
