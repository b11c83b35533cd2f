import assert from 'node:assert/strict';
import { Uri, window, workspace } from 'vscode';
import { builtInNetworks, type FetchLike, type Network, publicExplorers } from '../../src/core/index.ts';
import { addNetwork, startAddNetwork } from '../../src/features/network/addNetwork.ts';
import { editNetwork, removeNetwork } from '../../src/features/network/editNetwork.ts';
import {
  findLocalNode,
  listNetworkChoices,
  selectNetwork,
} from '../../src/features/network/selectNetwork.ts';
import { createHttp } from '../../src/host/session/http.ts';
import { createEndpointSecrets } from '../../src/host/session/secrets.ts';
import {
  findFoundryEndpoints,
  resolveFoundryEndpoint,
  storeEndpoint,
} from '../../src/host/settings/foundryEndpoints.ts';
import { type LoopbackServer, startRpcServer } from '../support/loopbackServer.ts';
import { memorySecrets } from '../support/memory.ts';
import { memoryMemento } from './support/memoryFiles.ts';
import { recordShownTexts, type ShownTexts } from './support/shownWords.ts';

describe('the list of networks', () => {
  const log = window.createOutputChannel('Networks under test', { log: true });
  let node: LoopbackServer;
  let words: ShownTexts;
  let networks: readonly Network[];
  let done: readonly (readonly [what: string, network: Network])[];

  before(async () => {
    const results = new Map([
      ['eth_chainId', '0x539'],
      ['web3_clientVersion', 'Testnode/v1.2.3'],
    ]);
    node = await startRpcServer(({ id, method }) => ({
      ...{ jsonrpc: '2.0', id, result: results.get(method) ?? '0x7' },
    }));
  });
  after(async () => {
    log.dispose();
    await node.close();
  });
  beforeEach(() => {
    words = recordShownTexts();
    done = [];
    networks = builtInNetworks.map((network) =>
      network.id === 'local' ? { ...network, rpcUrl: node.url } : network,
    );
  });
  afterEach(() => words.leave());

  function services(reach?: FetchLike) {
    const note = (what: string) => async (network: Network) => {
      done = [...done, [what, network]];
    };
    const http = { ...createHttp(() => undefined), ...(reach && { fetch: reach }) };
    return {
      ...{ http, log, keys: { get: async () => undefined } },
      secrets: createEndpointSecrets(memorySecrets()),
      session: { isChosen: false, network: networks[0], httpFor: () => http },
      settings: {
        current: { networks },
        writtenIds: networks.map(({ id }) => id),
        ...{ saveNetwork: note('save'), selectNetwork: note('select'), removeNetwork: note('remove') },
      },
    } as never as Parameters<typeof addNetwork>[0];
  }
  const ids = () => done.map(([what, { id }]) => `${what} ${id}`);
  /** Chooses the first of these labels that is offered. */
  const choosing = (...wanted: readonly string[]) => {
    words.choose = (labels) => labels.indexOf(wanted.find((each) => labels.includes(each)) ?? '');
  };

  /** Reaches no host but this machine: those with a chain id answer in its name, the others refuse with that status. */
  const reaching = (
    hosts: Readonly<Record<string, { readonly chainId?: number; readonly status?: number }>>,
  ) => {
    const asked = new Set<string>();
    const reach: FetchLike = async (url, init) => {
      const { host, hostname } = new URL(url);
      if (hostname === '127.0.0.1') return globalThis.fetch(url, init);
      asked.add(host);
      const { chainId, status = 404 } = hosts[host] ?? {};
      if (chainId === undefined || init.body === undefined) return new Response('', { status });
      const { id, method } = JSON.parse(init.body);
      const result = method === 'eth_chainId' ? `0x${chainId.toString(16)}` : '0x7';
      return Response.json({ jsonrpc: '2.0', id, result });
    };
    return { reach, asked };
  };

  it('saves a public network and selects it at once', async () => {
    choosing('Gnosis');
    const { reach, asked } = reaching({ 'gnosis.blockscout.com': { chainId: 100 } });
    await selectNetwork(services(reach), undefined);
    assert.deepEqual(ids(), ['save gnosis', 'select gnosis']);
    assert.deepEqual([done[0]?.[1].chainId, [...asked]], [100, ['gnosis.blockscout.com']]);
  });

  it('asks the public endpoints of a network in order, and says why one was passed over', async () => {
    choosing('Gnosis');
    const { reach, asked } = reaching({
      'gnosis.blockscout.com': { status: 402 },
      'rpc.gnosischain.com': { chainId: 5 },
      'gnosis-rpc.publicnode.com': { chainId: 100 },
    });
    await selectNetwork(services(reach), undefined);
    assert.equal(done[0]?.[1].rpcUrl, 'https://gnosis-rpc.publicnode.com');
    assert.equal(asked.size, 3);
    const told = words.shown.join('\n');
    assert.match(told, /gnosis\.blockscout\.com: this explorer now requires payment \(HTTP 402\)/);
    assert.match(told, /rpc\.gnosischain\.com: serves chain 5/);
  });

  it('moves the active network to another public endpoint of its chain, without asking its own again', async () => {
    const closed = publicExplorers.find(({ chainId }) => chainId === 100);
    assert.ok(closed);
    const { reach, asked } = reaching({ 'rpc.gnosischain.com': { chainId: 100 } });
    const deps = services(reach);
    Object.assign(deps.session, { isChosen: true, network: closed });
    await startAddNetwork(deps, { publicOf: 100 });
    assert.deepEqual(ids(), ['save gnosis']);
    assert.deepEqual(
      [done[0]?.[1].rpcUrl, [...asked]],
      ['https://rpc.gnosischain.com', ['rpc.gnosischain.com']],
    );
  });

  it('offers the gateway, or to go on, where no public endpoint answers', async () => {
    choosing('Gnosis', 'Select Anyway');
    await selectNetwork(services(reaching({}).reach), undefined);
    assert.deepEqual(ids(), ['save gnosis', 'select gnosis']);
    assert.ok(words.shown.includes('Use Blockscout’s Gateway…'), words.shown.join('\n'));
  });

  it('selects a built-in one, and saves nothing', async () => {
    choosing('Local Node');
    await selectNetwork(services(), undefined);
    assert.deepEqual(ids(), ['select local']);
  });

  it('looks for a node again where none was found, and has the one that was started meanwhile', async () => {
    const { host } = new URL(node.url);
    const reach: FetchLike = (url, init) =>
      words.choose === chooseNode ? globalThis.fetch(url, init) : Promise.reject(new TypeError('refused'));
    const chooseNode = (labels: readonly string[]) => labels.indexOf(`Node at ${host}`);
    words.choose = (labels) => {
      words.choose = chooseNode;
      return labels.indexOf(`No node at ${host}`);
    };
    await selectNetwork(services(reach), undefined);
    const [[, network] = []] = done;
    assert.deepEqual(ids(), [`save ${network?.id}`, `select ${network?.id}`]);
    assert.deepEqual([network?.chainId, network?.rpcUrl], [1337, node.url]);
  });

  it('says what was not found in time below what can be selected, and lets the user wait longer', async () => {
    const untilAborted: FetchLike = (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const http = { ...createHttp(() => undefined), fetch: untilAborted };
    const soon = AbortSignal.timeout(20);
    const found = {
      url: node.url,
      node: await findLocalNode(http, node.url, soon),
      foundry: await findFoundryEndpoints(soon),
    };
    const rows = await listNetworkChoices(services(), found);
    const notReady = rows.findIndex(({ label }) => label === 'Not ready');
    assert.equal(rows[0]?.label, 'Built in');
    assert.deepEqual(
      rows.slice(notReady + 1, notReady + 3).map(({ label, target }) => [label, target?.as]),
      [
        [`Node at ${new URL(node.url).host}`, 'findAgain'],
        ['More from foundry.toml', 'findAgain'],
      ],
    );
  });

  it('adds what answers at a URL, with its chain, under a name of its own', async () => {
    choosing('Add and Select');
    words.typed = [new URL(node.url).host];
    await addNetwork(services());
    const [[, network] = []] = done;
    assert.deepEqual(ids(), [`save ${network?.id}`, `select ${network?.id}`]);
    assert.deepEqual([network?.name, network?.chainId, network?.rpcUrl], ['Local Chain', 1337, node.url]);
    assert.ok(words.shown.includes('Testnode/v1.2.3 · block 7'), words.shown.join('\n'));
  });

  it('adds nothing that is left, and what does not answer only without a test', async () => {
    words.typed = ['127.0.0.1:4'];
    await addNetwork(services());
    assert.deepEqual(done, []);
    assert.ok(words.shown.some((text) => /^No node at 127\.0\.0\.1:4\. Start anvil/.test(text)));
  });

  it('edits and removes what is named, after a question', async () => {
    choosing('Save', 'Reset');
    await editNetwork(services(), 'testnet');
    await removeNetwork(services(), 'testnet');
    assert.deepEqual(ids(), ['save testnet', 'remove testnet']);
    words.choose = () => -1;
    await removeNetwork(services(), 'testnet');
    assert.equal(done.length, 2);
  });
});

describe('an endpoint of foundry.toml', () => {
  let folder: Uri;
  const id = 'foundry:selectable';
  const write = (url: string) =>
    workspace.fs.writeFile(
      Uri.joinPath(folder, 'foundry.toml'),
      new TextEncoder().encode(`[rpc_endpoints]\nselectable = "${url}"\n`),
    );

  before(async () => {
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = Uri.joinPath(root.uri, 'endpoints');
    await workspace.fs.createDirectory(folder);
  });
  after(() => workspace.fs.delete(folder, { recursive: true }));

  it('is a network only as it was when the user chose it', async () => {
    const memento = memoryMemento();
    const fault = async () => {
      const named = await resolveFoundryEndpoint(id, memento);
      return 'error' in named ? named.error.code : named.network.rpcUrl;
    };
    assert.equal(await fault(), 'noEndpoint');
    const template = 'http://127.0.0.1:4';
    await write(template);
    assert.equal(await fault(), 'endpointUnasked');
    const chosen = { ...builtInNetworks[0], id, chainId: 7 } as Network;
    await storeEndpoint(memento, chosen, template);
    assert.equal(await fault(), template);
    await write('http://127.0.0.1:5');
    assert.equal(await fault(), 'endpointUnasked');
    await write(`http://127.0.0.1:5/\${CHAINSIDE_NOWHERE_SET}`);
    assert.equal(await fault(), 'endpointVariables');
  });
});
