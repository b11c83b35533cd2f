import assert from 'node:assert/strict';
import { type CodeLens, commands, TabInputTextDiff, Uri, version, window, workspace } from 'vscode';
import { type SourcifyServer, startSourcify } from '../../localnet/sourcify/server.ts';
import { hashText } from '../../src/core/eth/keccak.ts';
import { type Address, toChecksumAddress } from '../../src/core/index.ts';
import { useDialogs } from '../support/host/dialogs.ts';
import { localnetFromEnv } from '../support/localnetAddresses.ts';
import { verifiedOf } from '../support/verifiedOf.ts';
import {
  activateExtension,
  selectNetwork,
  useNetworks,
  useSettings,
  waitUntil,
} from './support/extension.ts';
import { watchedFolder } from './support/watchedFolder.ts';

/** Two versions of VS Code run these tests on one chain at the same time, each with its own addresses. */
const ofVersion = Buffer.from(version).toString('hex').padEnd(24, '0').slice(0, 24);
const VAULT: Address = `0x${'c0de'.repeat(4)}${ofVersion}`;
const STRANGER: Address = `0x${'c0d1'.repeat(4)}${ofVersion}`;
const DEPLOYED_SOURCE = 'contract Safe {\n  uint256 public total;\n}\n';
const SOURCE = 'contract Safe {\n  address public owner;\n  uint256 public total;\n}\n';
/** Not what solc would make of them; only bytes are compared. */
const CODE = '0x600160020100';
const OTHER_CODE = '0x600160030100';

const types = {
  t_uint256: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' },
  t_address: { encoding: 'inplace', label: 'address', numberOfBytes: '20' },
};
const at = (label: string, slot: string, type: string) => {
  return { astId: 1, contract: 'src/Safe.sol:Safe', label, offset: 0, slot, type };
};
const view = (name: string, type: string) => {
  return { type: 'function', name, inputs: [], outputs: [{ type, name: '' }], stateMutability: 'view' };
};
const metadata = (runs: number, keccak256: string) => ({
  compiler: { version: '0.8.30+commit.73712a01' },
  language: 'Solidity',
  output: { abi: [view('total', 'uint256'), ...(runs === 200 ? [view('owner', 'address')] : [])] },
  settings: {
    compilationTarget: { 'src/Safe.sol': 'Safe' },
    evmVersion: 'prague',
    optimizer: { enabled: true, runs },
  },
  sources: { 'src/Safe.sol': { keccak256 } },
});
const artifact = (code: string) => ({
  abi: metadata(200, hashText(SOURCE)).output.abi,
  bytecode: { object: code, sourceMap: '', linkReferences: {} },
  deployedBytecode: { object: code, sourceMap: '', linkReferences: {} },
  metadata: metadata(200, hashText(SOURCE)),
  storageLayout: {
    storage: [at('owner', '0', 't_address'), at('total', '1', 't_uint256')],
    types,
  },
  id: 0,
});
/** Of hardhat-deploy. */
const deployment = (code: string) => ({
  address: VAULT,
  abi: metadata(999, hashText(DEPLOYED_SOURCE)).output.abi,
  bytecode: code,
  deployedBytecode: code,
  metadata: JSON.stringify(metadata(999, hashText(DEPLOYED_SOURCE))),
  storageLayout: { storage: [at('total', '0', 't_uint256')], types },
  receipt: { contractAddress: VAULT, blockNumber: 1, status: 1 },
});

describe('deployed code compared with the workspace', () => {
  const { anvilUrl, chain } = localnetFromEnv();
  let folder: Uri;
  let sourcify: SourcifyServer;
  const person = useDialogs();

  before(async () => {
    await activateExtension();
    const registry = verifiedOf({
      ...{ chainId: chain.chainId, address: VAULT, name: 'Safe', abi: [] },
      sources: { 'src/Safe.sol': DEPLOYED_SOURCE, 'src/\u202eEvil.sol': '// \u202e\n' },
    });
    sourcify = await startSourcify({ registry, chainId: chain.chainId, ask: async () => '0x0' });
  });
  useNetworks(() => ({
    node: { name: 'Code Node', chainId: chain.chainId, rpcUrl: anvilUrl, symbol: 'ETH' },
  }));
  useSettings(() => ({
    'chainside.sources.sourcifyUrl': sourcify.url,
    'chainside.sources.sourcify': 'allow',
  }));

  before(async () => {
    folder = await watchedFolder('compared');
    await write('hardhat.config.js', 'module.exports = {};\n');
    await write('foundry.toml', '[profile.default]\nsrc = "src"\n');
    await write('src/Safe.sol', SOURCE);
    await write('out/Safe.sol/Safe.json', artifact(CODE));
    await write('deployments/node/.chainId', String(chain.chainId));
    await write('deployments/node/Safe.json', deployment(OTHER_CODE));
    await setCode(VAULT, CODE);
    await selectNetwork('node');
    await window.showTextDocument(source());
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await setCode(VAULT, '0x');
    await setCode(STRANGER, '0x');
    await workspace.fs.delete(folder, { recursive: true });
    await sourcify.stop();
  });

  const source = () => Uri.joinPath(folder, 'src/Safe.sol');
  async function write(path: string, content: string | object): Promise<void> {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await workspace.fs.writeFile(Uri.joinPath(folder, path), new TextEncoder().encode(text));
  }
  async function setCode(address: Address, code: string): Promise<void> {
    for (const [method, ...params] of [['anvil_setCode', address, code], ['evm_mine']]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(anvilUrl, { method: 'POST', headers, body });
      assert.equal(((await response.json()) as { error?: unknown }).error, undefined);
    }
  }
  async function lensTitles(): Promise<readonly string[]> {
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', source(), 100);
    return lenses.flatMap(({ command }) => command?.title ?? []);
  }
  const document = () => window.activeTextEditor?.document;
  async function compare(argument: unknown): Promise<string> {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await commands.executeCommand('chainside.compareCode', argument);
    await waitUntil(() => document()?.uri.scheme === 'chainside-code');
    return document()?.getText() ?? '';
  }

  it('changes its verdict with the code and with the build', async () => {
    await setCode(VAULT, OTHER_CODE);
    await waitUntil(async () => (await lensTitles()).includes('Different code'));
    await write('out/Safe.sol/Safe.json', artifact(OTHER_CODE));
    await waitUntil(async () => (await lensTitles()).includes('Same code'));
    await write('out/Safe.sol/Safe.json', artifact(CODE));
    await waitUntil(async () => (await lensTitles()).includes('Different code'));
  });

  it('shows what an upgrade would change, by the build in the file of the deployment', async () => {
    await setCode(VAULT, OTHER_CODE);
    const text = await compare(toChecksumAddress(VAULT));
    assert.match(text, /^Different code\n {2}Contract: Safe\n/);
    assert.match(text, /Deployed build: compared(-\d+)?\/deployments\/node\/Safe\.json/);
    assert.match(text, /Do not upgrade to this build: stored values would be read as others\./);
    assert.match(text, /Risk: total moves from slot 0 to slot 1\n {2}Risk: owner is inserted in slot 0/);
    assert.match(text, /Added: function owner\(\) view returns \(address\)/);
    assert.match(text, /optimizer\.runs: 200 here, 999 deployed\n/);
    assert.match(text, /\n {2}evmVersion: prague\n/);
  });

  it('shows the verified source beside that of the workspace', async () => {
    const argument = { address: VAULT, contract: 'Safe' };
    await commands.executeCommand('chainside.showSourceChanges', argument);
    const tab = () => window.tabGroups.activeTabGroup.activeTab;
    await waitUntil(() => tab()?.label.includes('Safe: deployed and in the workspace') ?? false);
    assert.deepEqual(person.told, []);
    assert.ok(tab() && !(tab()?.input instanceof TabInputTextDiff));
    assert.equal(tab()?.label.includes('\u202e'), false);
  });

  it('asks which contract should be at an address that is not in the project', async () => {
    await setCode(STRANGER, CODE);
    person.picks = ['Safe'];
    const text = await compare(toChecksumAddress(STRANGER));
    assert.match(text, /^Same code\n/);
    assert.equal(person.lists[0]?.placeHolder, 'Choose the contract that should be there');
  });

  it('says where there is no code', async () => {
    await setCode(STRANGER, '0x');
    person.picks = ['Safe'];
    const text = await compare(toChecksumAddress(STRANGER));
    assert.match(text, /^Not deployed here\n/);
    assert.match(text, /There is no code at 0x[0-9a-f]{40} in block \d+\./);
    assert.doesNotMatch(text, /Show Source Changes/);
  });
});
