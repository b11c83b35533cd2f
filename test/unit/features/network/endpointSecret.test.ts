import assert from 'node:assert/strict';
import type { SecretStorage } from 'vscode';
import { type KeyedNode, type KeyWanted, startKeyedNode } from '../../../../localnet/gateway/keyedNode.ts';
import { builtInNetworks, type Network, SECRET_PLACEHOLDER } from '../../../../src/core/index.ts';
import { addNetwork, startAddNetwork } from '../../../../src/features/network/addNetwork.ts';
import { editNetwork } from '../../../../src/features/network/editNetwork.ts';
import { forgetEndpointSecret, setEndpointSecret } from '../../../../src/features/network/endpointSecret.ts';
import { selectNetwork } from '../../../../src/features/network/selectNetwork.ts';
import { createExchangeLogger } from '../../../../src/host/log.ts';
import { createHttp } from '../../../../src/host/session/http.ts';
import { createEndpointAccess, createEndpointSecrets } from '../../../../src/host/session/secrets.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { chooseFirstOf, networkDialogs, useNodeOf1337 } from '../../../support/host/networkDialogs.ts';
import { failingSecrets, memorySecrets } from '../../../support/memory.ts';
import { anyNetwork } from '../../../support/stubs.ts';

const KEY = 'Zx81nBq0Lr5tYw93KdPmVa72';
const WRONG = 'Wrong1nBq0Lr5tYw93KdPmVa';

describe('the secret of an endpoint', () => {
  /** All that is logged: outcomes of requests, and warnings with what a server said. */
  const logged: string[] = [];
  const log = { warn: (line: string) => logged.push(line), debug: (line: string) => logged.push(line) };
  const behind = useNodeOf1337();
  let node: KeyedNode;
  const words = useDialogs();
  let settings: ReturnType<typeof networkDialogs>['settings'];

  beforeEach(() => {
    logged.length = 0;
  });
  afterEach(async () => {
    await node.stop();
  });

  async function start(
    wants: KeyWanted,
    network: Partial<Network> = {},
    storage: SecretStorage = memorySecrets(),
  ) {
    node = await startKeyedNode({ url: behind.url, key: KEY, wants, refusal: 'echo' });
    const mine = anyNetwork(1337, { id: 'mine', name: 'Mine', rpcUrl: node.rpcUrl, ...network });
    const http = createHttp(createExchangeLogger(log as never));
    const secrets = createEndpointSecrets(storage);
    const { httpFor } = createEndpointAccess({ http, secrets });
    const session = { isChosen: true, network: mine, choose: async () => true, httpFor };
    const opened = networkDialogs({ log, secrets, session }, http);
    settings = opened.settings;
    settings.networks = [...builtInNetworks, mine];
    return { deps: opened.deps, secrets };
  }
  const saved = () => settings.named('mine');
  function writeKeyIntoUrl(): string {
    const rpcUrl = `${node.origin}/v3/${KEY}`;
    settings.networks = settings.networks.map((each) => (each.id === 'mine' ? { ...each, rpcUrl } : each));
    return rpcUrl;
  }
  const choosing = (...wanted: readonly string[]) => chooseFirstOf(words, wanted);
  /** No word that the editor was given has the key in it, nor the settings, nor the log of what was asked. */
  const assertHidden = () => {
    const told = [...words.shown, ...logged, JSON.stringify(settings.networks)].join('\n');
    for (const key of [KEY, WRONG]) assert.ok(!told.includes(key), told);
  };

  it('is tried where the network says that it goes, and stored when it is right', async () => {
    const { deps, secrets } = await start({ in: 'header', name: 'authorization' }, { rpcAuth: 'bearer' });
    words.types = [WRONG, 'two words', KEY];
    await setEndpointSecret(deps);
    assert.equal(await secrets.get(node.origin), KEY);
    const told = words.shown.join('\n');
    assert.match(told, /Chainside sends it as a bearer token/);
    assert.match(told, /does not accept the key/);
    assert.match(told, /Not a key: use up to 512/);
    assert.match(told, new RegExp(`The key for ${node.origin} is saved\\.`));
    // The node repeats what it was sent.
    const lines = logged.join('\n');
    assert.match(lines, new RegExp(`POST ${node.origin} 401`));
    assert.match(lines, /^unauthorized: .*Server: invalid api key in /m);
    assertHidden();
  });

  for (const [how, createStorage] of Object.entries(failingSecrets)) {
    it(`is never said to be saved where the secret storage ${how}`, async () => {
      const wanted = { in: 'header', name: 'authorization' } as const;
      const { deps } = await start(wanted, { rpcAuth: 'bearer' }, createStorage());
      words.types = [KEY];
      await setEndpointSecret(deps);
      const told = words.shown.join('\n');
      assert.match(told, /cannot be kept here: .*keyring.*--password-store/);
      assert.doesNotMatch(told, / is saved/);
      assert.deepEqual(settings.done, []);
      assertHidden();
    });
  }

  it('goes as a bearer token where that is chosen, and is tried there once', async () => {
    const { deps, secrets } = await start({ in: 'header', name: 'authorization' });
    choosing('Bearer Token');
    words.types = [WRONG];
    await setEndpointSecret(deps);
    assert.deepEqual(
      node.requests.map(({ headers, url }) => [headers.authorization, url]),
      [[`Bearer ${WRONG}`, '/rpc']],
    );
    assert.equal(saved()?.rpcAuth, undefined, 'a wrong one changes nothing');
    words.types = [KEY];
    await setEndpointSecret(deps);
    assert.equal(saved()?.rpcAuth, 'bearer');
    assert.equal(await secrets.get(node.origin), KEY);
    assertHidden();
  });

  it('is asked for with its place, where the network has none', async () => {
    const { deps, secrets } = await start({ in: 'header', name: 'x-api-key' });
    choosing('Another Header…');
    words.types = ['host', 'X-Api-Key', KEY];
    await setEndpointSecret(deps);
    assert.ok(words.shown.includes('This header name is invalid or reserved.'));
    assert.equal(saved()?.rpcAuth, 'header:x-api-key');
    assert.equal(await secrets.get(node.origin), KEY);
    assertHidden();
  });

  it('is taken out of a URL in the settings, once the user agrees', async () => {
    const { deps, secrets } = await start({ in: 'path' });
    const rpcUrl = writeKeyIntoUrl();
    await setEndpointSecret(deps, 'mine');
    assert.equal(saved()?.rpcUrl, rpcUrl, 'nothing changes unless they agree');
    choosing('Move to Secret Storage');
    await setEndpointSecret(deps, 'mine');
    assert.equal(saved()?.rpcUrl, `${node.origin}/v3/${SECRET_PLACEHOLDER}`);
    assert.equal(await secrets.get(node.origin), KEY);
    assertHidden();
  });

  it('in the URL of a network that is chosen is offered a better place', async () => {
    const { deps, secrets } = await start({ in: 'path' });
    writeKeyIntoUrl();
    choosing('Mine', 'Move to Secret Storage');
    await selectNetwork(deps, undefined);
    assert.equal(saved()?.rpcUrl, `${node.origin}/v3/${SECRET_PLACEHOLDER}`);
    assert.equal(await secrets.get(node.origin), KEY);
    assertHidden();
  });

  it('takes the place of another only after a question', async () => {
    const { deps, secrets } = await start({ in: 'path' });
    await secrets.set(node.origin, WRONG);
    const rpcUrl = writeKeyIntoUrl();
    choosing('Move to Secret Storage');
    await setEndpointSecret(deps, 'mine');
    assert.deepEqual([saved()?.rpcUrl, await secrets.get(node.origin)], [rpcUrl, WRONG]);
    choosing('Move to Secret Storage', 'Replace');
    await setEndpointSecret(deps, 'mine');
    assert.equal(await secrets.get(node.origin), KEY);
  });

  it('is forgotten after a question that names who used it', async () => {
    const { deps, secrets } = await start({ in: 'path' });
    await secrets.set(node.origin, KEY);
    await forgetEndpointSecret(deps, 'mine');
    assert.equal(await secrets.get(node.origin), KEY);
    assert.ok(words.shown.includes('Used by: Mine.'));
    choosing('Forget');
    await forgetEndpointSecret(deps, 'mine');
    assert.equal(await secrets.get(node.origin), undefined);
    await forgetEndpointSecret(deps, 'mine');
    assert.ok(words.shown.includes(`No key is stored for ${node.origin}.`));
  });

  it('that is typed into a URL is offered a better place before anything is saved', async () => {
    const { deps, secrets } = await start({ in: 'query', name: 'dkey' });
    settings.networks = builtInNetworks;
    choosing('Move the Key to Secret Storage', 'Add and Select');
    words.types = [`${node.origin}/rpc?dkey=${KEY}`];
    await addNetwork(deps);
    const added = settings.networks.at(-1);
    assert.deepEqual(
      [added?.rpcUrl, added?.chainId],
      [`${node.origin}/rpc?dkey=${SECRET_PLACEHOLDER}`, 1337],
    );
    assert.equal(await secrets.get(node.origin), KEY);
    assertHidden();
  });

  it('is asked for where a network that takes one is saved without', async () => {
    const { deps, secrets } = await start({ in: 'path' });
    choosing('Save');
    words.types = [KEY];
    await editNetwork(deps, 'mine');
    assert.equal(await secrets.get(node.origin), KEY);
    assert.ok(words.shown.includes('in the URL · not set'), words.shown.join('\n'));
    words.choose = () => -1;
    await editNetwork(deps, 'mine');
    assert.ok(words.shown.includes('in the URL · set'), words.shown.join('\n'));
    assertHidden();
  });

  it('of the gateway is asked for with where to get one, on a network of its own', async () => {
    const { deps } = await start({ in: 'path' });
    let times = 0;
    words.choose = (labels) => (times++ === 0 ? labels.indexOf('Add and Select') : -1);
    await startAddNetwork(deps, { gatewayOf: 100 });
    const told = words.shown.join('\n');
    assert.match(told, /Key for https:\/\/api\.blockscout\.com\./);
    assert.ok(words.shown.includes('Sign Up for a Key'), told);
    assert.equal(settings.networks.length, builtInNetworks.length + 1, 'nothing is added without it');
  });
});
