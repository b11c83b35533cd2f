import assert from 'node:assert/strict';
import { openTreeView, type TreeRowProvider } from '../../../../src/host/ui/tree.ts';
import { viewIds } from '../../../../src/manifest.ts';
import { editor } from '../../../support/vscode/module.ts';

describe('a view', () => {
  it('counts as read with its first rows, not before', async () => {
    const key = 'chainside.queries.read';
    editor.contextKeys.delete(key);
    let resolve: (rows: string[]) => void = () => assert.fail();
    const promise = new Promise<string[]>((settle) => {
      resolve = settle;
    });
    const provider: TreeRowProvider<string> = {
      getTreeItem: (label) => ({ label, description: '', tooltip: [], accessibleLabel: label }),
      getChildren: () => promise,
    };
    const view = openTreeView(viewIds.queries, async () => provider, { readKey: key });
    const rows = Promise.resolve(editor.trees.get(viewIds.queries)?.getChildren());
    assert.equal(editor.contextKeys.get(key), undefined);
    resolve([]);
    await rows;
    assert.equal(editor.contextKeys.get(key), true);
    view.dispose();
  });
});
