import * as vscode from 'vscode';
import { commandOf } from '../../host/commands/commands.ts';
import type { SettingProblem } from '../../host/settings/settingFault.ts';
import { settingFaultText } from '../../host/settings/settingWords.ts';
import type { TreeRow } from '../../host/surface/tree.ts';
import { describeError } from '../../host/words/describeError.ts';
import { isKeyRefusal } from '../../host/words/keyRefusal.ts';
import {
  chooseAnother,
  openSettings,
  type Remedy,
  setSecret,
  showOutput,
} from '../../host/words/remedies.ts';
import { row } from '../../host/words/treeRow.ts';
import type { ChainFacts, Fact } from './chainFacts.ts';

/** What is wrong with the endpoint. */
export function failureRow({ session, head }: ChainFacts): TreeRow {
  const { network } = session;
  const { otherChain } = head;
  if (otherChain !== undefined) {
    const label = vscode.l10n.t('The endpoint is of chain {0}, not {1}', otherChain, network.chainId);
    const edit = commandOf('chainside.editNetwork', vscode.l10n.t('Edit Network…'), network.id);
    return { ...row(label, 'warning'), id: 'failure', tokens: ['failed'], command: edit };
  }
  const { reason, message, advice, hint } = describeError(head.state.error, { service: 'endpoint', network });
  // Elsewhere it follows the name of the server.
  const what = `${reason.charAt(0).toLocaleUpperCase()}${reason.slice(1)}`;
  return {
    ...row(what, 'error', { tooltip: [message, advice] }),
    id: 'failure',
    spoken: hint === undefined ? what : `${what}. ${hint}`,
    iconPath: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
    tokens: ['failed'],
  };
}

/** The first of what helps against a failure that is about a key; none of which has a row of its own anyway. */
export function keyRemedies({ session: { network }, head: { state } }: ChainFacts): readonly Remedy[] {
  if (!isKeyRefusal(state.error)) return [];
  const { remedies } = describeError(state.error, { service: 'endpoint', network });
  return remedies.filter((remedy) => remedy !== showOutput && remedy !== chooseAnother);
}

export function remedyRow(fact: 'firstRemedy' | 'secondRemedy', known: ChainFacts): TreeRow {
  const remedy = keyRemedies(known)[fact === 'firstRemedy' ? 0 : 1] ?? showOutput;
  return actionRow(fact, remedy, iconOf(remedy));
}

function iconOf(remedy: Remedy): string {
  if (remedy === setSecret) return 'lock';
  return remedy.command === 'workbench.action.openSettings' ? 'settings-gear' : 'arrow-swap';
}

/** What to do before stands beside it: the row of the failure has no room for it in a narrow view. */
export function tryAgainRow({ session: { network }, head: { state } }: ChainFacts): TreeRow {
  const title = vscode.l10n.t('Try Again');
  const { hint } = describeError(state.error, { service: 'endpoint', network });
  const item = actionRow('tryAgain', commandOf('chainside.refresh', title), 'refresh');
  return hint === undefined || state.error === undefined ? item : { ...item, description: hint };
}

/** A row that says what is wrong with a setting; a click on it opens the settings. */
export function problemItem({ setting, fault }: SettingProblem): TreeRow {
  const message = settingFaultText(fault, vscode.l10n);
  return {
    ...row(setting, 'warning', { description: message, tooltip: [`${setting}: ${message}`] }),
    id: `${setting} ${message}`,
    iconPath: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
    spoken: `${setting}: ${message}`,
    command: {
      command: 'workbench.action.openSettings',
      title: openSettings(setting).title,
      arguments: [setting],
    },
  };
}

/** A row that does something when it is clicked. */
export function actionRow(id: Fact, command: vscode.Command | Remedy, icon: string): TreeRow {
  const { title, command: run, arguments: args = [] } = command;
  return { ...row(title, icon), id, command: { title, command: run, arguments: args } };
}
