import * as vscode from 'vscode';
import { type ContractDeployment, parseAbiItem, pushAll, type TimeSlices } from '../../core/index.ts';
import { parseChainId } from '../../host/names/addressName.ts';
import { formatNumber } from '../../host/numbers.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import type { Lens, LensContent } from '../../host/ui/languageFeatures.ts';
import { type CodeLensDeps, createCodeLens } from './codeLens.ts';
import { formatCount, formatCountDetails, toCountedQuery } from './countCommand.ts';
import { type EventCountCache, listCountedAddresses } from './countEvents.ts';
import {
  formatDeployedTitle,
  formatDeployments,
  formatNewest,
  formatRole,
  isMissing,
  sortDeployments,
  toDeploymentChoice,
} from './deployments.ts';
import type { DeployedEvent, DeployedSource, DeployedView, SourceDeployment } from './findDeployments.ts';
import type { ViewValues } from './viewValues.ts';

interface LensOptions extends ChainDeps, Pick<CodeLensDeps, 'verdicts'> {
  readonly counts: EventCountCache;
  readonly values: ViewValues;
}

/**
 * Lenses on events (the number of logs, and their query), on contracts (deployments), and on view functions and public
 * variables (the value, and reading). Rejects when `signal` aborts.
 */
export async function createSourceLenses(
  document: vscode.TextDocument,
  { contracts, events, views }: DeployedSource,
  options: LensOptions & { readonly slices: TimeSlices; readonly signal: AbortSignal },
): Promise<readonly Lens[]> {
  const { slices, signal } = options;
  const lenses = contracts.flatMap((contract) => createContractLenses(document, contract, options));
  for (const event of events) {
    pushAll(lenses, createEventLenses(document, event, options));
    if (slices.isOver()) await slices.rest({ signal });
  }
  for (const view of views) {
    pushAll(lenses, createViewLenses(document, view, options));
    if (slices.isOver()) await slices.rest({ signal });
  }
  return lenses;
}

function createContractLenses(
  document: vscode.TextDocument,
  { contract, indexed, deployments: unsorted }: DeployedSource['contracts'][number],
  options: LensOptions,
): readonly Lens[] {
  const deployments = sortDeployments(unsorted, options);
  if (deployments.length === 0) return [];
  const show = (): LensContent => ({
    title: formatDeployedTitle(deployments, options),
    tooltip: formatDeployments(deployments, options),
    command: 'chainside.showDeployments',
    argument: toDeploymentChoice(deployments, contract),
  });
  const at = document.positionAt(contract.offset);
  const showCode = createCodeLens({ contract, indexed, deployments }, options);
  return [{ at, show }, ...(showCode ? [{ at, show: showCode }] : [])];
}

/** The value, where it is read, and the offer to read; only on the active chain, whose state it is. */
function createViewLenses(
  document: vscode.TextDocument,
  view: DeployedView,
  deps: LensOptions,
): readonly Lens[] {
  const { name, declaration, offset, isPlain } = view;
  const { values } = deps;
  const deployments = sortDeployments(listHere(view, deps), deps);
  if (deployments.length === 0) return [];
  const at = document.positionAt(offset);
  const toLens = (
    shown: readonly ContractDeployment[],
    content: Pick<LensContent, 'title' | 'tooltip'>,
  ): LensContent => ({
    ...content,
    command: 'chainside.readContract',
    argument: { ...toDeploymentChoice(shown, { name }), shown: toSelector(declaration) },
  });
  const read = () =>
    toLens(deployments, { title: vscode.l10n.t('Read…'), tooltip: formatDeployments(deployments, deps) });
  const meant = isPlain ? findMeant(view, deps) : undefined;
  const value = meant && values.get({ address: meant.address, declaration });
  if (!value) return [{ at, show: read }];
  const newest = formatNewest(1, deployments.length);
  const show = () =>
    toLens([meant], {
      title: [`= ${value.text}`, newest].filter((part) => part !== undefined).join(' · '),
      tooltip: [
        value.amount?.toString(),
        vscode.l10n.t('In block {0} on {1}', formatNumber(value.block), deps.session.network.name),
        ...(newest === undefined ? [] : formatDeployments([meant], deps)),
      ],
    });
  return [
    { at, show },
    { at, show: read },
  ];
}

/** The deployment that the name of the contract means on the active chain: the only one there, or the newest. */
export function findMeant(
  view: Pick<DeployedView, 'deployments'>,
  deps: Pick<ChainDeps, 'session'>,
): ContractDeployment | undefined {
  const [only, ...others] = listHere(view, deps).filter(({ isNewest }) => isNewest);
  return others.length === 0 ? only : undefined;
}

/** The deployments on the active chain that its node has. */
function listHere(
  { deployments }: Pick<DeployedView, 'deployments'>,
  { session }: Pick<ChainDeps, 'session'>,
): readonly SourceDeployment[] {
  const { chainId: active } = session.network;
  return deployments.filter((one) => parseChainId(one.chainId) === active && !isMissing(one));
}

function toSelector(declaration: string): string | undefined {
  const item = parseAbiItem(declaration);
  return item?.kind === 'function' ? item.selector : undefined;
}

/** The number of logs, or the offer to count them, where the event is deployed on the active chain; then the query. */
function createEventLenses(
  document: vscode.TextDocument,
  { name, declaration, offset, hash, deployments: unsorted }: DeployedEvent,
  deps: LensOptions,
): readonly Lens[] {
  const all = sortDeployments(unsorted, deps);
  // A chain that was started anew lacks earlier ones.
  const present = all.filter((one) => !isMissing(one));
  const deployments = present.length > 0 ? present : all;
  const query = (): LensContent =>
    deployments.length === 0
      ? {
          title: vscode.l10n.t('Query…'),
          tooltip: [hash().signature, hash().topic0],
          command: 'chainside.queryLogs',
          // The declaration contains `indexed`, which a signature lacks.
          argument: { event: declaration },
        }
      : {
          title: vscode.l10n.t('Query…'),
          tooltip: formatDeployments(deployments, deps),
          command: 'chainside.queryLogsOfDeployment',
          argument: toDeploymentChoice(deployments, { name, event: declaration }),
        };
  const count = createCountLens({ declaration, deployments }, { document, ...deps });
  const at = document.positionAt(offset);
  return [...(count ? [count] : []), query].map((show) => ({ at, show }));
}

interface CountOptions extends Pick<LensOptions, 'session' | 'counts'> {
  readonly document: vscode.TextDocument;
}

interface CountedEventKey {
  readonly declaration: string;
  readonly deployments: readonly ContractDeployment[];
}

function createCountLens(
  { declaration, deployments }: CountedEventKey,
  { document, session, counts }: CountOptions,
): (() => LensContent) | undefined {
  const { network } = session;
  const here = deployments.filter(({ chainId }) => parseChainId(chainId) === network.chainId);
  if (here.every(isMissing)) return undefined;
  const addresses = listCountedAddresses(deployments, network.chainId);
  const covered =
    formatRole(here) ??
    (addresses.length > 1 ? vscode.l10n.t('{0} deployments', formatNumber(addresses.length)) : undefined);
  return () => {
    const counted = counts.get(declaration, addresses);
    return counted
      ? {
          title: [formatCount(counted), covered].filter((part) => part !== undefined).join(' · '),
          tooltip: formatCountDetails(counted, network.name),
          command: 'chainside.queryLogs',
          argument: toCountedQuery(declaration, counted, network),
        }
      : {
          title: vscode.l10n.t('Count Logs'),
          tooltip: [
            vscode.l10n.t('Count the logs of the events that are deployed together on {0}', network.name),
          ],
          command: 'chainside.countEvents',
          argument: { file: document.uri.toString(), event: declaration },
        };
  };
}
