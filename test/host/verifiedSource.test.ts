import assert from 'node:assert/strict';
import { commands, window } from 'vscode';
import { type SourcifyServer, startSourcify } from '../../localnet/sourcify/server.ts';
import { type Address, toChecksumAddress } from '../../src/core/index.ts';
import { type Person, standInForPerson } from './support/dialogs.ts';
import { activated, selectNetwork, until, useNetworks, writeSettings } from './support/extension.ts';
import { type RecordedServer, startRecordedServer } from './support/recordedServer.ts';
import { useSettings } from './support/useSettings.ts';
import { verifiedOf } from './support/verifiedOf.ts';

const CHAIN = 7_700_078;
const QUAY: Address = `0x${'a4'.repeat(20)}`;
const NOTHING: Address = `0x${'a5'.repeat(20)}`;
const QUAY_SOL =
  'import "./Rope.sol";\n\n/* \u202e */ contract Quay is Rope {\n  event Tied(uint256 rope);\n}\n';
const ROPE_SOL = 'contract Rope {}\n';

describe('the source of a verified contract', () => {
  let sourcify: SourcifyServer;
  let explorer: RecordedServer;
  let person: Person;

  before(async () => {
    await activated();
    const sources = { 'src/Rope.sol': ROPE_SOL, 'src/Quay.sol': QUAY_SOL };
    const registry = verifiedOf({ chainId: CHAIN, address: QUAY, name: 'Quay', abi: [], sources });
    sourcify = await startSourcify({ registry, chainId: CHAIN, ask: async () => '0x0' });
    explorer = await startRecordedServer();
  });
  after(() => Promise.all([sourcify.stop(), explorer.close()]));
  useNetworks(() => ({
    quay: { name: 'Quay', chainId: CHAIN, rpcUrl: 'http://127.0.0.1:1' },
    told: { name: 'Told', chainId: CHAIN + 1, rpcUrl: `${explorer.url}/api/eth-rpc` },
  }));
  useSettings(() => ({
    'chainside.sources.sourcifyUrl': sourcify.url,
    'chainside.sources.sourcify': 'allow',
  }));

  beforeEach(async () => {
    await selectNetwork('quay');
    person = standInForPerson();
    sourcify.forgetRequests();
    explorer.answer = () => ({ status: 404, body: { message: 'Not found' } });
    explorer.requests.length = 0;
  });
  afterEach(async () => {
    person.leave();
    sourcify.setIntercept(undefined);
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  const allow = (consent: string | undefined) => writeSettings({ 'chainside.sources.sourcify': consent });
  const open = (given?: unknown) => commands.executeCommand('chainside.openVerifiedSource', given);
  function shown() {
    const { document, selection } = window.activeTextEditor ?? assert.fail('No editor is active.');
    return { document, line: selection.active.line };
  }

  it('is opened from the service that the user allows, at its contract, and cannot be changed', async () => {
    await open(QUAY);
    const { document, line } = shown();
    const { scheme, authority, path } = document.uri;
    assert.deepEqual([scheme, authority], ['chainside-source', new URL(sourcify.url).host]);
    assert.equal(path, `/${CHAIN}/${toChecksumAddress(QUAY)}/src/Quay.sol`);
    assert.equal(document.getText(), QUAY_SOL.replace('\u202e', '<U+202E>'));
    assert.equal(line, 2);
    await commands.executeCommand('type', { text: 'x' });
    assert.equal(document.isDirty, false);
    assert.deepEqual([person.told, person.prompts], [[], []]);
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
    assert.deepEqual(person.told, [`${toChecksumAddress(NOTHING)} is not verified, as far as may be asked.`]);
    await allow('never');
    sourcify.forgetRequests();
    // The editor tells of settings a little later than it writes them.
    await until(async () => {
      sourcify.forgetRequests();
      await commands.executeCommand('workbench.action.closeAllEditors');
      await open(QUAY);
      return sourcify.requestCount === 0;
    });
    assert.equal(person.told.at(-1), `${toChecksumAddress(QUAY)} is not verified, as far as may be asked.`);
    assert.equal(window.activeTextEditor, undefined);
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
    assert.equal(sourcify.requestCount, 0);
  });

  it('is not said to be missing where who might have it fails', async () => {
    explorer.answer = () => ({ status: 403, body: 'no' });
    await selectNetwork('told');
    // Of the other one the answer is kept.
    await open(NOTHING);
    assert.equal(person.told.length, 1);
    assert.ok(person.told[0]?.includes(explorer.url), person.told[0]);
    assert.doesNotMatch(person.told[0] ?? '', /is not verified/);
  });
});
