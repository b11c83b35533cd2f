import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type TreeItem, Uri, WorkspaceEdit, type WorkspaceFolder, workspace } from 'vscode';
import type { Address } from '../../src/core/index.ts';
import { nameLines } from '../../src/features/addresses/hover/nameLines.ts';
import { markdownOf } from '../../src/host/surface/markdown.ts';
import { treeItem } from '../../src/host/surface/tree.ts';
import { type AddressView, createAddressView } from './support/addressView.ts';
import { selectNetwork, until, useNetworks } from './support/extension.ts';

const VAULT: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const OTHER: Address = `0x${'22'.repeat(20)}`;

describe('names of addresses', () => {
  let view: AddressView;
  let folder: WorkspaceFolder;
  let labels: Uri;

  useNetworks(() => ({
    here: { name: 'Here', chainId: 77, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' },
    there: { name: 'There', chainId: 5, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' },
  }));

  beforeEach(async () => {
    await selectNetwork('here');
    folder = workspace.workspaceFolders?.[0] ?? assert.fail('No folder is open.');
    labels = Uri.joinPath(folder.uri, '.chainside', 'labels.json');
    view = createAddressView();
    await view.book.ready;
  });
  afterEach(async () => {
    view.dispose();
    await workspace.fs.delete(Uri.joinPath(folder.uri, '.chainside'), { recursive: true }).then(
      () => undefined,
      () => undefined,
    );
  });

  const deployment = (chainId: string) => ({
    deployments: [
      {
        chainId,
        address: VAULT,
        contract: 'Vault',
        block: 1234n,
        transaction: undefined,
        commit: 'abcdef0123',
      },
    ],
  });
  const name = (address: Address) => view.names.nameOf(address, 77)?.name;
  const hover = () => markdownOf(nameLines(view, VAULT)).value;

  it('are read from the file of the team, and followed as it changes', async () => {
    assert.equal(name(VAULT), undefined);
    await workspace.fs.writeFile(
      labels,
      new TextEncoder().encode(`{"labels":[{"address":"${VAULT}","name":"A"}]}`),
    );
    await until(() => name(VAULT) === 'A');
    await workspace.fs.writeFile(labels, new TextEncoder().encode('{"labels":['));
    await until(() => name(VAULT) === undefined);
    await workspace.fs.delete(labels);
    assert.ok(await view.names.team.write(folder, { address: OTHER, name: 'B', chainId: 77 }));
    assert.equal(name(OTHER), 'B');
  });

  it('are written into that file as it stands in the editor, and nothing into what is no such file', async () => {
    const { team } = view.names;
    await team.write(folder, { address: VAULT, name: 'A', chainId: undefined });
    const document = await workspace.openTextDocument(labels);
    await team.write(folder, { address: VAULT, name: 'B', chainId: undefined });
    assert.equal(name(VAULT), 'B');
    assert.equal(document.isDirty, false);
    const typed = new WorkspaceEdit();
    typed.insert(labels, document.positionAt(document.getText().length), '\n');
    await workspace.applyEdit(typed);
    await team.write(folder, { address: OTHER, name: 'C', chainId: 77 });
    assert.equal(document.isDirty, true);
    assert.ok(isDeepStrictEqual(JSON.parse(document.getText()).labels.length, 2));
    await document.save();
    await until(() => name(OTHER) === 'C');
    await workspace.fs.writeFile(labels, new TextEncoder().encode('[]'));
    await until(() => document.getText() === '[]');
    assert.equal(await team.write(folder, { address: OTHER, name: 'D', chainId: 77 }), false);
    assert.equal(document.getText(), '[]');
  });

  it('stand in the tree with the address beside them, one’s own label above all', async () => {
    await view.book.watch(VAULT);
    const row = (): TreeItem => treeItem(view.tree.getTreeItem(view.tree.nodeOf(VAULT)));
    assert.equal(row().label, '0x5FbD…0aa3');
    view.contracts.put('broadcast/run-latest.json', deployment('77'));
    assert.equal(row().label, 'Vault');
    assert.match(String(row().description), /^0x5FbD…0aa3/);
    assert.match(String(row().tooltip), /^Vault \(deployment in broadcast\/run-latest\.json\)\n0x5FbDB/);
    await view.book.setLabel(VAULT, 'Mine');
    assert.equal(row().label, 'Mine');
  });

  it('lead from a hover to the source and to who gives them', async () => {
    view.contracts.put('src/Vault.sol', {
      contracts: [{ name: 'Vault', source: 'src/Vault.sol', line: 12, abi: [], itemLines: [] }],
    });
    view.contracts.put('broadcast/run-latest.json', deployment('77'));
    const text = hover();
    assert.match(text, /\[Vault\]\(command:chainside\.goToPlace\?[^)]*src%2FVault\.sol[^)]*%22line%22%3A11/);
    assert.match(text, /block 1,234/);
    assert.match(text, /commit abcdef01 /);
    await view.book.setLabel(VAULT, '[x](command:evil)');
    assert.match(hover(), /your label[\s\S]*also Vault/);
  });

  it('say where else something is deployed, with a way there', async () => {
    view.contracts.put('broadcast/run-latest.json', deployment('5'));
    assert.equal(name(VAULT), undefined);
    assert.match(
      hover(),
      /\*\*Vault\*\* · Deployed on There, not on Here · \[Switch to There\]\(command:chainside\.switchToChain\?%5B5%5D\)/,
    );
    await view.book.watch(VAULT);
    const row = treeItem(view.tree.getTreeItem(view.tree.nodeOf(VAULT)));
    assert.match(String(row.description), /^Deployed on There, not on Here/);
    assert.match(row.contextValue ?? '', /\belsewhere\b/);
  });

  it('are found among constants of the code, once it has been searched', async () => {
    const source = Uri.joinPath(folder.uri, 'Named.sol');
    const text = `contract A {\n  address constant TREASURY = ${OTHER};\n}`;
    await workspace.fs.writeFile(source, new TextEncoder().encode(text));
    try {
      view.search.searchAgain();
      await until(() => name(OTHER) === 'TREASURY');
      const { file, line } = view.names.nameOf(OTHER, 77) ?? {};
      assert.deepEqual([file, line], ['Named.sol', 2]);
    } finally {
      await workspace.fs.delete(source);
    }
  });
});
