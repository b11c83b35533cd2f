import assert from 'node:assert/strict';
import { commands, type Location, type LocationLink, window, workspace } from 'vscode';
import { type SourcifyServer, startSourcify } from '../../../../localnet/sourcify/server.ts';
import { type Address, type Origin, toChecksumAddress } from '../../../../src/core/index.ts';
import { createAddressView } from '../../../support/host/addressView.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { openDecoding } from '../../../support/host/openPanel.ts';
import { type RecordedServer, startRecordedServer } from '../../../support/host/recordedServer.ts';
import {
  selectNetwork,
  useNetworks,
  useSettings,
  waitUntil,
  writeSettings,
} from '../../../support/host/settings.ts';
import { verifiedOf } from '../../../support/verifiedOf.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const CHAIN = 7_700_078;
const QUAY: Address = `0x${'a4'.repeat(20)}`;
const NOTHING: Address = `0x${'a5'.repeat(20)}`;
const QUAY_SOL = [
  'import "./Rope.sol";',
  '',
  '/* \u202e */ contract Quay is Rope {',
  '  event Tied(uint256 rope);',
  '  function tie() external { emit Tied(1); emit Cut(1); }',
  '}\n',
].join('\r\n');
/** As the editor shows it. */
const SHOWN = QUAY_SOL.replace('\u202e', '<U+202E>').replaceAll('\r\n', '\n');
const ROPE_SOL = 'contract Rope {\n  // Not here: event Cut\n  event Cut(uint256 rope);\n}\n';

describe('the source of a verified contract', () => {
  useExtension();
  let sourcify: SourcifyServer;
  let explorer: RecordedServer;
  const person = useDialogs();

  before(async () => {
    const sources = { 'src/Rope.sol': ROPE_SOL, 'src/Quay.sol': QUAY_SOL };
    const registry = verifiedOf({ chainId: CHAIN, address: QUAY, name: 'Quay', abi: [], sources });
    sourcify = await startSourcify({ registry, chainId: CHAIN, ask: async () => '0x0' });
    explorer = await startRecordedServer();
  });
  after(() => Promise.all([sourcify.stop(), explorer.close()]));
  useNetworks(() => ({
    quay: { name: 'Quay', chainId: CHAIN, rpcUrl: 'http://127.0.0.1:1' },
    twin: { name: 'Twin', chainId: CHAIN, rpcUrl: `${explorer.url}/api/eth-rpc` },
    told: { name: 'Told', chainId: CHAIN + 1, rpcUrl: `${explorer.url}/api/eth-rpc` },
  }));
  useSettings(() => ({
    'chainside.sources.sourcifyUrl': sourcify.url,
    'chainside.sources.sourcify': 'allow',
  }));

  beforeEach(async () => {
    await selectNetwork('quay');
    sourcify.forgetRequests();
    explorer.answer = () => ({ status: 404, body: { message: 'Not found' } });
    explorer.requests.length = 0;
  });
  afterEach(async () => {
    sourcify.setIntercept(undefined);
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  const allow = (consent: string | undefined) => writeSettings({ 'chainside.sources.sourcify': consent });
  const open = (given?: unknown) => commands.executeCommand('chainside.openVerifiedSource', given);
  function shown() {
    const { document, selection } = window.activeTextEditor ?? assert.fail('No editor is active.');
    return { document, line: selection.active.line };
  }

  it('is opened from the service that the user allows, at its contract', async () => {
    await open(QUAY);
    const { document, line } = shown();
    const { scheme, authority, path } = document.uri;
    assert.deepEqual([scheme, authority], ['chainside-source', new URL(sourcify.url).host]);
    assert.equal(path, `/${CHAIN}/${toChecksumAddress(QUAY)}/src/Quay.sol`);
    assert.equal(document.getText(), SHOWN);
    assert.equal(line, 2);
    assert.deepEqual([person.told, person.prompts], [[], []]);
    await commands.executeCommand('workbench.action.closeAllEditors');
    person.types = [QUAY];
    await open();
    assert.equal(shown().document.uri.path, path);
    assert.deepEqual(person.prompts, ['Address of the contract']);
  });

  it('is asked for on the chain of the row that it is opened from', async () => {
    await selectNetwork('told');
    await open({ account: QUAY, chainId: CHAIN });
    assert.equal(shown().document.uri.path, `/${CHAIN}/${toChecksumAddress(QUAY)}/src/Quay.sol`);
    // The Chain view, where it is shown, asks for the latest block.
    assert.deepEqual(
      explorer.requests.filter((request) => request.includes(QUAY)),
      [],
    );
  });

  it('is one that nobody has verified, or that may not be asked for', async () => {
    await open(NOTHING);
    assert.deepEqual(person.told, [
      `No allowed provider has a verified source for ${toChecksumAddress(NOTHING)}.`,
    ]);
    await allow('never');
    sourcify.forgetRequests();
    // The editor tells of settings a little later than it writes them.
    await waitUntil(async () => {
      sourcify.forgetRequests();
      await commands.executeCommand('workbench.action.closeAllEditors');
      await open(QUAY);
      return sourcify.requestCount === 0;
    });
    assert.equal(
      person.told.at(-1),
      `No allowed provider has a verified source for ${toChecksumAddress(QUAY)}.`,
    );
    assert.equal(window.activeTextEditor, undefined);
  });

  it('is asked for of Sourcify once the user allows it, who wanted to see it', async () => {
    await allow('ask');
    const settled = () => workspace.getConfiguration().get('chainside.sources.sourcify') === 'ask';
    await waitUntil(settled);
    await open(QUAY);
    const words = person.told[0] ?? '';
    assert.ok(
      words.startsWith(
        `Allow requests to ${new URL(sourcify.url).host}? It may have the source of ${toChecksumAddress(QUAY)}.`,
      ),
    );
    assert.deepEqual([person.told.length, sourcify.requestCount], [2, 0]);
    assert.match(person.told[1] ?? '', /^No allowed provider has a verified source for /);
    // Asked for by hand they are asked again, whatever they closed before.
    person.presses = ['Allow'];
    await open(QUAY);
    assert.equal(shown().document.uri.path, `/${CHAIN}/${toChecksumAddress(QUAY)}/src/Quay.sol`);
    assert.equal(person.told.length, 3);
    assert.equal(workspace.getConfiguration().get('chainside.sources.sourcify'), 'allow');
  });

  it('leads from what it emits to where that is declared, in what it imports too', async () => {
    await open(QUAY);
    const { document } = shown();
    const placesOf = async (words: string, by = 0): Promise<readonly (readonly [string, number])[]> => {
      const position = document.positionAt(document.getText().indexOf(words) + by);
      const found = await commands.executeCommand<readonly (Location | LocationLink)[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        position,
      );
      return found.map((one) =>
        'uri' in one
          ? [one.uri.path, one.range.start.line]
          : [one.targetUri.path, one.targetRange.start.line],
      );
    };
    const folder = `/${CHAIN}/${toChecksumAddress(QUAY)}/src`;
    assert.deepEqual(await placesOf('Tied(1)', 2), [[`${folder}/Quay.sol`, 3]]);
    assert.deepEqual(await placesOf('Cut('), [[`${folder}/Rope.sol`, 2]]);
    assert.deepEqual(await placesOf('contract Quay'), []);
  });

  it('shows the declaration that a decoded log is of', async () => {
    await open(QUAY);
    await commands.executeCommand('workbench.action.closeAllEditors');
    const view = createAddressView();
    const opened = await openDecoding(view);
    const originAt = (url: string): Origin => ({
      ...{ trust: 'verified', from: '', contract: 'Quay', line: undefined },
      verified: {
        ...{ chainId: CHAIN, address: QUAY },
        source: { name: 'any', origin: new URL(url).origin, takesKey: false },
      },
    });
    const event = 'event Cut(uint256 rope)';
    const folder = `/${CHAIN}/${toChecksumAddress(QUAY)}/src`;
    try {
      await opened.meaning.openOrigin(originAt(sourcify.url), event);
      const { document, line } = shown();
      assert.deepEqual([document.uri.path, line], [`${folder}/Rope.sol`, 2]);
      // The explorer is that of another network of the same chain.
      const file = {
        file_path: 'src/Quay.sol',
        source_code: 'contract Quay {\n\n  event Cut(uint256 rope);\n}',
      };
      explorer.answer = () => ({
        body: { is_verified: true, is_fully_verified: true, name: 'Quay', abi: [], ...file },
      });
      await opened.meaning.openOrigin(originAt(explorer.url), event);
      assert.equal(shown().document.uri.authority, new URL(explorer.url).host);
      assert.equal(shown().line, 2);
      await allow('never');
      assert.deepEqual(person.told, []);
      await opened.meaning.openOrigin(originAt(sourcify.url), event);
      assert.match(person.told[0] ?? '', /^The source of 0x\w{40} is no longer available from http/);
    } finally {
      await opened.dispose();
      view.dispose();
    }
  });

  it('comes from the explorer of the network first', async () => {
    const sources = { file_path: 'src/Pier.sol', source_code: 'contract Pier {}\n' };
    explorer.answer = ({ url }) =>
      url.includes('/smart-contracts/')
        ? { body: { is_verified: true, is_fully_verified: true, name: 'Pier', abi: [], ...sources } }
        : { status: 404, body: { message: 'Not found' } };
    await selectNetwork('told');
    await open(QUAY);
    const { document } = shown();
    assert.equal(document.uri.authority, new URL(explorer.url).host);
    assert.equal(document.getText(), 'contract Pier {}\n');
    assert.deepEqual(
      sourcify.requests.map(({ url }) => url),
      [],
    );
  });

  it('is not said to be missing where who might have it fails', async () => {
    explorer.answer = () => ({ status: 403, body: 'no' });
    await selectNetwork('told');
    // Of the other one the answer is kept.
    await open(NOTHING);
    assert.equal(person.told.length, 1);
    assert.ok(person.told[0]?.includes(explorer.url), person.told[0]);
    assert.doesNotMatch(person.told[0] ?? '', /has a verified source/);
  });
});
