import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { commands, Uri, WorkspaceEdit, type WorkspaceFolder, window, workspace } from 'vscode';
import type { Address } from '../../../../src/core/index.ts';
import { createActiveNames } from '../../../../src/features/addresses/addressBook.ts';
import { labelForTeam } from '../../../../src/features/addresses/commands/addressCommands.ts';
import {
  createActionLine,
  createHeadingLines,
} from '../../../../src/features/addresses/hover/hoverContent.ts';
import { createMarkdown } from '../../../../src/host/ui/markdown.ts';
import { toTreeItem } from '../../../../src/host/ui/tree.ts';
import { type AddressView, createAddressView } from '../../../support/host/addressView.ts';
import { stubDialogs } from '../../../support/host/dialogs.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const VAULT: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const OTHER: Address = `0x${'22'.repeat(20)}`;

describe('names of addresses', () => {
  useExtension();
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
    await commands.executeCommand('workbench.action.closeAllEditors');
    await workspace.fs.delete(Uri.joinPath(folder.uri, '.chainside'), { recursive: true }).then(
      () => undefined,
      () => undefined,
    );
  });

  const write = (uri: Uri, text: string) => workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const LABELLED = `{"labels":[{"address":"${VAULT}","name":"A"}]}`;
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
  const place = { file: 'file:///Pay.sol', line: 0, character: 0 };
  const hovered = { address: VAULT, written: VAULT, offset: 0, place };
  const hover = () =>
    createMarkdown([
      ...createHeadingLines(hovered, { ...view, units: undefined }),
      createActionLine(hovered, { ...view, isToken: false, isNft: false, hasCode: false }),
    ]).value;

  it('have links to read a contract known to have code, and its NFTs if it has any, and others have none', () => {
    const linksOf = (is: boolean) =>
      createMarkdown([createActionLine(hovered, { ...view, isToken: false, isNft: is, hasCode: is })]).value;
    assert.match(linksOf(true), /\[NFTs\]\(command:chainside\.showNftContract\?/);
    assert.match(linksOf(true), /\[Read Contract…\]\(command:chainside\.readContract\?/);
    assert.doesNotMatch(linksOf(false), /NFTs|Read Contract/);
  });

  it('are read from the file of the team, and followed as it changes', async () => {
    assert.equal(name(VAULT), undefined);
    await view.names.ready;
    await write(labels, LABELLED);
    await waitUntil(() => name(VAULT) === 'A');
    await write(labels, '{"labels":[');
    await waitUntil(() => name(VAULT) === undefined);
    await workspace.fs.delete(labels);
    assert.ok(await view.names.team.write(folder, { address: OTHER, name: 'B', chainId: 77 }));
    assert.equal(name(OTHER), 'B');
  });

  it('are all there once they are ready: of the team, and constants of the code', async () => {
    const source = Uri.joinPath(folder.uri, 'Ready.sol');
    await write(source, `address constant READY = ${OTHER};`);
    await write(labels, LABELLED);
    const fresh = createAddressView();
    try {
      await fresh.names.ready;
      assert.deepEqual(
        [VAULT, OTHER].map((address) => fresh.names.nameOf(address, 77)?.name),
        ['A', 'READY'],
      );
    } finally {
      fresh.dispose();
      await workspace.fs.delete(source);
    }
  });

  it('name their files as the index does, which tells apart folders that are called the same', async () => {
    const fresh = createAddressView((uri) => `second (2)${uri.path.slice(folder.uri.path.length)}`);
    await write(labels, LABELLED);
    try {
      await fresh.names.ready;
      assert.equal(fresh.names.nameOf(VAULT, 77)?.file, 'second (2)/.chainside/labels.json');
    } finally {
      fresh.dispose();
    }
  });

  it('are written into that file as it stands in the editor, and nothing into what is no such file', async () => {
    const { team } = view.names;
    await team.write(folder, { address: VAULT, name: 'A', chainId: undefined });
    const document = await workspace.openTextDocument(labels);
    await team.write(folder, { address: VAULT, name: 'B', chainId: undefined });
    assert.equal(name(VAULT), 'B');
    assert.equal(document.isDirty, false);
    await waitUntil(() => document.getText().includes('"B"'));
    const typed = new WorkspaceEdit();
    typed.insert(labels, document.positionAt(document.getText().length), '\n');
    await workspace.applyEdit(typed);
    await team.write(folder, { address: OTHER, name: 'C', chainId: 77 });
    assert.equal(document.isDirty, true);
    assert.ok(isDeepStrictEqual(JSON.parse(document.getText()).labels.length, 2));
    assert.ok(await document.save());
    await waitUntil(() => name(OTHER) === 'C');
    await write(labels, '[]');
    await waitUntil(() => document.getText() === '[]');
    assert.equal(await team.write(folder, { address: OTHER, name: 'D', chainId: 77 }), false);
    assert.equal(document.getText(), '[]');
  });

  it('are written through no link out of the workspace, also where nothing is there yet', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'chainside-labels-'));
    const { team } = view.names;
    const change = { address: VAULT, name: 'A', chainId: undefined };
    const at = Uri.joinPath(folder.uri, '.chainside');
    try {
      rmSync(at.fsPath, { recursive: true, force: true });
      symlinkSync(outside, at.fsPath);
      assert.equal(await team.write(folder, change), false);
      rmSync(at.fsPath);
      mkdirSync(at.fsPath);
      symlinkSync(join(outside, 'new.json'), labels.fsPath);
      assert.equal(await team.write(folder, change), false);
      assert.deepEqual(readdirSync(outside), []);
    } finally {
      rmSync(at.fsPath, { recursive: true });
      rmSync(outside, { recursive: true });
    }
  });

  it('are given for the team on one chain or on all, and taken away again', async () => {
    using person = stubDialogs();
    const active = createActiveNames(view.names, view.session);
    const written = async () =>
      JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(labels))).labels;
    person.types = ['Here alone', 'Everywhere', ''];
    person.picks = ['Here only', 'Every chain', 'Every chain'];
    await labelForTeam({ ...view, active }, OTHER);
    assert.deepEqual([name(OTHER), view.names.nameOf(OTHER, 5)?.name], ['Here alone', undefined]);
    await labelForTeam({ ...view, active }, OTHER);
    assert.equal(view.names.nameOf(OTHER, 5)?.name, 'Everywhere');
    await labelForTeam({ ...view, active }, OTHER);
    assert.deepEqual(await written(), [{ address: OTHER, name: 'Here alone', chainId: 77 }]);
    person.types = ['Shared'];
    person.picks = ['For the Team', 'Every chain'];
    await commands.executeCommand('chainside.labelAddress', OTHER);
    assert.deepEqual(
      (await written()).map((entry: { name: string }) => entry.name),
      ['Here alone', 'Shared'],
    );
    await write(labels, '{');
    person.types = ['Any'];
    person.picks = ['Every chain'];
    await labelForTeam({ ...view, active }, OTHER);
    assert.deepEqual(person.told, [
      'Could not save the label: .chainside/labels.json is not a label file, or it is a symbolic link.',
    ]);
  });

  it('lead by their links to files of the workspace alone', async () => {
    const linked = Uri.joinPath(folder.uri, '.chainside', 'linked.txt');
    await write(linked, 'one\ntwo');
    await commands.executeCommand('workbench.action.closeAllEditors');
    const elsewhere = Uri.joinPath(folder.uri, '..', 'elsewhere.txt');
    await commands.executeCommand('chainside.goToPlace', { file: elsewhere.toString(), line: 0 });
    const shown = () => window.activeTextEditor;
    assert.equal(shown(), undefined);
    await commands.executeCommand('chainside.goToPlace', { file: linked.toString(), line: 1 });
    assert.equal(shown()?.document.uri.toString(), linked.toString());
    assert.equal(shown()?.selection.active.line, 1);
  });

  it('lead from a hover to the source and to who gives them', async () => {
    view.contracts.put('src/Vault.sol', {
      contracts: [{ name: 'Vault', source: 'src/Vault.sol', line: 12, abi: [], itemLines: [] }],
    });
    view.contracts.put('broadcast/run-latest.json', deployment('77'));
    const text = hover();
    assert.match(text, /\[Source\]\(command:chainside\.goToPlace\?[^)]*src%2FVault\.sol[^)]*%22line%22%3A11/);
    assert.match(text, /block 1,234/);
    assert.match(text, /commit abcdef01/);
    assert.match(text, /^\*\*Vault\*\* · Here\n\n/);
    await view.book.setLabel(VAULT, '[x](command:evil)');
    assert.match(hover(), /^\*\*\\\[x\\\].*\n\nYour label · Vault · Deployed by /);
  });

  it('say where else something is deployed, with a way there', async () => {
    view.contracts.put('broadcast/run-latest.json', deployment('5'));
    assert.equal(name(VAULT), undefined);
    assert.match(
      hover(),
      /\*\*Vault\*\* · Deployed on There, not on Here · \[Switch to There\]\(command:chainside\.switchToChain\?%5B5%5D\)/,
    );
    await view.book.watch(VAULT);
    const row = toTreeItem(view.tree.getTreeItem(view.tree.getNode(VAULT)));
    assert.match(String(row.description), /^Deployed on There, not on Here/);
    assert.match(row.contextValue ?? '', /\belsewhere\b/);
  });
});
