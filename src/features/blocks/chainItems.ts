import * as vscode from 'vscode';
import { type Clock, describeDialect, safeUrl } from '../../core/index.ts';
import type { Session } from '../../host/session/session.ts';
import type { KeyState } from '../../host/session/sourceAccess.ts';
import type { SettingProblem } from '../../host/settings/settingFault.ts';
import { settingFaultText } from '../../host/settings/settingWords.ts';
import type { Line } from '../../host/surface/harmless.ts';
import type { TreeRow } from '../../host/surface/tree.ts';
import { openSettings } from '../../host/words/remedies.ts';
import type { RowToken } from '../../manifest.ts';
import type { HeadStore } from './headStore.ts';
import { healthWords, isUnusable, latestBlockWords, serverWords } from './headWords.ts';

export const facts = ['network', 'chainId', 'block', 'health', 'dataApi'] as const;
export type Fact = (typeof facts)[number];

interface ChainFacts {
  readonly session: Session;
  readonly head: HeadStore;
  readonly clock: Clock;
  readonly dataApi: KeyState | undefined;
}

/** How a row of a fact looks. */
export function factItem(fact: Fact, { session, head, clock, dataApi }: ChainFacts): TreeRow {
  const { network } = session;
  switch (fact) {
    case 'network':
      return {
        ...textRow({ id: fact, label: vscode.l10n.t('Network'), description: network.name, icon: 'globe' }),
        tokens: ['network'],
        tooltip: networkLines(session),
      };
    case 'chainId':
      return {
        ...textRow({
          id: fact,
          label: vscode.l10n.t('Chain ID'),
          description: String(network.chainId),
          icon: 'link',
        }),
        tokens: ['value'],
      };
    case 'block': {
      const { state } = head;
      return {
        ...textRow({
          id: fact,
          label: vscode.l10n.t('Latest block'),
          description: latestBlockWords(state, clock),
          icon: 'symbol-number',
        }),
        tokens: state.head ? ['value'] : [],
      };
    }
    case 'health': {
      const unusable = isUnusable(head.state);
      const color = new vscode.ThemeColor(unusable ? 'list.warningForeground' : 'charts.green');
      const icon = new vscode.ThemeIcon(unusable ? 'warning' : 'pulse', color);
      const item = textRow({
        id: fact,
        label: vscode.l10n.t('Health'),
        description: healthWords(head.state, network),
        icon: 'pulse',
      });
      return {
        ...item,
        ...(head.state.head || unusable ? { iconPath: icon } : {}),
        tokens: ['health'],
      };
    }
    case 'dataApi':
      return {
        ...textRow({
          id: fact,
          label: vscode.l10n.t('Data API'),
          description: dataApiWords(dataApi),
          icon: 'key',
        }),
        tokens: dataApiTokens(dataApi),
      };
  }
}

function networkLines({ network, client }: Session): readonly Line[] {
  return [
    vscode.l10n.t('{0}, chain {1}', network.name, network.chainId),
    vscode.l10n.t('Endpoint: {0}', safeUrl(network.rpcUrl)),
    vscode.l10n.t('Server: {0}', serverWords(describeDialect(client.dialect()))),
    network.dataApiUrl !== undefined && vscode.l10n.t('Data API: {0}', safeUrl(network.dataApiUrl)),
  ];
}

/** A row that says what is wrong with a setting; a click on it opens the settings. */
export function problemItem({ setting, fault }: SettingProblem): TreeRow {
  const message = settingFaultText(fault, vscode.l10n);
  return {
    ...textRow({ id: `${setting} ${message}`, label: setting, description: message, icon: 'warning' }),
    iconPath: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
    command: {
      command: 'workbench.action.openSettings',
      title: openSettings(setting).title,
      arguments: [setting],
    },
  };
}

interface TextRow {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
}

function textRow({ id, label, description, icon }: TextRow): TreeRow {
  return {
    id,
    label,
    description,
    tooltip: [`${label}: ${description}`],
    iconPath: new vscode.ThemeIcon(icon),
    spoken: `${label}: ${description}`,
  };
}

function dataApiTokens(state: KeyState | undefined): readonly RowToken[] {
  return state === 'noKey' || state === 'ready' ? [`dataApi:${state}`] : [];
}

function dataApiWords(state: KeyState | undefined): string {
  switch (state) {
    case 'ready':
      return vscode.l10n.t('key set');
    case 'noKey':
      return vscode.l10n.t('no key');
    case 'notServed':
      return vscode.l10n.t('none on this network');
    case undefined:
      return vscode.l10n.t('not known');
  }
}
