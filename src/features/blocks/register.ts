import type * as vscode from 'vscode';
import { registerCommand } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import type { Credits } from '../../host/session/credits.ts';
import { whileViewBusy } from '../../host/surface/progress.ts';
import { openTree } from '../../host/surface/tree.ts';
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
  /** Asks for the head at once, whether or not it is shown. A failure stands in the view. */
  refresh(): Promise<void>;
}

/** The Chain view and the status item; gives the head to whoever else shows it. */
export function registerBlocks(deps: BlocksDeps): Blocks {
  const disposables = new Disposables();
  const head = disposables.add(new HeadStore(deps));
  let tree: ChainTree | undefined;
  const rows = latePart(async () => {
    const { ChainTree } = await import('./chainTree.ts');
    tree = disposables.add(new ChainTree({ ...deps, head }));
    return tree;
  });
  const view = disposables.add(openTree<ChainRow>(viewIds.chain, rows));
  disposables.add(createStatusItem({ ...deps, head }));

  disposables.add(
    registerCommand('chainside.showLatestBlock', async () => {
      const [{ showLatestBlock }, tree] = await Promise.all([import('./showLatestBlock.ts'), rows()]);
      await showLatestBlock({ ...deps, head, view, tree });
    }),
  );

  let ticking: ReturnType<typeof setTimeout> | undefined;
  function followVisibility(): void {
    head.setInSight('view', view.visible);
    clearInterval(ticking);
    if (view.visible) ticking = setInterval(() => tree?.tick(), TICK_MS);
  }
  disposables.add(view.onDidChangeVisibility(followVisibility));
  disposables.add({ dispose: () => clearInterval(ticking) });
  followVisibility();

  return {
    head,
    async refresh() {
      const asked = head.read(0).catch(() => undefined);
      await whileViewBusy(viewIds.chain, asked);
    },
    dispose: () => disposables.dispose(),
  };
}
