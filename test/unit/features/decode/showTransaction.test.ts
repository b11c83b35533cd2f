import assert from 'node:assert/strict';
import { commands, Uri, window } from 'vscode';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';
import { encodeItem } from '../../../support/decodingStubs.ts';
import { eventOf } from '../../../support/eventLogs.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { stubDialogs } from '../../../support/host/dialogs.ts';
import { answerCalls, NodeError, useRecordedServer } from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil, writeSettings } from '../../../support/host/settings.ts';
import { followLink, hoverAt, hoverTextAt, linksIn } from '../../../support/host/shownLinks.ts';
import { useWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';
import type { RpcRequest } from '../../../support/loopbackServer.ts';
import { findUnsafeMarkdown, findUnsafeParts } from '../../../support/untrustedText.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const FROM = `0x${'5a'.repeat(20)}`;
const TO = `0x${'c0'.repeat(20)}`;
const HASH = `0x${'7a'.repeat(32)}` as const;
const FAILED = `0x${'fa'.repeat(32)}` as const;
const BLOCK = `0x${'b1'.repeat(32)}` as const;
const ERROR = 'error HarborUnpaid(address by, uint256 missing)';
const EVENT = 'event HarborPaid(address indexed by, uint256 amount)';
const SOURCE = `// SPDX-License-Identifier: MIT
contract HarborShop {
    ${ERROR};
    ${EVENT};

    function payHarbor(uint256 price) external payable {
        if (msg.value < price) revert HarborUnpaid(msg.sender, price - msg.value);
        emit HarborPaid(msg.sender, price);
    }
}
`;

const paid = eventOf(EVENT);
const log = {
  ...{ address: TO, data: `0x${'5'.padStart(64, '0')}`, logIndex: '0x0', blockNumber: '0x10' },
  topics: [paid.topic0, `0x${FROM.slice(2).padStart(64, '0')}`],
  ...{ blockHash: BLOCK, transactionHash: HASH, transactionIndex: '0x0', removed: false },
};
const sent = (hash: string) => ({
  ...{ hash, from: FROM, to: TO, value: '0x14d1120d7b160000', gas: '0x7530', gasPrice: '0x2', nonce: '0x1' },
  ...{ input: encodeItem('function payHarbor(uint256 price)', 5n), type: '0x2' },
  ...{ blockNumber: '0x10', transactionIndex: '0x0' },
});
const receipt = (hash: string, more: object) => ({
  ...{ transactionHash: hash, blockNumber: '0x10', transactionIndex: '0x0', gasUsed: '0x5208' },
  ...{ effectiveGasPrice: '0x2', contractAddress: null, status: '0x1', logs: [] },
  ...more,
});

const block = {
  ...{
    hash: BLOCK,
    number: '0x10',
    timestamp: '0x69000000',
    miner: FROM,
    gasUsed: '0x5208',
    gasLimit: '0xa410',
  },
  transactions: [sent(HASH), sent(FAILED)],
};

describe('transactions', () => {
  useExtension();
  const server = useRecordedServer();
  const files = { 'foundry.toml': '[profile.default]\n', 'src/HarborShop.sol': SOURCE };
  const { uri, open } = useWorkspaceFolder('transactions', files);
  /** Of the call by which a failed one is run again. */
  let failure: NodeError;
  useNetworks(() => ({
    harbor: { name: 'Harbor', chainId: 5, rpcUrl: server.url, symbol: 'HBR' },
    bare: { name: 'Bare', chainId: 6, rpcUrl: `${server.url}/bare` },
  }));
  beforeEach(async () => {
    failure = new NodeError(3, 'execution reverted', encodeItem(ERROR, FROM, 7n));
    server.answer = answerCalls(resultOf);
    await selectNetwork('harbor');
    server.requests.length = 0;
  });
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  function resultOf({ method, params: [first] }: RpcRequest): unknown {
    const isKnown = first === HASH || first === FAILED;
    const results: Readonly<Record<string, unknown>> = {
      eth_getTransactionByHash: isKnown ? sent(first as string) : null,
      eth_getTransactionReceipt:
        first === HASH ? receipt(HASH, { logs: [log] }) : isKnown ? receipt(FAILED, { status: '0x0' }) : null,
      eth_getBlockByNumber: first === '0x10' ? block : null,
      eth_getBlockByHash: first === BLOCK ? block : null,
      eth_blockNumber: '0x10',
    };
    return method === 'eth_call' ? failure : (results[method] ?? null);
  }

  /** Requests so far, but for those of the Chain view, which asks for the latest block where it is shown. */
  const asked = () => server.requests.filter((request) => !request.includes('eth_blockNumber'));

  async function hover(text: string, name?: string): Promise<string> {
    return hoverTextAt((await open(text, name)).uri, text.indexOf('0x') + 3);
  }

  function shown(): string {
    const { document } = window.activeTextEditor ?? assert.fail('No editor is active.');
    assert.equal(document.uri.scheme, 'chainside-transaction');
    return document.getText();
  }
  const show = async (hash?: string) => {
    await commands.executeCommand('chainside.showTransaction', hash);
    return shown();
  };

  /** The document once it has `wanted`: the editor tells of new files in the background. */
  async function showKnown(hash: string, wanted: RegExp): Promise<string> {
    await waitUntil(async () => wanted.test(await show(hash)));
    return shown();
  }

  describe('by the command', () => {
    it('are a document with facts, call and logs, which lead to their declarations', async () => {
      const text = await showKnown(HASH, /HarborPaid/);
      assert.match(
        text,
        /^0x\w{4}…\w{4} paid 1\.5 HBR to 0x\w{4}…\w{4} with payHarbor\(5\)\nTransaction 0x7a7a\w+ on Harbor\n\nStatus: Success\nBlock: 16, index 0\n/,
      );
      assert.match(text, /\nValue: 1\.5 HBR\n[\s\S]*\nFee: 0\.000000000000042 HBR \(21,000 gas at/);
      assert.match(text, /\nCall\n {2}Call to function payHarbor\(uint256 price\)\n/);
      assert.match(text, /\nBalance changes\n {2}HBR, sent with the transaction\n {4}−1\.5 HBR · 0x/);
      assert.match(text, /\nLogs: 1\n[\s\S]*event HarborPaid\(address indexed by, uint256 amount\)/);
      const links = await linksIn();
      const ofFiles = links.filter((link) => link.startsWith(`${uri('').scheme}:`));
      assert.deepEqual(
        ofFiles.map((link) => link.replace(/.*\//, '')),
        ['HarborShop.sol#L6', 'HarborShop.sol#L4'],
      );
      // The editor makes a link of the address of the server by itself.
      const [itself, block, from, to] = links.filter((link) => link.startsWith('command:'));
      assert.equal(block, 'command:chainside.showBlock?["16"]');
      assert.equal(itself, `command:chainside.showTransaction?["${HASH}"]`);
      assert.match(from ?? '', /^command:chainside\.lookUpAddress\?\["0x5a5A/);
      assert.match(to ?? '', /^command:chainside\.lookUpAddress\?\["0xC0C0/);
    });

    it('have a tab each, by their short hash, to be compared', async () => {
      await show(HASH);
      await show(FAILED);
      await show(HASH);
      const labels = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
      assert.deepEqual(labels, ['Transaction 0x7a7a…7a7a', 'Transaction 0xfafa…fafa']);
    });

    it('that failed have why, and the line that reverted', async () => {
      const text = await showKnown(FAILED, /HarborUnpaid/);
      assert.match(text, /Why it failed\n {2}Reverted with error HarborUnpaid[\s\S]*missing uint256 = 7/);
      assert.match(text, /It may have reverted at\n {4}\S*src\/HarborShop\.sol:7/);
      assert.ok((await linksIn()).some((link) => link.endsWith('HarborShop.sol#L7')));
    });

    it('are asked for in a box that takes hashes alone, filled with the one under the cursor', async () => {
      using person = stubDialogs();
      person.types = [` ${HASH}\n`];
      assert.match(await show(), /Status: Success/);
      assert.match(person.prompts.join(), /Hash of a transaction on Harbor/);
      await commands.executeCommand('workbench.action.closeAllEditors');
      await commands.executeCommand('chainside.showTransaction');
      assert.equal(window.activeTextEditor, undefined);
      await assert.rejects(async () => show('0x12'), /Not a transaction hash/);
    });

    it('say why there is no answer, and try again', async () => {
      const good = server.answer;
      using person = stubDialogs();
      person.presses = ['Retry'];
      server.answer = (asked) => (person.told.length === 0 ? { status: 403, body: 'no' } : good(asked));
      assert.match(await show(HASH), /Status: Success/);
      assert.equal(person.told.length, 1);
      assert.match(person.told[0] ?? '', /forbids this request/);
    });

    it('are told of by no endpoint that has neither methods nor explorer for it', async () => {
      server.answer = answerCalls(() => new NodeError(-32601, 'no'));
      await selectNetwork('bare');
      using person = stubDialogs();
      await commands.executeCommand('chainside.showTransaction', HASH);
      await waitUntil(() => person.told.length > 0);
      assert.match(person.told.join(), /^The endpoint of Bare cannot look up transactions/);
    });
  });

  describe('in a document of an earlier window', () => {
    let earlier = 0;
    /** The URI of the document of a transaction, in a tab that this window has not filled. */
    async function leave(hash: string): Promise<Uri> {
      await showKnown(hash, /Status: /);
      const { uri } = window.activeTextEditor?.document ?? assert.fail('No editor is active.');
      await commands.executeCommand('workbench.action.closeAllEditors');
      server.requests.length = 0;
      return Uri.parse(uri.with({ path: `/Chainside/Earlier ${++earlier}` }).toString());
    }
    const restore = async (uri: Uri) => (await window.showTextDocument(uri)).document.getText();

    it('are read again from their own network, and have their links', async () => {
      const uri = await leave(HASH);
      assert.match(await restore(uri), /\nTransaction 0x7a7a\w+ on Harbor\n\nStatus: Success\n/);
      assert.ok(asked().length > 0);
      assert.match((await linksIn(uri)).join(), /chainside\.lookUpAddress/);
    });

    it('ask no other network, say which one to select, and are read when it is active', async () => {
      const uri = await leave(HASH);
      await selectNetwork('bare');
      server.requests.length = 0;
      const text = await restore(uri);
      assert.match(
        text,
        new RegExp(
          `^Transaction on Harbor\n${HASH}\n\nThis transaction is on Harbor. The active network is Bare.`,
        ),
      );
      assert.match(text, /\nSelect Harbor to load the transaction here\.$/);
      assert.deepEqual(asked(), []);
      assert.deepEqual(await linksIn(uri), []);
      await selectNetwork('harbor');
      await waitUntil(() => /Status: Success/.test(shown()));
    });

    it('ask nobody while no network is chosen', async () => {
      const uri = await leave(HASH);
      await writeSettings({ 'chainside.network': undefined });
      assert.match(await restore(uri), /\nNo network is chosen\.\nSelect Harbor to load/);
      assert.deepEqual(asked(), []);
    });

    it('say why there is no answer, and that the hash is a link to try again', async () => {
      const uri = await leave(HASH);
      server.answer = () => ({ status: 403, body: 'no' });
      const text = await restore(uri);
      assert.match(
        text,
        /^Transaction 0x7a\w+ on Harbor\n\n.*forbids this request.*\nSelect the hash to try/,
      );
      const [link] = await linksIn(uri);
      assert.equal(link, `command:chainside.showTransaction?["${HASH}"]`);
    });

    it('refuse a stored state that is none, and ask nobody', async () => {
      const uri = await leave(HASH);
      const key = JSON.parse(uri.query);
      const keys = ['', '1', '{', '[]', JSON.stringify({ ...key, hash: '0x12' })];
      const long = JSON.stringify({ ...key, network: 'x'.repeat(1000) });
      for (const query of [...keys, long]) {
        assert.match(await restore(uri.with({ query })), /^This transaction cannot be restored\./, query);
      }
      assert.deepEqual(asked(), []);
    });
  });

  it('stand in the document of their block, which its number, its hash and a tag open', async () => {
    await showKnown(HASH, /HarborPaid/);
    for (const at of ['16', BLOCK, 'latest', 16]) {
      await commands.executeCommand('chainside.showBlock', at);
      assert.match(shown(), /^Block 16 on Harbor\n\nHash: 0xb1b1/);
      assert.match(
        shown(),
        /\n {2}0: transaction 0x7a7a\w+\n {4}0x\S+ → 0x\S+ · payHarbor\(uint256\) · 1\.5 HBR\n/,
      );
      await commands.executeCommand('workbench.action.closeAllEditors');
    }
    await commands.executeCommand('chainside.showTransaction', BLOCK);
    assert.match(shown(), /^Block 16 on Harbor\n/);
    await assert.rejects(async () => commands.executeCommand('chainside.showBlock', 'x'), /Not a block/);
  });

  describe('by a hover', () => {
    it('are told in short where the text calls them a hash, with a link to all of it', async () => {
      await showKnown(HASH, /HarborPaid/);
      const text = await hover(`"transactionHash": "${HASH}"`, 'json');
      assert.match(text, /\*\*Transaction on Harbor\*\* · Success/);
      assert.match(text, /Block 16 · 2025-/);
      assert.match(text, /Value 1\.5 HBR · Fee/);
      assert.match(text, /Call to \*\*function payHarbor/);
      assert.match(text, /Logs: 1 · Balance changes: 2$/);
      await followLink(text, 'chainside.showTransaction');
      assert.match(shown(), /Status: Success/);
      assert.match(await hover(`tx ${FAILED}`), /Failed[\s\S]*Reverted with \*\*error HarborUnpaid/);
      assert.match(await hover(`block ${BLOCK}`), /Hash of block 16 on Harbor/);
    });

    it('are counted where the text calls a number a block, and nobody is asked elsewhere', async () => {
      const text = await hover('"blockNumber": "0x10"', 'json');
      assert.match(text, /\*\*Block 16 on Harbor\*\* · 2025-\S+Z \(\d+ days ago\)/);
      assert.match(text, /Transactions: 2 · Gas: 50\.0 % · \[Show Block\]\(command:chainside\.showBlock/);
      assert.equal(await hover('"fromBlock": "0x11"', 'json'), '');
      server.requests.length = 0;
      assert.equal(await hover('"gas": "0x10"', 'json'), '');
      assert.deepEqual(asked(), []);
    });

    it('are asked for once in a while only', async () => {
      await hover(`tx ${HASH} ${'-'.repeat(1)}`);
      const before = asked().length;
      assert.match(await hover(`tx ${HASH}`), /Success/);
      assert.equal(asked().length, before);
    });

    it('are only offered where the text does not say, and asked for by nobody', async () => {
      assert.match(
        await hover(`bytes32 constant ROOT = 0x${'4d'.repeat(32)};`),
        /Look Up Transaction on Harbor/,
      );
      assert.deepEqual(asked(), []);
    });

    it('are none of what may be a key, of a number, and of what nobody knows', async () => {
      for (const text of [`PRIVATE_KEY=${HASH}`, `tx of 0x${'7'.padStart(64, '0')}`, `tx 0x12345678`]) {
        assert.equal(await hover(text), '', text);
      }
      assert.deepEqual(asked(), []);
      assert.equal(await hover(`tx 0x${'56'.repeat(32)}`), '');
    });

    it('are none while no network is chosen, and by setting', async () => {
      await writeSettings({ 'chainside.hover.enabled': false });
      assert.equal(await hover(`tx 0x${'57'.repeat(32)}`), '');
      await writeSettings({ 'chainside.hover.enabled': undefined, 'chainside.network': undefined });
      assert.equal(await hover(`tx 0x${'58'.repeat(32)}`), '');
      assert.deepEqual(asked(), []);
    });
  });

  describe('of hostile servers', function () {
    this.timeout(180_000);

    it('have words that the editor does not act on, in document and hover', async () => {
      const texts = byTurns(Object.entries(hostileTexts), 4, 1);
      const hashOf = (index: number) => `0x${'e'.repeat(60)}${(index + 1).toString(16).padStart(4, '0')}`;
      const document = await open(texts.map((_, index) => `tx ${hashOf(index)}`).join('\n'));
      for (const [index, [name, text]] of texts.entries()) {
        failure = new NodeError(3, `execution reverted: ${text}`);
        const hash = hashOf(index);
        const good = server.answer;
        server.answer = ({ body }) => {
          const answered = good({ url: '', body: body.replaceAll(hash, FAILED) }).body;
          return { body: JSON.parse(JSON.stringify(answered).replaceAll(FAILED, hash)) };
        };
        const hovered = await hoverAt(document.uri, 6, index);
        assert.ok(hovered.length > 0, name);
        assert.deepEqual(hovered.flatMap(findUnsafeMarkdown), [], name);
        const lines = (await show(hash)).split('\n');
        assert.deepEqual(
          lines.flatMap((line) => findUnsafeParts(line.trim())),
          [],
          name,
        );
        server.answer = good;
      }
    });
  });
});
