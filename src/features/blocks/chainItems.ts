import * as vscode from 'vscode';
import { describeDialect, providers, safeUrl } from '../../core/index.ts';
import { commandOf } from '../../host/commands/commands.ts';
import type { KeyState } from '../../host/session/sourceAccess.ts';
import type { Line } from '../../host/surface/harmless.ts';
import type { TreeRow } from '../../host/surface/tree.ts';
import { chooseAnother, chooseNetwork, setKey } from '../../host/words/remedies.ts';
import { serverWords } from '../../host/words/serverWords.ts';
import { row } from '../../host/words/treeRow.ts';
import { type ChainFacts, type Fact, networkFacts } from './chainFacts.ts';
import { actionRow, failureRow, remedyRow, tryAgainRow } from './failureItems.ts';
import { headWords, isUnusable, latestBlockWords, spokenHead } from './headWords.ts';
import { creditsWords, fewCreditsWords, secretRow } from './secretRow.ts';

/** How a row of a fact looks; a click on one below the network copies its value. */
export function factItem(fact: Fact, known: ChainFacts): TreeRow {
  const item = itemOf(fact, known);
  if (item.command) return item;
  const copied = networkFacts.some((each) => each === fact) ? copyTextOf(fact, known) : undefined;
  if (copied === undefined) return item;
  return { ...item, command: commandOf('chainside.copyValue', vscode.l10n.t('Copy Value'), copied) };
}

function itemOf(fact: Fact, known: ChainFacts): TreeRow {
  const { network } = known.session;
  const { state } = known.head;
  switch (fact) {
    case 'choose':
      return actionRow(fact, chooseNetwork, 'globe');
    case 'network':
      return networkRow(known);
    case 'failure':
      return failureRow(known);
    case 'firstRemedy':
    case 'secondRemedy':
      return remedyRow(fact, known);
    case 'tryAgain':
      return tryAgainRow(known);
    case 'chooseAnother':
      return actionRow(fact, chooseAnother, 'globe');
    case 'tokenData':
      return tokenDataRow(known);
    case 'block':
      return valueRow(fact, vscode.l10n.t('Latest block'), latestBlockWords(state, known.clock));
    case 'chainId':
      return valueRow(fact, vscode.l10n.t('Chain ID'), String(network.chainId));
    case 'endpoint':
      return valueRow(fact, vscode.l10n.t('Endpoint'), safeUrl(network.rpcUrl));
    case 'secret':
      return secretRow(known);
    case 'server':
      return valueRow(fact, vscode.l10n.t('Server'), serverOf(known) ?? '');
  }
}

/** What *Copy Value* copies of a row. */
export function copyTextOf(fact: Fact, known: ChainFacts): string | undefined {
  const { network } = known.session;
  const block = known.head.state.head?.block.toString();
  const texts: Partial<Record<Fact, string | undefined>> = {
    ...{ network: block, block, chainId: String(network.chainId) },
    ...{ endpoint: safeUrl(network.rpcUrl), server: serverOf(known) },
  };
  return texts[fact];
}

function networkRow({ session, head, clock, ...known }: ChainFacts): TreeRow {
  const { network } = session;
  const { state } = head;
  const unusable = isUnusable(state);
  const color = new vscode.ThemeColor('list.warningForeground');
  return {
    ...row(network.name, 'globe', {
      description: [headWords(state, clock), fewCreditsWords({ session, ...known })]
        .filter(Boolean)
        .join(' · '),
      tooltip: networkLines({ session, head, clock, ...known }),
    }),
    id: 'network',
    ...(unusable && { iconPath: new vscode.ThemeIcon('warning', color) }),
    spoken: vscode.l10n.t('Network: {0}, {1}', network.name, spokenHead(state, clock)),
    tokens: ['network', ...(state.head ? ['value' as const] : [])],
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
  };
}

function networkLines(known: ChainFacts): readonly Line[] {
  const { network } = known.session;
  const server = serverOf(known);
  return [
    vscode.l10n.t('{0}, chain {1}', network.name, network.chainId),
    vscode.l10n.t('Endpoint: {0}', safeUrl(network.rpcUrl)),
    server !== undefined && vscode.l10n.t('Server: {0}', server),
    network.dataApiUrl !== undefined && vscode.l10n.t('Data API: {0}', safeUrl(network.dataApiUrl)),
    creditsWords(known) ?? false,
  ];
}

function serverOf({ session }: ChainFacts): string | undefined {
  return serverWords(describeDialect(session.client.dialect()));
}

function tokenDataRow({ dataApi, session }: ChainFacts): TreeRow {
  const label = vscode.l10n.t('Token data');
  const { dataApiUrl } = session.network;
  const byExplorer = providers.some(
    (kind) => kind.hasIndex && kind.offers.holdings && kind.urlFor(session.network),
  );
  const description =
    byExplorer && dataApi === 'notServed' ? vscode.l10n.t('from the explorer') : dataApiWords(dataApi);
  return {
    ...row(label, 'key', {
      description,
      tooltip: [
        `${label}: ${description}`,
        dataApiUrl !== undefined && vscode.l10n.t('Data API: {0}', safeUrl(dataApiUrl)),
        byExplorer &&
          dataApi === 'noKey' &&
          vscode.l10n.t('Without a key the explorer of this network tells of tokens.'),
      ],
    }),
    id: 'tokenData',
    spoken: `${label}: ${description}`,
    tokens: dataApi === 'noKey' || dataApi === 'ready' ? [`dataApi:${dataApi}`] : [],
    ...(dataApi === 'noKey' && { command: setKey }),
  };
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
      return vscode.l10n.t('Unknown');
  }
}

/** A click on it copies the value. */
function valueRow(id: Fact, label: string, description: string): TreeRow {
  const text = `${label}: ${description}`;
  return {
    ...row(label, 'blank', { description, tooltip: [text, vscode.l10n.t('Click to copy')] }),
    id,
    spoken: text,
    tokens: ['value'],
  };
}
