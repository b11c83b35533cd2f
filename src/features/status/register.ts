import type * as vscode from 'vscode';
import { lazyPart, registerCommand } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import type { Credits } from '../../host/session/http.ts';
import { openTreeView } from '../../host/ui/tree.ts';
import { withViewProgress } from '../../host/ui/window.ts';
import { viewIds } from '../../manifest.ts';
import type { ChainRow, ChainTree } from './chainTree.ts';
import { HeadStore, type HeadStoreDeps } from './headStore.ts';
import { createStatusItem } from './statusItem.ts';

const TICK_MS = 1000;

interface BlocksDeps extends HeadStoreDeps {
  readonly credits: Pick<Credits, 'of'>;
}

interface Blocks extends vscode.Disposable {
  readonly head: HeadStore;
  /** Fetches the head at once, even if it is not shown. The view shows an error. */
  refresh(): Promise<void>;
}

/** Registers the Chain view and the status bar item; other features share the head. */
export function registerStatus(deps: BlocksDeps): Blocks {
  const disposables = new Disposables();
  const head = disposables.add(new HeadStore(deps));
  let tree: ChainTree | undefined;
  const rows = lazyPart(async () => {
    const { ChainTree } = await import('./chainTree.ts');
    tree = disposables.add(new ChainTree({ ...deps, head }));
    return tree;
  });
  const view = disposables.add(
    openTreeView<ChainRow>(viewIds.chain, rows, { readKey: 'chainside.chain.read' }),
  );
  disposables.add(createStatusItem({ ...deps, head }));

  disposables.add(
    registerCommand('chainside.showLatestBlock', async () => {
      const [{ showLatestBlock }, tree] = await Promise.all([import('./chainTree.ts'), rows()]);
      await showLatestBlock({ ...deps, head, view, tree });
    }),
  );

  let ticking: ReturnType<typeof setTimeout> | undefined;
  function followVisibility(): void {
    head.setVisible('view', view.visible);
    clearInterval(ticking);
    if (view.visible) ticking = setInterval(() => tree?.tick(), TICK_MS);
  }
  disposables.add(view.onDidChangeVisibility(followVisibility));
  disposables.add({ dispose: () => clearInterval(ticking) });
  followVisibility();

  return {
    head,
    async refresh() {
      const reading = head.read(0).catch(() => undefined);
      await withViewProgress(viewIds.chain, reading);
    },
    dispose: () => disposables.dispose(),
  };
}
