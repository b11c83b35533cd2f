import * as vscode from 'vscode';
import {
  builtInNetworks,
  type Network,
  publicExplorers,
  requiresSecret,
  resolveEndpoint,
  safeUrl,
} from '../../core/index.ts';
import { environmentVariable } from '../../host/settings/environment.ts';
import type { endpointsOfWorkspace, FoundEndpoint } from '../../host/settings/foundryFiles.ts';
import { holdsKey } from '../../host/settings/keyInSettings.ts';
import { FOUNDRY } from '../../host/settings/settingTable.ts';
import type { ListChoice } from '../../host/surface/lists/openList.ts';
import { serverWords } from '../../host/words/serverWords.ts';
import type { NetworkDeps } from './deps.ts';
import type { LocalNode } from './localNode.ts';

/** What a row of the list stands for. */
export type Choosable =
  | { readonly as: 'network'; readonly network: Network }
  | { readonly as: 'node'; readonly url: string; readonly chainId: number }
  | { readonly as: 'endpoint'; readonly endpoint: FoundEndpoint; readonly url: string }
  | { readonly as: 'public'; readonly network: Network }
  | { readonly as: 'add' }
  /** Finds what is here once more, with more patience. */
  | { readonly as: 'findAgain' };

export interface NetworkChoice extends ListChoice {
  readonly what?: Choosable;
}

/** What was found on this machine and in this workspace. */
export interface FoundHere {
  readonly url: string;
  readonly node: LocalNode;
  readonly foundry: Awaited<ReturnType<typeof endpointsOfWorkspace>>;
}

const edit = { icon: 'edit', words: vscode.l10n.t('Edit Network…') };
const remove = { icon: 'trash', words: vscode.l10n.t('Remove Network…') };

/** The rows of the list, in groups. */
export async function networkChoices(deps: NetworkDeps, found: FoundHere): Promise<readonly NetworkChoice[]> {
  const { l10n } = vscode;
  const { networks } = deps.settings.current;
  const builtInIds = new Set(builtInNetworks.map(({ id }) => id));
  const known = new Set(networks.map(({ id }) => id));
  const rowOf = (network: Network) => networkRow(deps, network);
  const builtIn = networks.filter(({ id }) => builtInIds.has(id));
  const mine = networks.filter(({ id }) => !builtInIds.has(id) && !id.startsWith(FOUNDRY));
  const here = [
    nodeRow(found),
    ...found.foundry.endpoints.map((each) => endpointRow(deps, each)),
    ...(found.foundry.isWhole ? [] : [moreEndpointsRow()]),
  ];
  return [
    // First what can be selected: Enter takes the first row.
    ...group(l10n.t('Found here'), here.filter(isSelectable)),
    ...group(
      l10n.t('Yours'),
      (await Promise.all(mine.map(rowOf))).map((row) => ({ ...row, buttons: [edit, remove] })),
    ),
    ...group(l10n.t('Built in'), await Promise.all(builtIn.map(rowOf))),
    // Above the longest group, so that they are seen.
    ...group(
      l10n.t('Not ready'),
      here.filter((row) => !isSelectable(row)),
    ),
    ...group(' ', [
      { label: l10n.t('Add Network…'), iconPath: new vscode.ThemeIcon('add'), what: { as: 'add' } },
    ]),
    ...group(l10n.t('Public'), publicExplorers.filter(({ id }) => !known.has(id)).map(publicRow)),
  ];
}

function group(label: string, rows: readonly NetworkChoice[]): readonly NetworkChoice[] {
  return rows.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

async function networkRow({ session, keys, secrets }: NetworkDeps, network: Network): Promise<NetworkChoice> {
  const { chainId, dataApiUrl } = network;
  const words = [vscode.l10n.t('chain {0}', chainId), ...(await secretWords()), await keyWords(dataApiUrl)];
  return {
    label: network.name,
    iconPath: iconOf(session.isChosen && network.id === session.network.id),
    description: words.join(' · '),
    what: { as: 'network', network },
  };
  async function secretWords(): Promise<readonly string[]> {
    if (holdsKey(network)) return [vscode.l10n.t('key in settings.json')];
    if (!requiresSecret(network)) return [];
    const secret = await secrets.get(network.rpcUrl).catch(() => undefined);
    return [secret === undefined ? vscode.l10n.t('endpoint needs a key') : vscode.l10n.t('endpoint key set')];
  }
  async function keyWords(url: string | undefined): Promise<string> {
    if (url === undefined) return vscode.l10n.t('no data API');
    const key = await keys.get(url).catch(() => undefined);
    return key === undefined ? vscode.l10n.t('no data API key') : vscode.l10n.t('data API key set');
  }
}

function publicRow(network: Network): NetworkChoice {
  return {
    label: network.name,
    iconPath: iconOf(false),
    description: vscode.l10n.t('chain {0} · {1}', network.chainId, new URL(network.rpcUrl).host),
    what: { as: 'public', network },
  };
}

function nodeRow({ node, url }: FoundHere): NetworkChoice {
  const { l10n } = vscode;
  const { host } = new URL(url);
  if (node === 'none') {
    return {
      label: l10n.t('No node at {0}', host),
      description: l10n.t('Start anvil or hardhat node, then look again'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      what: { as: 'findAgain' },
    };
  }
  if (node === 'silent') {
    return {
      label: l10n.t('Node at {0}', host),
      description: l10n.t('No response yet. Choose this to wait longer'),
      iconPath: new vscode.ThemeIcon('clock'),
      what: { as: 'findAgain' },
    };
  }
  const server = serverWords(node.server);
  return {
    label: l10n.t('Node at {0}', host),
    description: [l10n.t('chain {0}', node.chainId), server].filter(Boolean).join(' · '),
    iconPath: new vscode.ThemeIcon('vm-running'),
    what: { as: 'node', url, chainId: node.chainId },
  };
}

function moreEndpointsRow(): NetworkChoice {
  return {
    label: vscode.l10n.t('More of foundry.toml'),
    description: vscode.l10n.t('Not all files are read yet. Choose this to wait longer'),
    iconPath: new vscode.ThemeIcon('clock'),
    what: { as: 'findAgain' },
  };
}

function isSelectable({ what }: NetworkChoice): boolean {
  return what?.as === 'node' || what?.as === 'endpoint';
}

/** Shows the URL as it is written, and of that no path: what stands there, or in a variable, may be a secret. */
function endpointRow({ session }: NetworkDeps, endpoint: FoundEndpoint): NetworkChoice {
  const { l10n } = vscode;
  const { alias, template, id, file } = endpoint;
  const resolved = resolveEndpoint(template, environmentVariable);
  const source = `${vscode.workspace.asRelativePath(file)} · ${shownTemplate(template)}`;
  if (!('url' in resolved)) {
    const why =
      'missing' in resolved
        ? l10n.t('not set in the environment: {0}', resolved.missing.join(', '))
        : l10n.t('not an http or https address');
    return {
      label: alias,
      description: `${why} · ${source}`,
      iconPath: new vscode.ThemeIcon('warning'),
      onlyWords: true,
    };
  }
  return {
    label: alias,
    description: source,
    iconPath: iconOf(session.isChosen && session.network.id === id),
    what: { as: 'endpoint', endpoint, url: resolved.url },
  };
}

const VARIABLE = /\$\{[^{}$]{0,130}\}/g;

function shownTemplate(template: string): string {
  const variables = template.match(VARIABLE) ?? [];
  const origin = /^\s*\$\{/.test(template) ? [] : [safeUrl(template.replaceAll(VARIABLE, 'x'))];
  return [...origin, ...variables].join(' ');
}

function iconOf(isActive: boolean): vscode.ThemeIcon {
  return new vscode.ThemeIcon(isActive ? 'check' : 'blank');
}
