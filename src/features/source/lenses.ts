import * as vscode from 'vscode';
import {
  type Clock,
  createTimeSlices,
  type IndexedDeployment,
  type SourceContract,
} from '../../core/index.ts';
import type { SourceReader } from '../../host/contracts/declarations.ts';
import { parseChainId } from '../../host/names/addressName.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import type { Lens, LensContent } from '../../host/ui/languageFeatures.ts';
import { formatCount, formatCountDetails, toCountedQuery } from './countCommand.ts';
import { type EventCountCache, listCountedAddresses } from './countEvents.ts';
import {
  formatDeployedTitle,
  formatDeployments,
  sortDeployments,
  toDeploymentChoice,
} from './deployments.ts';
import { type DeclaredEvent, type DeploymentFinder, findEvents } from './findDeployments.ts';
import type { MissingDeployments } from './missingDeployments.ts';

interface LensOptions extends ChainDeps {
  readonly clock: Clock;
  readonly path: string;
  readonly reader: SourceReader;
  /** Undefined until the workspace has been read. */
  readonly finder: DeploymentFinder | undefined;
  readonly counts: EventCountCache;
  readonly missing: MissingDeployments;
}

/**
 * Lenses on events (the number of logs, and their query) and on contracts (deployments). Rejects when the reader's signal
 * aborts.
 */
export async function createSourceLenses(
  document: vscode.TextDocument,
  options: LensOptions,
): Promise<readonly Lens[]> {
  const { path, reader, finder, clock } = options;
  const slices = createTimeSlices(clock);
  const facts = await reader.read(path);
  const lenses = (facts?.contracts ?? []).flatMap((contract) =>
    createContractLenses(document, contract, options),
  );
  for (const event of await findEvents(path, reader)) {
    const deployments = sortDeployments(
      (await finder?.item(event.declaration, event.contract)) ?? [],
      options,
    );
    lenses.push(...createEventLenses(document, { ...event, deployments }, options));
    if (slices.isOver()) await slices.rest({ signal: reader.signal });
  }
  return lenses;
}

function createContractLenses(
  document: vscode.TextDocument,
  contract: SourceContract,
  options: LensOptions,
): readonly Lens[] {
  const deployments = sortDeployments(options.finder?.contract(contract) ?? [], options);
  if (deployments.length === 0) return [];
  options.missing.lookUp(deployments);
  const show = (): LensContent => ({
    title: formatDeployedTitle(deployments, options),
    tooltip: formatDeployments(deployments, options),
    command: 'chainside.showDeployments',
    argument: toDeploymentChoice(deployments, contract),
  });
  return [{ at: document.positionAt(contract.offset), show }];
}

interface DeployedEvent extends DeclaredEvent {
  readonly deployments: readonly IndexedDeployment[];
}

/** The number of logs, or the offer to count them, where the event is deployed on the active chain; then the query. */
function createEventLenses(
  document: vscode.TextDocument,
  { name, declaration, offset, hash, deployments }: DeployedEvent,
  deps: LensOptions,
): readonly Lens[] {
  const title = vscode.l10n.t('Query…');
  const query = (): LensContent =>
    deployments.length === 0
      ? {
          title,
          tooltip: [hash().signature, hash().topic0],
          command: 'chainside.queryLogs',
          // The declaration contains `indexed`, which a signature lacks.
          argument: { event: declaration },
        }
      : {
          title,
          tooltip: formatDeployments(deployments, deps),
          command: 'chainside.queryLogsOfDeployment',
          argument: toDeploymentChoice(deployments, { name, event: declaration }),
        };
  const count = createCountLens({ declaration, deployments }, { document, ...deps });
  const at = document.positionAt(offset);
  return [...(count ? [count] : []), query].map((show) => ({ at, show }));
}

interface CountOptions extends Pick<LensOptions, 'session' | 'counts' | 'missing'> {
  readonly document: vscode.TextDocument;
}

interface CountedEventKey {
  readonly declaration: string;
  readonly deployments: readonly IndexedDeployment[];
}

function createCountLens(
  { declaration, deployments }: CountedEventKey,
  { document, session, counts, missing }: CountOptions,
): (() => LensContent) | undefined {
  const { network } = session;
  const here = deployments.filter(({ chainId }) => parseChainId(chainId) === network.chainId);
  if (here.every(missing.has)) return undefined;
  const addresses = listCountedAddresses(deployments, network.chainId);
  return () => {
    const counted = counts.get(declaration, addresses);
    return counted
      ? {
          title: formatCount(counted),
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
