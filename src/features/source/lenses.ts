import * as vscode from 'vscode';
import {
  type Clock,
  createTimeSlices,
  type IndexedDeployment,
  type SourceContract,
} from '../../core/index.ts';
import type { SourceReader } from '../../host/contracts/declarations.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import type { Lens, LensContent } from '../../host/ui/languageFeatures.ts';
import { formatCount, formatCountDetails, toCountedQuery } from './countCommand.ts';
import { type EventCountCache, listCountedAddresses } from './countEvents.ts';
import {
  formatDeployedTitle,
  formatDeployments,
  formatQueryTitle,
  sortDeployments,
  toDeploymentChoice,
} from './deployments.ts';
import {
  type DeclaredError,
  type DeclaredEvent,
  type DeploymentFinder,
  findErrors,
  findEvents,
} from './findDeployments.ts';

interface LensOptions extends ChainDeps {
  readonly clock: Clock;
  readonly path: string;
  readonly reader: SourceReader;
  /** Undefined until the workspace has been read. */
  readonly finder: DeploymentFinder | undefined;
  readonly counts: EventCountCache;
}

/**
 * Lenses on events (query logs, copy topic0), on errors (copy the selector) and on contracts (deployments). Rejects
 * when the reader's signal aborts.
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
  for (const error of await findErrors(path, reader)) lenses.push(createErrorLens(document, error));
  return lenses;
}

function createContractLenses(
  document: vscode.TextDocument,
  contract: SourceContract,
  options: LensOptions,
): readonly Lens[] {
  const deployments = sortDeployments(options.finder?.contract(contract) ?? [], options);
  if (deployments.length === 0) return [];
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

/** Enough digits of topic0 to recognize it. */
const SHOWN_TOPIC_CHARS = 10;

function createEventLenses(
  document: vscode.TextDocument,
  { name, declaration, offset, hash, deployments }: DeployedEvent,
  deps: LensOptions,
): readonly Lens[] {
  const at = document.positionAt(offset);
  const query = (): LensContent => ({
    title: vscode.l10n.t('Query logs of {0}', name),
    tooltip: [hash().signature, hash().topic0],
    command: 'chainside.queryLogs',
    // The declaration contains `indexed`, which a signature lacks.
    argument: { event: declaration },
  });
  const queryThere = (): LensContent => ({
    title: formatQueryTitle(deployments, deps),
    tooltip: formatDeployments(deployments, deps),
    command: 'chainside.queryLogsOfDeployment',
    argument: toDeploymentChoice(deployments, { name, event: declaration }),
  });
  const copy = (): LensContent => {
    const { signature, topic0 } = hash();
    return {
      title: vscode.l10n.t('topic0 {0}', `${topic0.slice(0, SHOWN_TOPIC_CHARS)}…`),
      tooltip: [vscode.l10n.t('Copy topic0 of {0}', signature), topic0],
      command: 'chainside.copyValue',
      argument: topic0,
    };
  };
  const there = deployments.length === 0 ? [] : [queryThere];
  const counted = createCountLenses({ declaration, deployments }, { document, ...deps });
  return [query, ...there, ...counted, copy].map((show) => ({ at, show }));
}

interface CountOptions extends Pick<ChainDeps, 'session'> {
  readonly document: vscode.TextDocument;
  readonly clock: Clock;
  readonly counts: EventCountCache;
}

interface CountedEventKey {
  readonly declaration: string;
  readonly deployments: readonly IndexedDeployment[];
}

/**
 * A lens that counts an event on the active chain, if it is deployed there; once counted, one that shows the count and
 * opens the logs. Events that have not been counted show no count.
 */
function createCountLenses(
  { declaration, deployments }: CountedEventKey,
  { document, session, clock, counts }: CountOptions,
): readonly (() => LensContent)[] {
  const { network } = session;
  const addresses = listCountedAddresses(deployments, network.chainId);
  if (addresses.length === 0) return [];
  const counted = counts.size === 0 ? undefined : counts.get(declaration, addresses);
  const count = (): LensContent => ({
    title: counted ? vscode.l10n.t('Recount') : vscode.l10n.t('Count on chain'),
    tooltip: [vscode.l10n.t('Count the logs of the events that are deployed together on {0}', network.name)],
    command: 'chainside.countEvents',
    argument: { file: document.uri.toString(), event: declaration },
  });
  if (!counted) return [count];
  const shownCount = (): LensContent => ({
    title: formatCount(counted, clock.now()),
    tooltip: formatCountDetails(counted, network.name),
    command: 'chainside.queryLogs',
    argument: toCountedQuery(declaration, counted, network),
  });
  return [shownCount, count];
}

function createErrorLens(document: vscode.TextDocument, { offset, read }: DeclaredError): Lens {
  const show = (): LensContent | undefined => {
    const error = read();
    return (
      error && {
        title: vscode.l10n.t('selector {0}', error.selector),
        tooltip: [vscode.l10n.t('Copy the selector of {0}', error.signature)],
        command: 'chainside.copyValue',
        argument: error.selector,
      }
    );
  };
  return { at: document.positionAt(offset), show };
}
