import assert from 'node:assert/strict';
import { EventEmitter, window } from 'vscode';
import { type KeyedNode, startKeyedNode } from '../../../../localnet/gateway/keyedNode.ts';
import { AppError, isAppError, systemClock } from '../../../../src/core/index.ts';
import { ChainTree } from '../../../../src/features/status/chainTree.ts';
import { createHttp } from '../../../../src/host/session/http.ts';
import {
  createEndpointAccess,
  createEndpointSecrets,
  createKeyStore,
} from '../../../../src/host/session/secrets.ts';
import { Session } from '../../../../src/host/session/session.ts';
import { SettingsService } from '../../../../src/host/settings/settings.ts';
import { memoryMemento } from '../../../support/host/memoryFiles.ts';
import { selectNetwork, useNetworks } from '../../../support/host/settings.ts';
import { type LoopbackServer, startRpcServer } from '../../../support/loopbackServer.ts';
import { memorySecrets } from '../../../support/memory.ts';

const KEY = 'Zx81nBq0Lr5tYw93KdPmVa72';

describe('a session with an endpoint that takes a key', () => {
  let behind: LoopbackServer;
  let node: KeyedNode;
  before(async () => {
    behind = await startRpcServer(({ id }) => ({ jsonrpc: '2.0', id, result: '0x7' }));
    node = await startKeyedNode({
      url: behind.url,
      key: KEY,
      wants: { in: 'header', name: 'authorization' },
    });
  });
  after(async () => {
    await node.stop();
    await behind.close();
  });
  useNetworks(() => ({ keyed: { name: 'Keyed', chainId: 7, rpcUrl: node.rpcUrl, rpcAuth: 'bearer' } }));

  it('asks nothing without it, and begins anew when it is set or forgotten', async () => {
    await selectNetwork('keyed');
    const log = window.createOutputChannel('Session under test', { log: true });
    const settings = new SettingsService(log, memoryMemento());
    const storage = memorySecrets();
    const http = createHttp(() => undefined);
    const secrets = createEndpointSecrets(storage);
    const endpoints = createEndpointAccess({ http, secrets });
    const session = new Session({ settings, keys: createKeyStore(storage), http, endpoints });
    try {
      const connections: unknown[] = [];
      session.onDidChange((connection) => connections.push(connection));
      const first = session.connection;
      node.forgetRequests();
      const refused = await session.client.getBlockNumber().catch((error: unknown) => error);
      assert.ok(isAppError(refused, 'needsKey'));
      assert.deepEqual([node.requestCount, await session.secretState()], [0, 'missing']);

      await secrets.set(node.origin, KEY);
      assert.notEqual(session.connection, first);
      assert.ok(first.signal.aborted);
      assert.deepEqual([await session.client.getBlockNumber(), await session.secretState()], [7n, 'set']);

      await secrets.set('http://127.0.0.1:1', 'of another origin');
      assert.equal(connections.length, 1, 'the secret of another origin changes nothing here');
      await secrets.forget(node.rpcUrl);
      assert.equal(connections.length, 2);
      assert.ok(
        isAppError(await session.client.getBlockNumber().catch((error: unknown) => error), 'needsKey'),
      );
    } finally {
      for (const part of [session, endpoints, settings, log]) part.dispose();
    }
  });
});

describe('the Chain view of an endpoint that takes a key', () => {
  const none = new EventEmitter<void>().event;
  const gateway = { rpcUrl: 'https://api.blockscout.com/100/json-rpc', rpcAuth: 'bearer' };
  const closed = { rpcUrl: 'https://gnosis.blockscout.com/api/eth-rpc' };

  async function rows({
    more = gateway as object,
    secret = 'set',
    credits = undefined as number | undefined,
    error = undefined as AppError | undefined,
  }) {
    const network = { id: 'g', name: 'Gnosis', chainId: 100, symbol: 'xDAI', decimals: 18, ...more };
    const tree = new ChainTree({
      session: {
        ...{ network, isChosen: true, onDidChange: none, onDidChangeSources: none },
        client: { dialect: () => ({ family: 'unknown' }) },
        keyState: async () => 'notServed',
        secretState: async () => secret,
      },
      settings: { invalidSettings: [], onDidChange: none },
      head: { state: { failures: error ? 2 : 0, error }, onDidChange: none },
      ...{ clock: systemClock, credits: { of: () => credits } },
    } as never);
    const top = await tree.getChildren();
    const below = await tree.getChildren(tree.row('network'));
    const items = [...top, ...below].map((row) => tree.getTreeItem(row));
    tree.dispose();
    return items;
  }
  type Rows = Awaited<ReturnType<typeof rows>>;
  const labelled = (items: Rows, label: string) => items.find((item) => item.label === label);

  it('says whether the key is set, leads to setting it, and never shows it', async () => {
    const missing = labelled(await rows({ secret: 'missing' }), 'Endpoint key');
    assert.deepEqual([missing?.description, missing?.tokens], ['not set', ['secret:missing']]);
    assert.equal(missing?.command?.command, 'chainside.setEndpointSecret');
    const set = labelled(await rows({}), 'Endpoint key');
    assert.deepEqual([set?.description, set?.tokens, set?.command], ['set', ['secret:set'], undefined]);
    assert.equal(labelled(await rows({ more: closed, secret: 'notTaken' }), 'Endpoint key'), undefined);
    const plain = { rpcUrl: `https://node.example/v3/${KEY}` };
    const written = await rows({ more: plain, secret: 'notTaken' });
    assert.equal(labelled(written, 'Endpoint key')?.description, 'in settings.json, as plain text');
    assert.equal(labelled(written, 'Endpoint key')?.command?.command, 'chainside.setEndpointSecret');
    assert.ok(!JSON.stringify(written).includes(KEY));
  });

  it('tells what is left of the credits, on the row of the network where they are few', async () => {
    const many = await rows({ credits: 99_780 });
    assert.equal(labelled(many, 'Endpoint key')?.description, 'set · 99,780 credits left');
    assert.ok(!String(labelled(many, 'Gnosis')?.description).includes('credits'));
    assert.ok(JSON.stringify(labelled(many, 'Gnosis')?.tooltip).includes('99,780 credits left'));
    assert.match(String(labelled(await rows({ credits: 340 }), 'Gnosis')?.description), /340 credits left$/);
  });

  it('offers what helps against a failure that is about a key, and else nothing more than before', async () => {
    const labels = async (error: AppError, more: object) =>
      (await rows({ error, more })).map(({ label }) => label);
    const needed = await labels(new AppError('needsKey', 'no'), gateway);
    assert.ok(needed.includes('This endpoint needs a key'), needed.join());
    assert.ok(needed.includes('Set API Key for Endpoint…'));
    const shut = await labels(new AppError('forbidden', 'no', { status: 403 }), closed);
    assert.ok(
      shut.includes('Use Blockscout’s Gateway…') && shut.includes('Try Public Endpoints…'),
      shut.join(),
    );
    const slow = await labels(new AppError('timeout', 'no'), closed);
    assert.ok(!slow.includes('Use Blockscout’s Gateway…'));
  });
});
