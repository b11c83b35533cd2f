import * as vscode from 'vscode';
import {
  type Clock,
  createTimeSlices,
  type IndexedDeployment,
  type SourceContract,
} from '../../../core/index.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import type { SourceReader } from '../../../host/sources/declarations.ts';
import type { Lens, LensWords } from '../../../host/surface/lenses.ts';
import type { EventCounts } from '../coverage/eventCounts.ts';
import {
  deployedTitle,
  deploymentChoice,
  deploymentLines,
  inOrder,
  queryTitle,
} from '../deployments/deploymentWords.ts';
import type { WhereDeployed } from '../deployments/whereDeployed.ts';
import { countLenses } from './countLenses.ts';
import { type DeclaredError, findErrors } from './findErrors.ts';
import { type DeclaredEvent, findEvents } from './findEvents.ts';

/** Digits of topic0 that tell it from others at a glance. */
const SHOWN_TOPIC = 10;

interface LensOptions extends ChainDeps {
  readonly clock: Clock;
  readonly path: string;
  readonly reader: SourceReader;
  /** Undefined until the workspace has been read. */
  readonly where: WhereDeployed | undefined;
  /** What was counted so far. */
  readonly counts: EventCounts;
}

/**
 * Over events what queries their logs and copies topic0, over errors what copies the selector, over contracts where they
 * are deployed. Rejects when the reader's signal aborts.
 */
export async function sourceLenses(
  document: vscode.TextDocument,
  options: LensOptions,
): Promise<readonly Lens[]> {
  const { path, reader, where, clock } = options;
  const slices = createTimeSlices(clock);
  const facts = await reader.read(path);
  const lenses = (facts?.contracts ?? []).flatMap((contract) => contractLenses(document, contract, options));
  for (const event of await findEvents(path, reader)) {
    const deployments = inOrder((await where?.item(event.declaration, event.contract)) ?? [], options);
    lenses.push(...eventLenses(document, { ...event, deployments }, options));
    if (slices.isOver()) await slices.rest({ signal: reader.signal });
  }
  for (const error of await findErrors(path, reader)) lenses.push(errorLens(document, error));
  return lenses;
}

function contractLenses(
  document: vscode.TextDocument,
  contract: SourceContract,
  options: LensOptions,
): readonly Lens[] {
  const deployments = inOrder(options.where?.contract(contract) ?? [], options);
  if (deployments.length === 0) return [];
  const show = (): LensWords => ({
    title: deployedTitle(deployments, options),
    tooltip: deploymentLines(deployments, options),
    command: 'chainside.showDeployments',
    argument: deploymentChoice(deployments, contract),
  });
  return [{ at: document.positionAt(contract.offset), show }];
}

interface DeployedEvent extends DeclaredEvent {
  readonly deployments: readonly IndexedDeployment[];
}

function eventLenses(
  document: vscode.TextDocument,
  { name, declaration, offset, hash, deployments }: DeployedEvent,
  deps: LensOptions,
): readonly Lens[] {
  const at = document.positionAt(offset);
  const query = (): LensWords => ({
    title: vscode.l10n.t('Query logs of {0}', name),
    tooltip: [hash().signature, hash().topic0],
    command: 'chainside.queryLogs',
    // With its words `indexed`: which parameters a query may ask for stands in no signature.
    argument: { event: declaration },
  });
  const queryThere = (): LensWords => ({
    title: queryTitle(deployments, deps),
    tooltip: deploymentLines(deployments, deps),
    command: 'chainside.queryLogsOfDeployment',
    argument: deploymentChoice(deployments, { name, event: declaration }),
  });
  const copy = (): LensWords => {
    const { signature, topic0 } = hash();
    return {
      title: vscode.l10n.t('topic0 {0}', `${topic0.slice(0, SHOWN_TOPIC)}…`),
      tooltip: [vscode.l10n.t('Copy topic0 of {0}', signature), topic0],
      command: 'chainside.copyValue',
      argument: topic0,
    };
  };
  const there = deployments.length === 0 ? [] : [queryThere];
  const counted = countLenses({ declaration, deployments }, { document, ...deps });
  return [query, ...there, ...counted, copy].map((show) => ({ at, show }));
}

function errorLens(document: vscode.TextDocument, { offset, read }: DeclaredError): Lens {
  const show = (): LensWords | undefined => {
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
