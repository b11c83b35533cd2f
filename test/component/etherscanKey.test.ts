import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { type EtherscanServer, etherscanKey, startEtherscan } from '../../localnet/etherscan/server.ts';
import { deployVerified, type VerifiedDeployment } from '../../localnet/verified/deployVerified.ts';
import { createVerifiedRegistry } from '../../localnet/verified/registry.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { memorySecrets } from '../support/memory.ts';
import { useLogPanels } from './support/logPanels.ts';

const ETHERSCAN = 'https://api.etherscan.io/v2/api';
/** A node that does not report who created a contract. */
const REMOTE = 'https://node.example';
const OFFER =
  /^This project has an Etherscan API key: ETHERSCAN_API_KEY \(foundry\.toml\)\..* api\.etherscan\.io/;

const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;

describe('the Etherscan key of a project', () => {
  let anvil: Anvil;
  let etherscan: EtherscanServer;
  let verified: VerifiedDeployment;
  const { fetch } = globalThis;
  const values = new Map<string, string>();

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    const node = createNodeRpc(anvil.url);
    const registry = createVerifiedRegistry();
    verified = await deployVerified(node, { registry, chainId: 1 });
    await node.call('anvil_setChainId', [1]);
    const ask = (method: string, params: readonly unknown[]) => node.call(method, params);
    etherscan = await startEtherscan({ registry, ask, chainIds: [1] });
    // The only way to Etherscan's own address leads to the local server, and that to a public node to the local one.
    globalThis.fetch = (input, init) => {
      const url = String(input);
      if (url.startsWith(REMOTE))
        return fetch(anvil.url, { ...init, body: `${init?.body}`.replaceAll('"ots_', '"no_') });
      return fetch(url.startsWith(ETHERSCAN) ? url.replace(ETHERSCAN, etherscan.url) : input, init);
    };
  });
  after(async () => {
    globalThis.fetch = fetch;
    await etherscan.stop();
    await anvil.stop();
  });
  beforeEach(() => {
    values.clear();
    etherscan.forgetRequests();
  });
  const { editor, openPanel } = useLogPanels(() => ({
    settings: {
      'chainside.network': 'main',
      'chainside.networks': {
        main: { name: 'Main', chainId: 1, rpcUrl: anvil.url },
        remote: { name: 'Remote', chainId: 1, rpcUrl: REMOTE },
      },
      'chainside.sources.sourcify': 'never',
      'chainside.sources.signatures': 'never',
    },
    secrets: memorySecrets(values),
    async fillFolder(folder) {
      const config =
        '[etherscan]\nmainnet = { key = "$' +
        '{ETHERSCAN_API_KEY}", url = "https://api.etherscan.io/v2/api" }\n';
      await writeFile(join(folder, 'foundry.toml'), config);
      await writeFile(join(folder, '.env'), `PRIVATE_KEY=0x1\nETHERSCAN_API_KEY=${etherscanKey}\n`);
    },
  }));
  const shownTexts = () => {
    const { user, warnings } = editor();
    return [...user.shown, ...warnings].join('\n');
  };

  it('decodes a contract that only Etherscan has, after the user has agreed to use it', async () => {
    editor().user.presses.push('Use Key');
    const opened = await openPanel();
    await opened.field('Address').fill(verified.harbor);
    await opened.button('Run Query').click();
    await opened
      .cell(0, 'event')
      .filter({ hasText: /^Docked / })
      .waitFor();
    const offers = editor().user.told.filter((message) => OFFER.test(message));
    assert.equal(offers.length, 1, shownTexts());
    assert.ok(etherscan.requests.every(({ url }) => url.includes(`apikey=${etherscanKey}`)));
    assert.deepEqual([...values], [['apiKey:https://api.etherscan.io', `query ${etherscanKey}`]]);
    await opened.cell(0, 'block').click();
    await opened.page.keyboard.press('Enter');
    await opened.frame
      .getByText(/^Source: verified except for metadata: Harbor at api\.etherscan\.io/)
      .waitFor();
    assert.ok(!shownTexts().includes(etherscanKey), 'The key is in no text.');
  });

  it('is what the command offers first, beside another one, and can be forgotten', async () => {
    editor().user.picks.push('Use Key of This Project');
    await editor().runCommand('chainside.setEtherscanKey');
    assert.equal(values.size, 1);
    assert.equal(etherscan.requestCount, 1);
    assert.deepEqual(editor().user.lists.at(-1)?.labels, ['Use Key of This Project', 'Enter Another Key…']);
    await waitUntil(
      'the command to forget it is offered',
      () => editor().contextKeys.get('chainside.hasEtherscanKey') === true,
    );
    editor().user.presses.push('Forget');
    await editor().runCommand('chainside.forgetEtherscanKey');
    assert.equal(values.size, 0);
    assert.ok(!shownTexts().includes(etherscanKey));
  });

  it('is not stored where Etherscan does not accept it', async () => {
    etherscan.setIntercept(() => ({
      ...{ kind: 'respond', status: 200 },
      body: JSON.stringify({ status: '0', message: 'NOTOK', result: `Invalid API Key ${etherscanKey}` }),
    }));
    editor().user.picks.push('Use Key of This Project');
    await editor().runCommand('chainside.setEtherscanKey');
    etherscan.setIntercept(undefined);
    assert.match(editor().user.told.at(-1) ?? '', /api\.etherscan\.io: does not accept the key/);
    assert.equal(values.size, 0);
    assert.ok(!shownTexts().includes(etherscanKey));
  });

  it('is offered where transfers are asked for that no explorer lists, and lists them', async () => {
    const { user } = editor();
    editor().updateSettings({ 'chainside.network': 'remote' });
    const transfer = {
      ...{ blockNumber: '2', timeStamp: '1700000100', hash: `0x${'12'.repeat(32)}`, value: '1500000' },
      ...{ from: BOB, to: ALICE, contractAddress: verified.harbor, tokenSymbol: 'HUSD', tokenDecimal: '6' },
    };
    etherscan.setIntercept(({ url }) => {
      if (!url.includes('action=tokentx')) return undefined;
      const body = JSON.stringify({ status: '1', message: 'OK', result: [transfer, transfer] });
      return { kind: 'respond', status: 200, body };
    });
    user.presses.push('Set Etherscan API Key…');
    user.picks.push('Use Key of This Project');
    await editor().runCommand('chainside.showTransfers', ALICE);
    etherscan.setIntercept(undefined);
    assert.match(shownTexts(), /With your own API key, Etherscan lists transfers/);
    assert.deepEqual(user.lists.at(-1)?.labels, ['+1.5 HUSD', '+1.5 HUSD']);
    await editor().runCommand('chainside.showBalances', ALICE);
    assert.match(user.told.at(-1) ?? '', /^Only explorers provide this data/);
    assert.ok(!shownTexts().includes(etherscanKey));
    editor().updateSettings({ 'chainside.network': 'main' });
  });

  it('gives the block of a creation that the node does not report', async () => {
    values.set('apiKey:https://api.etherscan.io', `query ${etherscanKey}`);
    editor().updateSettings({ 'chainside.network': 'remote' });
    const opened = await openPanel();
    await opened.field('Address').fill(verified.harbor);
    await opened.frame.getByText(/^Deployment block/).waitFor();
    assert.ok(etherscan.requests.some(({ url }) => url.includes('action=getcontractcreation')));
    editor().updateSettings({ 'chainside.network': 'main' });
  });

  it('offers Etherscan as the last endpoint of a second opinion', async () => {
    values.set('apiKey:https://api.etherscan.io', `query ${etherscanKey}`);
    // The newest blocks are not compared.
    await createNodeRpc(anvil.url).call('anvil_mine', ['0x80']);
    const opened = await openPanel();
    await opened.field('Address').fill(verified.harbor);
    await opened.field('To block').fill('9');
    await opened.button('Run Query').click();
    await waitForText(opened.status, /^Complete/);
    editor().user.picks.push('Ethereum (Etherscan)');
    await (await opened.moreAction('Second Opinion…')).press('Enter');
    await waitForText(opened.status, /agrees with Ethereum \(Etherscan\)/);
    assert.equal(editor().user.lists.at(-1)?.labels.at(-1), 'Ethereum (Etherscan)');
    assert.ok(etherscan.requests.some(({ url }) => url.includes('module=logs')));
    assert.ok(!shownTexts().includes(etherscanKey));
  });

  it('is offered no more once the user wants that', async () => {
    editor().user.presses.push('Don’t Ask Again');
    const offers = () => editor().user.told.filter((message) => OFFER.test(message)).length;
    const before = offers();
    await editor().runCommand('chainside.setEtherscanKey', 'offer');
    await editor().runCommand('chainside.setEtherscanKey', 'offer');
    assert.equal(offers(), before + 1);
    assert.deepEqual([etherscan.requestCount, values.size], [0, 0]);
  });

  it('is neither looked for nor used in an untrusted workspace', async () => {
    const workspace = editor().api.workspace as { isTrusted: boolean };
    workspace.isTrusted = false;
    try {
      values.set('apiKey:https://api.etherscan.io', `query ${etherscanKey}`);
      await editor().runCommand('chainside.openVerifiedSource', verified.berths);
      assert.match(editor().user.told.at(-1) ?? '', /^No allowed provider has a verified source/);
      const lists = editor().user.lists.length;
      await editor().runCommand('chainside.setEtherscanKey');
      assert.deepEqual([editor().user.lists.length, etherscan.requestCount], [lists, 0]);
    } finally {
      workspace.isTrusted = true;
    }
  });
});
