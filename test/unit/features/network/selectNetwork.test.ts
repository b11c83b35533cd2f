import assert from 'node:assert/strict';
import { type Memento, type SecretStorage, window, workspace } from 'vscode';
import {
  builtInNetworks,
  ETHERSCAN_URL,
  type FetchLike,
  type Network,
  publicExplorers,
  SECRET_PLACEHOLDER,
} from '../../../../src/core/index.ts';
import { addNetwork, startAddNetwork } from '../../../../src/features/network/addNetwork.ts';
import { editNetwork, removeNetwork } from '../../../../src/features/network/editNetwork.ts';
import { listNetworkChoices } from '../../../../src/features/network/networkChoices.ts';
import { selectNetwork } from '../../../../src/features/network/selectNetwork.ts';
import { switchToChain } from '../../../../src/host/session/chains.ts';
import { createHttp } from '../../../../src/host/session/http.ts';
import {
  createEndpointAccess,
  createEndpointSecrets,
  createKeyStore,
} from '../../../../src/host/session/secrets.ts';
import {
  allowSending,
  approveEndpoint,
  findProjectEndpoints,
  isSendingAllowed,
  resolveProjectNetworks,
} from '../../../../src/host/settings/projectEndpoints.ts';
import { SettingsService } from '../../../../src/host/settings/settings.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { memoryMemento } from '../../../support/host/memoryFiles.ts';
import { chooseFirstOf, networkDialogs, useNodeOf1337 } from '../../../support/host/networkDialogs.ts';
import { answerCalls, useRecordedServer } from '../../../support/host/recordedServer.ts';
import { waitUntil } from '../../../support/host/settings.ts';
import { useWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';
import { memorySecrets } from '../../../support/memory.ts';

describe('the list of networks', () => {
  const log = window.createOutputChannel('Networks under test', { log: true });
  const node = useNodeOf1337();
  const words = useDialogs();
  let done: ReturnType<typeof networkDialogs>['settings']['done'];

  after(() => log.dispose());
  beforeEach(() => {
    done = [];
  });

  function services(reach?: FetchLike, storage?: SecretStorage) {
    const http = { ...createHttp(() => undefined), ...(reach && { fetch: reach }) };
    const secrets = createEndpointSecrets(storage ?? memorySecrets());
    const { settings, deps } = networkDialogs({ log, secrets }, http);
    settings.networks = builtInNetworks.map((network) =>
      network.id === 'local' ? { ...network, rpcUrl: node.url } : network,
    );
    Object.assign(deps.session, { isChosen: false, canUseEtherscan: async () => storage !== undefined });
    Object.assign(deps.settings, { writtenIds: ['testnet'] });
    done = settings.done;
    return deps;
  }
  const ids = () => done.map(([what, { id }]) => `${what} ${id}`);
  const choosing = (...wanted: readonly string[]) => chooseFirstOf(words, wanted);

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

  it('selects a public network at once, and writes no settings', async () => {
    choosing('Gnosis');
    const { reach, asked } = reaching({ 'gnosis.blockscout.com': { chainId: 100 } });
    await selectNetwork(services(reach), undefined);
    assert.deepEqual(ids(), ['select gnosis']);
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
    assert.deepEqual(ids(), ['select gnosis']);
    assert.deepEqual(
      [done[0]?.[1].rpcUrl, [...asked]],
      ['https://rpc.gnosischain.com', ['rpc.gnosischain.com']],
    );
  });

  it('offers the gateway, or to go on, where no public endpoint answers', async () => {
    choosing('Gnosis', 'Select Anyway');
    await selectNetwork(services(reaching({}).reach), undefined);
    assert.deepEqual(ids(), ['select gnosis']);
    assert.ok(words.shown.includes('Use Blockscout’s Gateway…'), words.shown.join('\n'));
    assert.ok(!words.shown.includes('Use Etherscan (Your Key)…'));
  });

  it('offers Etherscan there too, with the key that the user has stored', async () => {
    choosing('Gnosis', 'Use Etherscan (Your Key)…', 'Add and Select');
    const storage = memorySecrets();
    await createKeyStore(storage).set(ETHERSCAN_URL, 'ABCDEFGHIJ0123456789ABCDEFGHIJ0123', 'query');
    await selectNetwork(services(reaching({}).reach, storage), undefined);
    const [[, network] = []] = done;
    assert.deepEqual(
      [network?.name, network?.rpcUrl],
      ['Gnosis (Etherscan)', `https://api.etherscan.io/v2/api?chainid=100&apikey=${SECRET_PLACEHOLDER}`],
      words.shown.join('\n'),
    );
  });

  it('says once that nothing can be reached, however many endpoints a network has', async () => {
    choosing('Gnosis', 'Select Anyway');
    await selectNetwork(
      services(() => Promise.reject(new TypeError('fetch failed'))),
      undefined,
    );
    const [message] = words.shown.filter((text) => text.startsWith('Couldn’t reach any'));
    assert.match(
      message ?? '',
      /^Couldn’t reach any of the \d public endpoints of Gnosis\. Check your connection\.$/,
    );
    assert.ok(!words.shown.includes('Use Blockscout’s Gateway…'));
    assert.deepEqual(ids(), ['select gnosis']);
  });

  it('selects a built-in one, and saves nothing', async () => {
    choosing('Palm Testnet');
    await selectNetwork(services(), undefined);
    assert.deepEqual(ids(), ['select testnet']);
  });

  it('begins with the node of this machine, with its chain, and selects it without saving it', async () => {
    const { host } = new URL(node.url);
    const rows = await listNetworkChoices(services(), AbortSignal.timeout(10_000));
    assert.equal(rows[0]?.label, 'This Workspace');
    assert.deepEqual([rows[1]?.label, rows[1]?.description], ['Local Node', `chain 1337 · ${host} · online`]);
    words.choose = (labels) => labels.indexOf('Local Node');
    await selectNetwork(services(), undefined);
    const [[what, network] = []] = done;
    assert.deepEqual([done.length, what, network?.chainId, network?.rpcUrl], [1, 'select', 1337, node.url]);
  });

  it('lists Palm after this workspace and what was added, and says nothing of keys', async () => {
    const rows = await listNetworkChoices(services(), AbortSignal.timeout(10_000));
    const labels = rows.map(({ label }) => label);
    assert.deepEqual(labels.slice(labels.indexOf('Public') + 1, labels.indexOf('Public') + 4), [
      'Palm Mainnet',
      'Palm Testnet',
      'Ethereum',
    ]);
    assert.doesNotMatch(JSON.stringify(rows), /key/i);
  });

  it('says that a node does not answer, also where it is silent, and still lets the user select it', async () => {
    const untilAborted: FetchLike = (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    for (const reach of [untilAborted, () => Promise.reject(new TypeError('refused'))]) {
      const rows = await listNetworkChoices(services(reach), AbortSignal.timeout(300));
      const local = rows.find(({ label }) => label === 'Local Node');
      assert.match(local?.description ?? '', /^chain 31337 · .* · does not answer$/);
      assert.equal(local?.target?.as, 'network');
    }
  });

  it('adds what answers at a URL, with its chain, under a name of its own', async () => {
    choosing('Add and Select');
    words.types = [new URL(node.url).host];
    await addNetwork(services());
    const [[, network] = []] = done;
    assert.deepEqual(ids(), [`save ${network?.id}`, `select ${network?.id}`]);
    assert.deepEqual([network?.name, network?.chainId, network?.rpcUrl], ['Local Chain', 1337, node.url]);
    assert.ok(words.shown.includes('Testnode/v1.2.3 · block 7'), words.shown.join('\n'));
  });

  it('adds nothing that is left, and what does not answer only without a test', async () => {
    words.types = ['127.0.0.1:4'];
    await addNetwork(services());
    assert.deepEqual(done, []);
    assert.ok(words.shown.some((text) => /^No node at 127\.0\.0\.1:4\. Start anvil/.test(text)));
  });

  it('edits and removes what is named, after a question', async () => {
    choosing('Save', 'Reset');
    const deps = services();
    await editNetwork(deps, 'testnet');
    await removeNetwork(deps, 'testnet');
    assert.deepEqual(ids(), ['save testnet', 'remove testnet']);
    words.choose = () => -1;
    await removeNetwork(services(), 'testnet');
    assert.deepEqual(done, []);
  });
});

describe('an endpoint of foundry.toml', () => {
  const id = 'foundry:selectable';
  const folder = useWorkspaceFolder('endpoints');
  const node = useRecordedServer();
  const words = useDialogs();
  const write = (url: string) => folder.write('foundry.toml', `[rpc_endpoints]\nselectable = "${url}"\n`);
  let opened: { dispose(): unknown }[] = [];
  const log = window.createOutputChannel('Endpoints under test', { log: true });
  after(() => log.dispose());
  afterEach(() => {
    for (const each of opened.splice(0)) each.dispose();
  });
  function openSettings(memento: Memento): SettingsService {
    const settings = new SettingsService(log, memento);
    opened = [...opened, settings];
    return settings;
  }

  it('is a network only as it was when the user chose it', async () => {
    const memento = memoryMemento();
    const fault = async () => {
      const { networks, error } = await resolveProjectNetworks(memento, id);
      return error?.code ?? networks[0]?.rpcUrl;
    };
    assert.equal(await fault(), 'noEndpoint');
    const [ethereum] = (await resolveProjectNetworks(memento, 'ethereum')).networks;
    assert.equal(ethereum?.chainId, 1);
    const template = 'http://127.0.0.1:4';
    await write(template);
    assert.equal(await fault(), 'endpointUnapproved');
    const chosen = { ...builtInNetworks[0], id, chainId: 7 } as Network;
    await approveEndpoint(memento, chosen, template);
    assert.equal(await fault(), template);
    await write('http://127.0.0.1:5');
    assert.equal(await fault(), 'endpointUnapproved');
    await write(`http://127.0.0.1:5/\${CHAINSIDE_NOWHERE_SET}`);
    assert.equal(await fault(), 'endpointVariables');
  });

  it('takes variables from the .env of its project, and sends the values that this has now', async () => {
    node.answer = () => ({ body: '{}' });
    const memento = memoryMemento();
    const http = createHttp(() => undefined);
    const endpoints = createEndpointAccess({ http, secrets: createEndpointSecrets(memorySecrets()) });
    opened.push(endpoints);
    const writeNode = (url: string) => folder.write('.env', `${url}\n`);
    const template = `\${CHAINSIDE_NODE_OF_PROJECT}`;
    await write(template);
    await writeNode(`KEY='0123456789'\nCHAINSIDE_NODE_OF_PROJECT=${node.url}/v2/$KEY`);
    const rpcUrl = `${node.url}/\${env:CHAINSIDE_NODE_OF_PROJECT}`;
    await approveEndpoint(memento, { ...builtInNetworks[0], id, chainId: 7, rpcUrl } as Network, template);
    const { networks } = await resolveProjectNetworks(memento, id);
    assert.deepEqual([networks[0]?.rpcUrl], [rpcUrl]);
    const { fetch } = endpoints.httpFor({ rpcUrl });
    const { signal } = new AbortController();
    const send = () => fetch(rpcUrl, { method: 'POST', headers: {}, signal, redirect: 'manual' });
    await send();
    await writeNode(`CHAINSIDE_NODE_OF_PROJECT=${node.url}/v2/another`);
    await resolveProjectNetworks(memento, id);
    await send();
    assert.deepEqual(
      node.requests.map((request) => request.split('\n')[0]),
      ['/v2/0123456789', '/v2/another'],
    );
    await workspace.fs.delete(folder.uri('.env'));
  });

  it('names the file of each variable, and those of the environment that its value is made of', async () => {
    node.answer = answerCalls(() => '0x7');
    const secret = 'CHAINSIDE_TEST_SECRET';
    process.env[secret] = 'swordfish';
    const memento = memoryMemento();
    const settings = openSettings(memento);
    words.choose = () => -1;
    const { deps } = networkDialogs({ log, settings, secrets: createEndpointSecrets(memorySecrets()) });
    Object.assign(deps.session, { isChosen: false });
    try {
      await write(`${node.url}/\${OWN}/\${${secret}}`);
      await folder.write('.env', 'OWN=abc\n');
      await selectNetwork(deps, id);
      const path = workspace.asRelativePath(folder.uri('.env'));
      const wanted = `uses \${OWN} from ${path}, \${${secret}} from the environment of VS Code in the URL`;
      assert.ok(words.shown.join('\n').includes(wanted), words.shown.join('\n'));
      // Agreed to, then changed to a value with a secret in it.
      await write(`${node.url}/\${OWN}`);
      const agree = async () => {
        const { endpoints } = await findProjectEndpoints(new AbortController().signal);
        const endpoint = endpoints.find((each) => each.id === id) ?? assert.fail('There is no endpoint.');
        assert.ok('url' in endpoint.resolved);
        return { endpoint, resolved: endpoint.resolved };
      };
      const { endpoint, resolved } = await agree();
      await allowSending(memento, endpoint, resolved);
      assert.ok(isSendingAllowed(memento, resolved));
      await folder.write('.env', `INNER=x\${${secret}}\nOWN=\${INNER}\n`);
      const changed = await agree();
      assert.deepEqual(changed.resolved.variables, ['OWN', secret]);
      assert.equal(isSendingAllowed(memento, changed.resolved), false);
    } finally {
      delete process.env[secret];
      settings.dispose();
      await workspace.fs.delete(folder.uri('.env'));
    }
  });

  it('is approved by choosing it, also where a setting names it already; that writes no settings', async () => {
    node.answer = answerCalls(() => '0x7');
    const memento = memoryMemento();
    await write(node.url);
    const configuration = workspace.getConfiguration();
    const before = configuration.inspect('chainside.network')?.globalValue;
    await configuration.update('chainside.network', id, true);
    const settings = openSettings(memento);
    const { deps } = networkDialogs({ log, settings, secrets: createEndpointSecrets(memorySecrets()) });
    Object.assign(deps.session, { isChosen: false });
    try {
      await waitUntil(() =>
        settings.invalidSettings.some(({ error }) => error.code === 'endpointUnapproved'),
      );
      assert.equal(settings.current.isNetworkChosen, false);
      await selectNetwork(deps, id);
      const { network } = settings.current;
      assert.deepEqual([network.id, network.name, network.chainId], [id, 'selectable', 7]);
      assert.ok(settings.hasChoice);
      // A new window has it at once, and another choice does not lose it.
      await settings.selectNetwork(namedIn(settings, 'testnet'));
      const later = openSettings(memento);
      await waitUntil(() => later.current.networks.some((each) => each.id === id));
      assert.equal(later.current.network.id, 'testnet');
      const written = workspace.getConfiguration().inspect('chainside.network');
      assert.deepEqual([written?.globalValue, written?.workspaceValue], [id, undefined]);
    } finally {
      await configuration.update('chainside.network', before, true);
    }
  });

  it('is what one switches to for the chain of its node, not another node of this machine', async () => {
    node.answer = answerCalls(({ method }) => (method === 'eth_chainId' ? '0x7a69' : '0x7'));
    const settings = openSettings(memoryMemento());
    const { deps } = networkDialogs({ settings });
    Object.defineProperties(deps.session, {
      network: { get: () => settings.current.network },
      isChosen: { get: () => settings.current.isNetworkChosen },
    });
    await write(node.url);
    // Chosen once, it is the project's own from then on.
    for (const _ of ['once', 'again']) {
      await settings.selectNetwork(namedIn(settings, 'testnet'));
      assert.ok(await switchToChain(deps as never, 31337));
      const { id: active, rpcUrl } = settings.current.network;
      assert.deepEqual([active, rpcUrl], [id, node.url]);
    }
  });

  const listRows = async (deps: Parameters<typeof listNetworkChoices>[0]) => {
    const rows = await listNetworkChoices(deps, AbortSignal.timeout(10_000));
    return new Map(rows.map(({ label, description }) => [label, description]));
  };

  it('is asked for its chain ID before it is chosen, if it is a port of this machine, and for nothing else', async () => {
    node.answer = answerCalls(({ method }) => (method === 'eth_chainId' ? '0x7a69' : '0x7'));
    const paths = {
      port: '',
      same: '/',
      rpc: '/rpc',
      stop: '/actuator/shutdown',
      query: '/?stop=1',
      mark: '/?',
    };
    const lines = Object.entries(paths).map(([alias, path]) => `${alias} = "${node.url}${path}"`);
    await folder.write('foundry.toml', ['[rpc_endpoints]', ...lines].join('\n'));
    const settings = openSettings(memoryMemento());
    const { deps } = networkDialogs({ log, settings });
    node.requests.length = 0;
    const rows = await listRows(deps);
    const { host } = new URL(node.url);
    assert.match(rows.get('port') ?? '', new RegExp(`^chain 31337 · ${host} · online · `));
    for (const alias of ['rpc', 'stop', 'query', 'mark'])
      assert.match(rows.get(alias) ?? '', new RegExp(`^${host} · endpoints`), alias);
    const asked = node.requests.map((request) => [
      request.split('\n')[0],
      request.match(/"method":"\w+"/)?.[0],
    ]);
    assert.deepEqual(asked, [
      ['/', '"method":"eth_chainId"'],
      ['/', '"method":"eth_chainId"'],
    ]);
    // What stands at a path is asked once the user has chosen it.
    words.choose = (labels) => labels.indexOf('rpc');
    await selectNetwork(deps, undefined);
    assert.ok(node.requests.some((request) => request.startsWith('/rpc\n')));
    assert.match((await listRows(deps)).get('rpc') ?? '', /online, block 7/);
  });

  it('is no running endpoint where a server answers without a chain ID', async () => {
    await write(node.url);
    const { deps } = networkDialogs({ log, settings: openSettings(memoryMemento()) });
    for (const result of ['0x', 'ok', null, '0xffffffffffffffffff'])
      for (const answer of [
        answerCalls(() => result),
        () => ({ body: '<html>' }),
        () => ({ status: 404, body: '' }),
      ]) {
        node.answer = answer;
        assert.match((await listRows(deps)).get('selectable') ?? '', /does not answer/, `${result}`);
      }
  });

  it('asks no more than 20 ports that nobody has chosen', async () => {
    const ports = Array.from({ length: 60 }, (_, at) => `p${at} = "http://127.0.0.1:${30_000 + at}"`);
    await folder.write('foundry.toml', ['[rpc_endpoints]', ...ports].join('\n'));
    const asked: string[] = [];
    const http = {
      ...createHttp(() => undefined),
      fetch: async (url: string) => void asked.push(url) as never,
    };
    const { deps } = networkDialogs({ log, settings: openSettings(memoryMemento()) }, http);
    await listRows(deps);
    assert.equal(new Set(asked).size, 20);
  });

  it('costs its own row where its variables are too long, and nothing else', async () => {
    const doubling = Array.from({ length: 40 }, (_, at) => `A${at + 1}=$A${at}$A${at}`);
    await folder.write('.env', ['A0=https://rpc.example/0123456789', ...doubling, 'KEY=abc'].join('\n'));
    const lines = ['long = "$A40"', 'good = "https://rpc.example/$KEY"', 'odd = "https://$KEY.evil.example"'];
    await folder.write('foundry.toml', ['[rpc_endpoints]', ...lines].join('\n'));
    const memento = memoryMemento();
    const { deps } = networkDialogs({ log, settings: openSettings(memento) });
    const rows = await listRows(deps);
    assert.match(rows.get('long') ?? '', /^is too long with A40: shorten it/);
    assert.match(rows.get('good') ?? '', /^rpc\.example · /);
    assert.match(rows.get('odd') ?? '', /^a variable may only be/);
    const { networks, error } = await resolveProjectNetworks(memento, 'foundry:long');
    assert.deepEqual([networks.length, error?.code], [0, 'endpointTooLong']);
    await workspace.fs.delete(folder.uri('.env'));
  });

  it('does not keep the settings from being read where it cannot be read', async () => {
    const memento = memoryMemento();
    const broken = {
      ...memento,
      get: (key: string) => {
        if (key !== 'foundryEndpoints') return memento.get(key);
        return {
          get x(): never {
            throw new Error('broken');
          },
        };
      },
    } as Memento;
    const errors: string[] = [];
    const settings = new SettingsService(
      { ...log, error: (text: string) => void errors.push(text) } as never,
      broken,
    );
    await waitUntil(() => errors.length > 0);
    assert.match(errors[0] ?? '', /^The endpoints of the config files cannot be read\. .*broken/);
    assert.ok(settings.current.networks.length > 0);
    settings.dispose();
  });

  const variable = 'CHAINSIDE_NODE_OF_TEST';
  const byVariable: Readonly<Record<string, readonly [template: string, value: (url: string) => string]>> = {
    'is the whole URL': [`\${${variable}}`, (url) => url],
    'is the whole URL with a key': [`\${${variable}}`, (url) => `${url}/v2/0123456789`],
    'is the beginning of the URL': [`$${variable}/rpc`, (url) => url],
    'is in the path': ['URL/v2/VARIABLE', () => '0123456789'],
  };
  for (const [how, [pattern, valueAt]] of Object.entries(byVariable)) {
    it(`gets no request before the user agrees, also on this machine, where a variable ${how}`, async () => {
      const template = pattern.replace('URL', node.url).replace('VARIABLE', `\${${variable}}`);
      await write(template);
      await folder.write('.env', `${variable}=${valueAt(node.url)}\n`);
      node.requests.length = 0;
      node.answer = () => ({ status: 500, body: '' });
      const memento = memoryMemento();
      const { deps } = networkDialogs({ log, settings: openSettings(memento) });
      words.shown.length = 0;
      words.choose = (labels) => labels.indexOf('selectable');
      await selectNetwork(deps, undefined);
      assert.ok(!words.shown.some((text) => /selectable.*(?:answers|does not answer)/.test(text)));
      assert.deepEqual(node.requests, [], 'neither the list nor the choice contacts it');
      const asks = () => words.shown.filter((text) => /^(?:Send|Connect).*\?$/.test(text)).length;
      assert.equal(asks(), 1);

      chooseFirstOf(words, ['Send', 'Connect']);
      await selectNetwork(deps, id);
      assert.ok(node.requests.length > 0);
      assert.equal(asks(), 2);
      node.answer = answerCalls(() => '0x7');
      await selectNetwork({ ...deps, settings: openSettings(memento) }, id);
      assert.equal(asks(), 2, 'the user agreed, though it did not respond');
      const later = openSettings(memento);
      await waitUntil(() => later.current.network.id === id);

      // Another host is another choice.
      node.requests.length = 0;
      await folder.write('.env', `${variable}=${valueAt(node.url.replace('127.0.0.1', 'localhost'))}\n`);
      await write(template.replace('127.0.0.1', 'localhost'));
      words.choose = () => -1;
      await selectNetwork({ ...deps, settings: openSettings(memento) }, id);
      assert.equal(asks(), 3);
      assert.deepEqual(node.requests, []);
      await workspace.fs.delete(folder.uri('.env'));
    });
  }

  const namedIn = ({ current }: SettingsService, wanted: string) =>
    current.networks.find((each) => each.id === wanted) ?? assert.fail(wanted);
});
