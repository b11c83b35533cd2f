import assert from 'node:assert/strict';
import { commands, type Uri, workspace } from 'vscode';
import { etherscanKey } from '../../../../localnet/etherscan/server.ts';
import { ETHERSCAN_URL } from '../../../../src/core/index.ts';
import { answerEtherscan, refuseEtherscan } from '../../../support/etherscanPorts.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { createWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';
import { useExtension } from '../../../support/vscode/extension.ts';
import { editor } from '../../../support/vscode/module.ts';
import { writeFiles } from '../../../support/writeFiles.ts';

const [ALICE, BOB, TOKEN] = ['a1', 'b0', 'c0'].map((byte) => `0x${byte.repeat(20)}`);
const UNVERIFIED = [{ SourceCode: '', ABI: 'Contract source code not verified' }];

describe('the Etherscan key of a project', () => {
  useExtension();
  useNetworks(() => ({ remote: { name: 'Remote', chainId: 1, rpcUrl: 'https://node.example' } }));
  const { fetch } = globalThis;
  /** By their actions. */
  let answers: Readonly<Record<string, unknown>>;
  const etherscan = answerEtherscan((params) => answers[params.get('action') ?? ''] ?? []);
  let folder: Uri;
  const person = useDialogs();

  before(async () => {
    folder = await createWorkspaceFolder('keyed');
    const key = '$' + '{ETHERSCAN_API_KEY}';
    await writeFiles(folder.fsPath, {
      'foundry.toml': `[etherscan]\nmainnet = { key = "${key}", url = "${ETHERSCAN_URL}" }\n`,
      '.env': `PRIVATE_KEY=0x1\nETHERSCAN_API_KEY=${etherscanKey}\n`,
    });
    globalThis.fetch = async (input, init) => {
      if (String(input).startsWith(ETHERSCAN_URL)) return etherscan.fetch(String(input), init as never);
      throw new TypeError('fetch failed');
    };
  });
  after(async () => {
    globalThis.fetch = fetch;
    await workspace.fs.delete(folder, { recursive: true });
  });
  beforeEach(() => {
    answers = { getsourcecode: UNVERIFIED };
    etherscan.asked.length = 0;
  });
  afterEach(() => {
    assert.ok(![...person.shown, ...editor.warnings].join('\n').includes(etherscanKey));
  });

  const setKey = (argument?: string) => commands.executeCommand('chainside.setEtherscanKey', argument);
  const isStored = () => editor.contextKeys.get('chainside.hasEtherscanKey') === true;

  it('is offered by the command beside another one, tested by one request, stored, and forgotten', async () => {
    person.picks = ['Use Key of This Project'];
    await setKey();
    assert.deepEqual(person.lists[0]?.labels, ['Use Key of This Project', 'Enter Another Key…']);
    assert.deepEqual(
      etherscan.asked.map((params) => params.get('apikey')),
      [etherscanKey],
    );
    assert.deepEqual(person.told, ['The key for https://api.etherscan.io is saved.']);
    await waitUntil(isStored);
    person.presses = ['Forget'];
    await commands.executeCommand('chainside.forgetEtherscanKey');
    await waitUntil(() => !isStored());
  });

  it('is not stored where Etherscan does not accept it', async () => {
    answers = { getsourcecode: refuseEtherscan(`Invalid API Key ${etherscanKey}`) };
    person.picks = ['Use Key of This Project'];
    await setKey();
    assert.match(person.told.join('\n'), /api\.etherscan\.io: does not accept the key/);
    assert.equal(isStored(), false);
  });

  it('is stored from an offer where something lacks it, which is made no more once the user wants that', async () => {
    person.presses = ['Use Key', 'Forget', 'Don’t Ask Again'];
    await setKey('offer');
    await waitUntil(isStored);
    await setKey('offer');
    await commands.executeCommand('chainside.forgetEtherscanKey');
    await waitUntil(() => !isStored());
    await setKey('offer');
    await setKey('offer');
    const offers = person.told.filter((text) => text.startsWith('This project has an Etherscan API key: '));
    assert.equal(offers.length, 2);
    assert.match(
      offers[0] ?? '',
      /: ETHERSCAN_API_KEY \(keyed\/foundry\.toml\)\..* only to api\.etherscan\.io/,
    );
    assert.equal(etherscan.asked.length, 1);
  });

  it('is asked for where transfers are wanted that no explorer lists, and lists them', async () => {
    const transfer = {
      ...{ blockNumber: '2', timeStamp: '1700000100', hash: `0x${'12'.repeat(32)}`, value: '1500000' },
      ...{ from: BOB, to: ALICE, contractAddress: TOKEN, tokenSymbol: 'HUSD', tokenDecimal: '6' },
    };
    answers = { getsourcecode: UNVERIFIED, tokentx: [transfer, transfer] };
    await selectNetwork('remote');
    person.presses = ['Set Etherscan API Key…'];
    person.picks = ['Use Key of This Project', () => undefined];
    await commands.executeCommand('chainside.showTransfers', ALICE);
    assert.match(person.told[0] ?? '', /With your own API key, Etherscan lists transfers/);
    assert.deepEqual(person.lists.at(-1)?.labels, ['+1.5 HUSD', '+1.5 HUSD']);
  });

  it('is neither looked for nor used in an untrusted workspace', async () => {
    Object.assign(workspace, { isTrusted: false });
    try {
      await setKey();
      await setKey('offer');
      assert.deepEqual([person.lists, etherscan.asked], [[], []]);
    } finally {
      Object.assign(workspace, { isTrusted: true });
    }
  });
});
