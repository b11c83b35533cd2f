import * as vscode from 'vscode';
import { type Clock, describeDialect, safeUrl } from '../../core/index.ts';
import { createCommand } from '../../host/commands.ts';
import {
  chooseNetworkRemedy,
  chooseOtherNetworkRemedy,
  createSettingsRemedy,
  describeError,
  isKeyError,
  type Remedy,
  setSecretRemedy,
  showOutputRemedy,
} from '../../host/errors.ts';
import { formatNumber } from '../../host/numbers.ts';
import { formatServer } from '../../host/session/chains.ts';
import { type Credits, LOW_CREDITS } from '../../host/session/http.ts';
import { hasKeyInUrl } from '../../host/session/networks.ts';
import type { SecretState, Session } from '../../host/session/session.ts';
import { formatSettingError } from '../../host/settings/settingErrors.ts';
import type { InvalidSetting, SettingError, UnapprovedEndpoint } from '../../host/settings/settingTable.ts';
import type { TreeRow } from '../../host/ui/tree.ts';
import { createRow, listRowTokens } from '../../host/ui/treeItem.ts';
import type { Line } from '../../host/ui/untrustedText.ts';
import { formatHead, formatLatestBlock, formatSpokenHead } from './formatHead.ts';
import { type HeadStore, isEndpointUnusable } from './headStore.ts';

/** Rows of the view, and those under the network. */
export const chainFacts = [
  ...(['network', 'failure', 'firstRemedy', 'secondRemedy'] as const),
  ...(['tryAgain', 'chooseAnother', 'tokenData'] as const),
] as const;
export const networkFacts = ['block', 'chainId', 'endpoint', 'secret', 'server'] as const;
export type ChainFact = (typeof chainFacts)[number] | (typeof networkFacts)[number] | 'choose';

export interface ChainContext {
  readonly session: Session;
  readonly head: HeadStore;
  readonly clock: Clock;
  readonly secret: SecretState | undefined;
  readonly credits: Pick<Credits, 'of'>;
}

/** A click on a row under the network copies its value. */
export function createChainFactRow(fact: ChainFact, context: ChainContext): TreeRow {
  const item = createItem(fact, context);
  if (item.command) return item;
  const copied = networkFacts.some((each) => each === fact) ? getFactCopyText(fact, context) : undefined;
  if (copied === undefined) return item;
  return { ...item, command: createCommand('chainside.copyValue', vscode.l10n.t('Copy Value'), copied) };
}

function createItem(fact: ChainFact, context: ChainContext): TreeRow {
  const { network } = context.session;
  const { state } = context.head;
  switch (fact) {
    case 'choose':
      return createActionRow(fact, chooseNetworkRemedy, 'globe');
    case 'network':
      return createNetworkRow(context);
    case 'failure':
      return createEndpointErrorRow(context);
    case 'firstRemedy':
    case 'secondRemedy':
      return createRemedyRow(fact, context);
    case 'tryAgain':
      return createRetryRow(context);
    case 'chooseAnother':
      return createActionRow(fact, chooseOtherNetworkRemedy, 'globe');
    case 'tokenData':
      return createTokenDataRow(context);
    case 'block':
      return {
        ...createValueRow(fact, vscode.l10n.t('Latest block'), formatLatestBlock(state, context.clock)),
        tokens: state.head ? ['block', 'value'] : ['value'],
      };
    case 'chainId':
      return createValueRow(fact, vscode.l10n.t('Chain ID'), String(network.chainId));
    case 'endpoint':
      return createValueRow(fact, vscode.l10n.t('Endpoint'), safeUrl(network.rpcUrl));
    case 'secret':
      return createSecretRow(context);
    case 'server':
      return createValueRow(fact, vscode.l10n.t('Server'), formatServerName(context) ?? '');
  }
}

/** For *Copy Value*. */
export function getFactCopyText(fact: ChainFact, context: ChainContext): string | undefined {
  const { network } = context.session;
  const block = context.head.state.head?.block.toString();
  const texts: Partial<Record<ChainFact, string | undefined>> = {
    network: block,
    block,
    chainId: String(network.chainId),
    endpoint: safeUrl(network.rpcUrl),
    server: formatServerName(context),
  };
  return texts[fact];
}

function createNetworkRow({ session, head, clock, ...context }: ChainContext): TreeRow {
  const { network } = session;
  const { state } = head;
  const unusable = isEndpointUnusable(state);
  const color = new vscode.ThemeColor('list.warningForeground');
  return {
    ...createRow(network.name, 'globe', {
      description: [formatHead(state, clock), formatLowCredits({ session, ...context })]
        .filter(Boolean)
        .join(' · '),
      tooltip: formatNetworkTooltip({ session, head, clock, ...context }),
    }),
    id: 'network',
    ...(unusable && { iconPath: new vscode.ThemeIcon('warning', color) }),
    accessibleLabel: vscode.l10n.t('Network: {0}, {1}', network.name, formatSpokenHead(state, clock)),
    tokens: ['network', ...(state.head ? ['value' as const] : [])],
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
  };
}

function formatNetworkTooltip(context: ChainContext): readonly Line[] {
  const { network } = context.session;
  const server = formatServerName(context);
  return [
    vscode.l10n.t('{0}, chain {1}', network.name, network.chainId),
    vscode.l10n.t('Endpoint: {0}', safeUrl(network.rpcUrl)),
    server !== undefined && vscode.l10n.t('Server: {0}', server),
    network.dataApiUrl !== undefined && vscode.l10n.t('Data API: {0}', safeUrl(network.dataApiUrl)),
    formatCredits(context) ?? false,
  ];
}

function formatServerName({ session }: ChainContext): string | undefined {
  return formatServer(describeDialect(session.client.dialect()));
}

/** Only where a key is set: an address row says when one is required. */
function createTokenDataRow({ session: { network } }: ChainContext): TreeRow {
  const label = vscode.l10n.t('Token data');
  const description = vscode.l10n.t('key set');
  const { dataApiUrl } = network;
  return {
    ...createRow(label, 'key', {
      description,
      tooltip: [
        `${label}: ${description}`,
        dataApiUrl !== undefined && vscode.l10n.t('Data API: {0}', safeUrl(dataApiUrl)),
      ],
    }),
    id: 'tokenData',
    accessibleLabel: `${label}: ${description}`,
    tokens: ['dataApi:ready'],
  };
}

function createValueRow(id: ChainFact, label: string, description: string): TreeRow {
  const text = `${label}: ${description}`;
  return {
    ...createRow(label, 'blank', { description, tooltip: [text, vscode.l10n.t('Click to copy')] }),
    id,
    accessibleLabel: text,
    tokens: ['value'],
  };
}

function createEndpointErrorRow({ session, head }: ChainContext): TreeRow {
  const { network } = session;
  const { otherChain } = head;
  if (otherChain !== undefined) {
    const label = vscode.l10n.t('The endpoint serves chain {0}, not {1}', otherChain, network.chainId);
    const edit = createCommand('chainside.editNetwork', vscode.l10n.t('Edit Network…'), network.id);
    return { ...createRow(label, 'warning'), id: 'failure', tokens: ['failed'], command: edit };
  }
  const { reason, message, advice, hint } = describeError(head.state.error, { service: 'endpoint', network });
  // In other messages it follows the name of the server.
  const sentence = `${reason.charAt(0).toLocaleUpperCase()}${reason.slice(1)}`;
  return {
    ...createRow(sentence, 'error', { tooltip: [message, advice] }),
    id: 'failure',
    accessibleLabel: hint === undefined ? sentence : `${sentence}. ${hint}`,
    iconPath: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
    tokens: ['failed'],
  };
}

/** Remedies for an error about a key, without those that always have a row. */
export function listKeyRemedies({ session: { network }, head: { state } }: ChainContext): readonly Remedy[] {
  if (!isKeyError(state.error)) return [];
  const { remedies } = describeError(state.error, { service: 'endpoint', network });
  return remedies.filter((remedy) => remedy !== showOutputRemedy && remedy !== chooseOtherNetworkRemedy);
}

function createRemedyRow(fact: 'firstRemedy' | 'secondRemedy', context: ChainContext): TreeRow {
  const remedy = listKeyRemedies(context)[fact === 'firstRemedy' ? 0 : 1] ?? showOutputRemedy;
  return createActionRow(fact, remedy, getRemedyIcon(remedy));
}

function getRemedyIcon(remedy: Remedy): string {
  if (remedy === setSecretRemedy) return 'lock';
  return remedy.command === 'workbench.action.openSettings' ? 'settings-gear' : 'arrow-swap';
}

/** Shows the hint here, because the error row has no room for it in a narrow view. */
function createRetryRow({ session: { network }, head: { state } }: ChainContext): TreeRow {
  const title = vscode.l10n.t('Retry');
  const { hint } = describeError(state.error, { service: 'endpoint', network });
  const item = createActionRow('tryAgain', createCommand('chainside.refresh', title), 'refresh');
  return hint === undefined || state.error === undefined ? item : { ...item, description: hint };
}

/** A click opens the setting; for an endpoint in a config file of the workspace, it uses that or another network. */
export function createInvalidSettingRow({ setting, error }: InvalidSetting): TreeRow {
  if (error.code === 'endpointUnapproved') return createUnapprovedRow(error);
  if (error.code === 'endpointVariables' || error.code === 'endpointTooLong' || error.code === 'noEndpoint')
    return createEndpointProblemRow(error);
  const message = formatSettingError(error, vscode.l10n);
  return {
    ...createRow(setting, 'warning', { description: message, tooltip: [`${setting}: ${message}`] }),
    id: `${setting} ${message}`,
    iconPath: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
    accessibleLabel: `${setting}: ${message}`,
    command: {
      command: 'workbench.action.openSettings',
      title: createSettingsRemedy(setting).title,
      arguments: [setting],
    },
  };
}

function createUnapprovedRow({ id, alias, file, host }: UnapprovedEndpoint): TreeRow {
  const label = vscode.l10n.t('Use “{0}”', alias);
  const tooltip = vscode.l10n.t('This workspace uses “{0}” from {1} ({2}).', alias, file, host);
  return {
    ...createRow(label, 'plug', { description: host, tooltip: [tooltip, vscode.l10n.t('Click to use it.')] }),
    id: 'unapproved',
    accessibleLabel: `${label}, ${host}`,
    command: createCommand('chainside.selectNetwork', label, id),
  };
}

function createEndpointProblemRow(error: SettingError & { readonly id: string }): TreeRow {
  const message = formatSettingError(error, vscode.l10n);
  const { title, command } = chooseNetworkRemedy;
  return {
    ...createRow(error.id, 'warning', { description: message, tooltip: [`${error.id}: ${message}`] }),
    id: `${error.id} ${message}`,
    accessibleLabel: `${error.id}: ${message}`,
    command: { title, command },
  };
}

function createActionRow(id: ChainFact, command: vscode.Command | Remedy, icon: string): TreeRow {
  const { title, command: run, arguments: args = [] } = command;
  return { ...createRow(title, icon), id, command: { title, command: run, arguments: args } };
}

export function hasSecretRow({ secret, session }: Pick<ChainContext, 'secret' | 'session'>): boolean {
  return secret !== 'notTaken' || hasKeyInUrl(session.network);
}

/**
 * Whether the secret of the endpoint is stored, and its remaining credits if the server reports them; never the secret.
 */
function createSecretRow(context: ChainContext): TreeRow {
  const { l10n } = vscode;
  const label = l10n.t('Endpoint key');
  const { secret } = context;
  const isSet = secret === 'set';
  const state = secret === 'notTaken' ? l10n.t('in settings.json, as plain text') : l10n.t('not set');
  const description = [isSet ? l10n.t('set') : state, formatCredits(context)].filter(Boolean).join(' · ');
  const { rpcUrl } = context.session.network;
  return {
    ...createRow(label, 'lock', {
      description,
      tooltip: [`${label}: ${description}`, l10n.t('Sent only to {0}', safeUrl(rpcUrl))],
    }),
    id: 'secret',
    accessibleLabel: `${label}: ${description}`,
    tokens: listRowTokens(isSet ? { 'secret:set': true } : { 'secret:missing': true }),
    ...(!isSet && { command: setSecretRemedy }),
  };
}

/** The remaining credits of the endpoint's key, if the server reports them. */
function formatCredits({ session, credits }: Pick<ChainContext, 'session' | 'credits'>): string | undefined {
  const left = credits.of(session.network.rpcUrl);
  return left === undefined ? undefined : vscode.l10n.t('{0} credits left', formatNumber(BigInt(left)));
}

/** {@link formatCredits} when few are left. */
function formatLowCredits(context: Pick<ChainContext, 'session' | 'credits'>): string | undefined {
  const left = context.credits.of(context.session.network.rpcUrl);
  return left !== undefined && left < LOW_CREDITS ? formatCredits(context) : undefined;
}
