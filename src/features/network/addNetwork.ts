import * as vscode from 'vscode';
import { showMessage } from '../../host/surface/messages.ts';
import { askForUrl } from './askForUrl.ts';
import type { NetworkDeps } from './deps.ts';
import { networkOf, withEndpoint } from './describedNetwork.ts';
import { showNetworkPage } from './networkPage.ts';

/** What was typed last and not added yet. */
let typed = '';

/**
 * Asks for a URL, finds out what answers there, and saves it to the user's settings once the user agrees. `goBack` leads
 * to what was asked before, if anything was.
 */
export async function addNetwork(deps: NetworkDeps, goBack?: () => Promise<void>): Promise<void> {
  const { l10n } = vscode;
  const { settings } = deps;
  const title = l10n.t('Add Network');
  const onType = (text: string) => {
    typed = text;
  };
  const hasBack = goBack !== undefined;
  const answer = await askForUrl(deps, { title, value: typed, onType, hasBack });
  if (answer === 'back') return goBack?.();
  if (!answer) return;
  const { networks } = settings.current;
  const page = {
    ...{ title, hasBack: true, untested: l10n.t('Endpoint not tested') },
    actions: [
      { act: 'select', label: l10n.t('Add and Select'), icon: 'check' },
      { act: 'add', label: l10n.t('Add Without Selecting'), icon: 'add' },
    ],
  };
  const draft = withEndpoint({}, answer, networks);
  const agreed = await showNetworkPage(deps, page, { draft, facts: answer.facts });
  if (agreed === 'back') return addNetwork(deps, goBack);
  const network = agreed && networkOf(agreed.draft, networks);
  if (!network) return;
  await settings.saveNetwork(network);
  typed = '';
  if (agreed.act === 'select') return settings.selectNetwork(network);
  void showMessage('information', l10n.t('{0} is added.', network.name));
}
