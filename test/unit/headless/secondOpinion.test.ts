import assert from 'node:assert/strict';
import { type NodeServer, startNode } from '../../../localnet/node/server.ts';
import { type PortalServer, startPortal } from '../../../localnet/portal/server.ts';
import { addresses, dataSets } from '../../support/logDataSets.ts';
import { expectedKeys } from '../../support/logReading.ts';
import { runCli } from '../../support/runHeadless.ts';

const comparedQuery = { address: addresses[0] ?? '' };

describe('headless logs with a second opinion', () => {
  const set = dataSets.uneven();
  const wanted = expectedKeys(set, comparedQuery);
  let portal: PortalServer;
  let node: NodeServer;
  before(async () => {
    portal = await startPortal({ index: set.index, limits: { blocks: 90 } });
    node = await startNode({ index: set.index, profile: 'geth' });
  });
  after(async () => {
    await portal.stop();
    await node.stop();
  });
  afterEach(() => portal.setIntercept(undefined));

  async function ask(...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['logs', '--query', '-', ...args], {
      input: JSON.stringify(comparedQuery),
    });
    const lines = stdout.trim().split('\n');
    const last = JSON.parse(lines.pop() ?? '');
    assert.equal(code, 0, stderr);
    return { verdict: last.verdict, rows: lines.length, stderr };
  }

  it('reads from a portal as from any other endpoint', async () => {
    const { verdict, rows } = await ask('--rpc', portal.rpcUrl, '--all');
    assert.equal(rows, wanted.length);
    assert.deepEqual([verdict.state, verdict.reasons, verdict.rows], ['complete', [], rows]);
    assert.equal('second' in verdict, false);
  });

  it('says that two sources agree, of which blocks, in the verdict', async () => {
    for (const order of [[], ['--newest-first']]) {
      const { verdict } = await ask('--rpc', node.rpcUrl, '--all', '--second', portal.rpcUrl, ...order);
      assert.deepEqual(verdict.second, {
        ...{ origin: portal.origin, state: 'agree', onlyHere: 0, onlyThere: 0, different: 0 },
        ...{ reasons: [], fromBlock: '0', toBlock: '209', sample: false },
      });
    }
  });

  it('compares what was printed where that is a part', async () => {
    const { verdict, rows } = await ask('--rpc', node.rpcUrl, '--newest-first', '--second', portal.rpcUrl);
    assert.equal(verdict.state, 'more');
    assert.ok(rows < wanted.length);
    assert.equal(verdict.second.state, 'agree');
    assert.ok(Number(verdict.second.fromBlock) > 0);
    assert.equal(verdict.second.toBlock, '209');
  });

  it('shows the difference where one of both has lost a row', async () => {
    const lose = (body: string) => body.replace(/("logs":\[)\{[^}]*\},/, '$1');
    let streams = 0;
    portal.setIntercept(({ url }) =>
      url.endsWith('/stream') && ++streams === 1 ? { kind: 'edit', change: lose } : undefined,
    );
    const { verdict, stderr } = await ask('--rpc', node.rpcUrl, '--all', '--second', portal.rpcUrl);
    const { state, onlyHere, onlyThere, different } = verdict.second;
    assert.deepEqual([state, onlyHere, onlyThere, different], ['differ', 1, 0, 0]);
    assert.equal(verdict.state, 'uncertain');
    assert.match(verdict.reasons.join(), /gives other logs .* 1 only here, .* neither is known to be right/);
    assert.match(stderr, /second opinion, blocks 0 to 209: differ \(\d+ logs alike, 1 only here/);
  });

  it('claims nothing where the other endpoint cannot be asked', async () => {
    const nowhere = `${portal.origin}/datasets/other`;
    const { verdict } = await ask('--rpc', node.rpcUrl, '--all', '--second', nowhere);
    assert.equal(verdict.state, 'complete');
    assert.equal(verdict.second.state, 'unknown');
    assert.match(verdict.second.reasons.join(), /could not be asked: .*404/);
    assert.deepEqual([verdict.second.fromBlock, verdict.second.toBlock], [null, null]);
  });

  it('looks at a part where it is asked for a sample of a long range', async () => {
    const { verdict } = await ask('--rpc', node.rpcUrl, '--all', '--second', portal.rpcUrl, '--sample', '5');
    // Five windows of a thousand blocks are more than all blocks here.
    assert.deepEqual([verdict.second.state, verdict.second.sample], ['agree', false]);
  });
});
