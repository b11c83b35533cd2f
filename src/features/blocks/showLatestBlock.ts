import * as vscode from 'vscode';
import { groupDigits } from '../../core/index.ts';
import { copyText } from '../../host/commands/copyText.ts';
import { showMessage } from '../../host/surface/messages.ts';
import { showError } from '../../host/words/showError.ts';
import type { ChainRow, ChainTree } from './chainTree.ts';
import type { HeadStore, HeadStoreDeps } from './headStore.ts';

interface ShowDeps extends HeadStoreDeps {
  readonly head: HeadStore;
  readonly view: vscode.TreeView<ChainRow>;
  readonly tree: ChainTree;
}

/** Shows the latest block in the view and in a message, read anew where it is not known; asks again if the user wants. */
export async function showLatestBlock(deps: ShowDeps): Promise<void> {
  const { head, view, tree, session, log } = deps;
  const { network } = session;
  try {
    const { block } = await head.read();
    await view.reveal(tree.row('network'), { expand: true });
    await view.reveal(tree.row('block'), { select: true, focus: true });
    const copy = vscode.l10n.t('Copy');
    const words = vscode.l10n.t('Latest block of {0}: {1}', network.name, groupDigits(block));
    void showMessage('information', words, copy).then((pressed) => {
      if (pressed === copy) return copyText(block.toString());
    });
  } catch (error) {
    const again = await showError(error, { service: 'endpoint', network, log }, true);
    if (again) await showLatestBlock(deps);
  }
}
