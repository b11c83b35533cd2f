import assert from 'node:assert/strict';
import { commands, env, Selection, type Uri, window, workspace } from 'vscode';
import { transferEvents } from '../../../../src/core/index.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';
import { encodeItem } from '../../../support/decodingStubs.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { stubDialogs } from '../../../support/host/dialogs.ts';
import { waitUntil } from '../../../support/host/settings.ts';
import { followLink, hoverAt, hoverTextAt, linksIn } from '../../../support/host/shownLinks.ts';
import { useWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';
import { findUnsafeMarkdown, findUnsafeParts } from '../../../support/untrustedText.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const ADDRESS = `0x${'5a'.repeat(20)}`;
const UNPAID = 'error UnpaidOrder(address payer, uint256 amount)';

const CALL = encodeItem('function transfer(address to, uint256 value)', ADDRESS, 12_500n);
const REASON = encodeItem('error Error(string message)', 'not enough');
const UNPAID_REVERT = encodeItem(UNPAID, ADDRESS, 7n);

describe('decoding of hex', () => {
  useExtension();
  const {
    uri: uriOf,
    write,
    open,
  } = useWorkspaceFolder('decode', {
    'foundry.toml': '[profile.default]\n',
    'src/OrderShop.sol': `// SPDX-License-Identifier: MIT\ncontract OrderShop {\n    ${UNPAID};\n}\n`,
  });
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  describe('by a hover', () => {
    /** The hover once it has `wanted`: contracts are read in the background. */
    async function hover(text: string, wanted: RegExp, extension = 'txt'): Promise<string> {
      const document = await open(text, extension);
      let shown = '';
      await waitUntil(async () => {
        shown = await hoverTextAt(document.uri, text.indexOf('0x') + 3);
        return wanted.test(shown);
      });
      return shown;
    }
    const hoverNow = async (text: string) => hoverTextAt((await open(text)).uri, text.indexOf('0x') + 3);

    it('has a contract of the workspace, with a link to its source', async () => {
      for (const extension of ['txt', 'json', 'ts']) {
        const text = await hover(`revert: ${UNPAID_REVERT.slice(0, 10)}`, /OrderShop/, extension);
        assert.match(text, /Selector of \*\*error UnpaidOrder\(address payer, uint256 amount\)\*\*/);
        assert.match(text, /command:chainside\.goToPlace\?[^)]*OrderShop\.sol/);
      }
      const revert = await hover(UNPAID_REVERT, /OrderShop/);
      assert.match(revert, /Reverted with[^\n]*UnpaidOrder/);
      assert.match(revert, /\n- \*\*amount\*\* uint256 = 7/);
    });

    it('goes to the declaration by its link', async () => {
      const text = await hover(UNPAID_REVERT, /OrderShop/);
      await followLink(text, 'chainside.goToPlace');
      assert.match(window.activeTextEditor?.document.uri.path ?? '', /src\/OrderShop\.sol$/);
      assert.equal(window.activeTextEditor?.selection.active.line, 2);
    });

    it('is none where nothing is known, and leaves an address to its own', async () => {
      for (const text of ['0x12345678', `0x${'12'.repeat(64)}`, '0xa9059cbbz']) {
        assert.equal(await hoverNow(text), '', text);
      }
      // A hash may be looked up on the network, which is another matter.
      assert.doesNotMatch(await hoverNow(`0x${'12'.repeat(32)}`), /chainside\.decode/);
      const words = `0x${'5'.padStart(64, '0')}${'6'.padStart(64, '0')}`;
      assert.match(await hover(words, /Words/), /uint256 = 5/);
      await write('src/Words.sol', `bytes constant WORDS = hex"${words.slice(2)}"; // 0x`);
      const source = await workspace.openTextDocument(uriOf('src/Words.sol'));
      assert.equal(await hoverTextAt(source.uri, 40), '');
      assert.doesNotMatch(await hoverNow(ADDRESS), /chainside\.decode/);
    });

    it('says of what is cut off that it is, and what its selector says', async () => {
      for (const end of ['…', 'a...']) {
        const text = await hover(`${CALL.slice(0, 50)}${end}`, /transfer/);
        assert.match(text, /Begins with the selector of[\s\S]*Truncated in the text/);
      }
      assert.doesNotMatch(await hoverNow(CALL), /Truncated/);
    });

    it('says of a mebibyte what its selector says', async () => {
      const text = await hover(`0xa9059cbb${'00'.repeat(1024 * 1024 - 4)}`, /transfer/);
      assert.match(text, /1,048,576 bytes: too long to decode in a hover/);
      assert.ok(text.length < 2000);
    });

    it('makes no link and no icon of what a contract says', async () => {
      const texts = byTurns(Object.entries(hostileTexts), 4, 0);
      const reasons = texts.map(([, text]) => encodeItem('error Error(string message)', text));
      const document = await open(reasons.join('\n'));
      for (const [line, [what]] of texts.entries()) {
        const all = await hoverAt(document.uri, 5, line);
        assert.equal(all.length, 1, what);
        assert.deepEqual(all.flatMap(findUnsafeMarkdown), [], what);
      }
      await commands.executeCommand('chainside.decode', reasons.join(' '));
      assert.deepEqual(
        decoded()
          .split('\n')
          .map((line) => line.trim())
          .flatMap(findUnsafeParts),
        [],
      );
    });

    it('has the ether of a number in code, and none where another text says what it is', async () => {
      const hoverIn = async (text: string, extension: string) =>
        hoverTextAt((await open(text, extension)).uri, text.search(/\d/) + 3);
      for (const extension of ['sol', 'vy', 'ts', 'js', 'tsx']) {
        assert.match(
          await hoverIn('bid = 1500000000000000000;', extension),
          /\*\*1\.5 ether\*\* · 1,500,000,000,000,000,000 wei$/,
        );
      }
      assert.match(
        await hoverIn('gasPrice: "0x4a817c800"', 'ts'),
        /\*\*20 gwei\*\* · 0\.00000002 ether · 20,000,000,000 wei$/,
      );
      assert.equal(await hoverIn('bid = 1500000000000000000', 'txt'), '');
      assert.equal(await hoverIn('deadline = 1700000000', 'sol'), '');
      assert.doesNotMatch(await hoverIn('fromBlock: 1500000000000000000', 'ts'), /ether/);
    });

    it('opens what it says in a document, by its link', async () => {
      const text = await hover(`data: ${CALL}`, /transfer/);
      await followLink(text, 'chainside.decode');
      assert.match(decoded(), /value uint256 = 12,500/);
    });
  });

  /** The text of the document that answers. */
  function decoded(): string {
    const { document } = window.activeTextEditor ?? assert.fail('No editor is active.');
    assert.equal(document.uri.scheme, 'chainside-decoded');
    return document.getText();
  }

  describe('by the command', () => {
    async function show(content: string, ...selections: readonly Selection[]): Promise<void> {
      const editor = await window.showTextDocument(await open(content));
      editor.selections = selections.length > 0 ? selections : [new Selection(0, 0, 0, 0)];
    }

    it('takes all hex in what is selected, be it a whole test output', async () => {
      const output = `[FAIL: custom error ${UNPAID_REVERT.slice(0, 10)}: ${UNPAID_REVERT.slice(10)}]\n  └─ ← ${REASON}\n`;
      await show(`Ran 1 test\n${output}`, new Selection(1, 0, 3, 0));
      await commands.executeCommand('chainside.decode');
      const text = decoded();
      assert.match(text, /^Decoded from the selection\n/);
      assert.match(
        text,
        /Reverted with error UnpaidOrder[\s\S]*Defined in OrderShop in [\s\S]*amount uint256 = 7/,
      );
      assert.match(text, /\nline 3 · .*\n {2}Reverted with error Error/);
      const [place, payer, ...others] = await linksIn();
      assert.match(place ?? '', /src\/OrderShop\.sol#L3$/);
      assert.match(payer ?? '', /^command:chainside\.lookUpAddress\?\["0x5a5A/);
      assert.deepEqual(others, []);
    });

    it('takes several selections, and the hex under the cursor where nothing is selected', async () => {
      const content = `${CALL}\n0x12345678\n${REASON}`;
      await show(content, new Selection(0, 0, 0, CALL.length), new Selection(2, 0, 2, REASON.length));
      await commands.executeCommand('chainside.decode');
      assert.match(decoded(), /transfer[\s\S]*not enough/);
      assert.doesNotMatch(decoded(), /0x12345678/);
      await show(content, new Selection(1, 3, 1, 3));
      await commands.executeCommand('chainside.decode');
      assert.match(
        decoded(),
        /^Decoded at the cursor\n[\s\S]*No known function or error has the selector 0x12345678/,
      );
      assert.doesNotMatch(decoded(), /transfer/);
    });

    it('takes the clipboard where no hex is in front', async () => {
      await show('nothing');
      await env.clipboard.writeText(`Error: reverted with ${REASON}`);
      await commands.executeCommand('chainside.decode');
      assert.match(decoded(), /^Decoded from the clipboard\n[\s\S]*not enough/);
    });

    it('asks for hex where there is none, and says of a selection that it has none', async () => {
      await env.clipboard.writeText('nothing');
      using person = stubDialogs();
      await show('nothing');
      await commands.executeCommand('chainside.decode');
      assert.equal(window.activeTextEditor?.document.getText(), 'nothing');
      person.types = [REASON];
      await commands.executeCommand('chainside.decode');
      assert.match(decoded(), /^Decoded from your input\n[\s\S]*not enough/);
      await env.clipboard.writeText(CALL);
      await show('nothing', new Selection(0, 0, 0, 4));
      await commands.executeCommand('chainside.decode');
      assert.deepEqual(person.told, ['No hex found in the selection.']);
    });

    it('takes hex and logs as an argument', async () => {
      await commands.executeCommand('chainside.decode', CALL);
      assert.match(decoded(), /Call to function transfer/);
      const topics = [
        transferEvents.transfer.topic0,
        ...[1, 2].map((n) => `0x${String(n).padStart(64, '0')}`),
      ];
      const log = { address: ADDRESS, topics, data: `0x${'7'.padStart(64, '0')}` };
      await commands.executeCommand('chainside.decode', JSON.stringify([log]));
      assert.match(decoded(), /event Transfer[\s\S]*value uint256 = 7/);
      await assert.rejects(async () => commands.executeCommand('chainside.decode', 'none'), /No hex/);
    });

    let earlier = 0;
    /** Shows the document in a tab that this window has not filled, as the editor does after a reload. */
    async function restore(change: (uri: Uri) => Uri = (uri) => uri): Promise<string> {
      const { uri } = window.activeTextEditor?.document ?? assert.fail('No editor is active.');
      await window.showTextDocument(change(uri.with({ path: `/Chainside/Earlier ${++earlier}` })));
      return decoded();
    }

    it('is restored from its input with the window, whose bounds it keeps', async () => {
      await show(`revert ${UNPAID_REVERT}\n${REASON}`, new Selection(0, 0, 1, REASON.length));
      await commands.executeCommand('chainside.decode');
      const text = decoded();
      assert.match(text, /^Decoded from the selection\n[\s\S]*not enough/);
      assert.equal(
        await restore(),
        text.replace(/^Decoded from the selection/, 'Decoded').replaceAll(/^line \d+ · /gm, ''),
      );
      const cannot = /^The input was too long to be restored\. Decode it again\.$/;
      for (const query of ['', '[]', 'none', '-'.repeat(100_000)]) {
        assert.match(await restore((uri) => uri.with({ query })), cannot, query);
      }
      const log = { address: ADDRESS, topics: [transferEvents.transfer.topic0], data: '0x' };
      await commands.executeCommand('chainside.decode', JSON.stringify([log]));
      assert.match(await restore(), /^Decoded\n[\s\S]*Log from /);
      const reason = encodeItem('error Error(string message)', 'of a long text');
      await commands.executeCommand('chainside.decode', `${reason} ${'-'.repeat(40_000)}`);
      assert.match(decoded(), /of a long text/);
      assert.match(await restore(), cannot);
    });
  });
});
