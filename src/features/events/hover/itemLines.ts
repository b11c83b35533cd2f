import * as vscode from 'vscode';
import { type AbiItemText, type IndexedDeployment, parseAbiItem } from '../../../core/index.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import { commandLink, type MarkdownLines } from '../../../host/surface/markdown.ts';
import { deploymentChoice, queryTitle } from '../deployments/deploymentWords.ts';

/** An event or error: its declaration, what stands for it on the chain, and where its logs may be. */
export function itemLines(
  text: AbiItemText,
  deployments: readonly IndexedDeployment[],
  deps: ChainDeps,
): MarkdownLines {
  const item = parseAbiItem(text);
  if (item?.kind === 'error') {
    return [
      [{ icon: 'symbol-event' }, { strong: item.name }, text.slice('error '.length + item.name.length)],
      [vscode.l10n.t('selector {0}', item.selector), '·', copyLink(item.selector)],
    ];
  }
  if (item?.kind !== 'event') return [];
  const { name, anonymous, topic0 } = item;
  const declaration = [
    ...[{ icon: 'symbol-event' }, { strong: name }],
    text.slice('event '.length + name.length),
  ];
  // The logs of an anonymous event begin with its first indexed parameter.
  if (anonymous) return [declaration, [vscode.l10n.t('An anonymous event has no topic0.')]];
  return [
    declaration,
    [vscode.l10n.t('topic0 {0}', topic0), '·', copyLink(topic0)],
    [
      deployments.length === 0
        ? commandLink(vscode.l10n.t('Query logs of {0}', name), 'chainside.queryLogs', { event: text })
        : commandLink(
            queryTitle(deployments, deps),
            'chainside.queryLogsOfDeployment',
            deploymentChoice(deployments, { name, event: text }),
          ),
    ],
  ];
}

function copyLink(value: string) {
  return commandLink(vscode.l10n.t('Copy'), 'chainside.copyValue', value);
}
