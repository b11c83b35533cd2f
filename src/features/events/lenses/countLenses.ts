import * as vscode from 'vscode';
import type { Clock, IndexedDeployment } from '../../../core/index.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import type { LensWords } from '../../../host/surface/lenses.ts';
import { countedQuery } from '../coverage/countCommand.ts';
import { countedAddresses } from '../coverage/countEvents.ts';
import { countLines, countTitle } from '../coverage/countWords.ts';
import type { EventCounts } from '../coverage/eventCounts.ts';

interface Counted {
  readonly declaration: string;
  readonly deployments: readonly IndexedDeployment[];
}

interface CountOptions extends Pick<ChainDeps, 'session'> {
  readonly document: vscode.TextDocument;
  readonly clock: Clock;
  readonly counts: EventCounts;
}

/**
 * What has an event counted on the active chain, where it is deployed there; once it was, how often it has fired, which
 * leads to its logs. Of an event that nobody has asked about nothing is said.
 */
export function countLenses(
  { declaration, deployments }: Counted,
  { document, session, clock, counts }: CountOptions,
): readonly (() => LensWords)[] {
  const { network } = session;
  const addresses = countedAddresses(deployments, network.chainId);
  if (addresses.length === 0) return [];
  const counted = counts.size === 0 ? undefined : counts.of(declaration, addresses);
  const count = (): LensWords => ({
    title: counted ? vscode.l10n.t('Count again') : vscode.l10n.t('Count on chain'),
    tooltip: [vscode.l10n.t('Ask {0} how often the events have fired that are deployed here', network.name)],
    command: 'chainside.countEvents',
    argument: { file: document.uri.toString(), event: declaration },
  });
  if (!counted) return [count];
  const figure = (): LensWords => ({
    title: countTitle(counted, clock.now()),
    tooltip: countLines(counted, network.name),
    command: 'chainside.queryLogs',
    argument: countedQuery(declaration, counted, network),
  });
  return [figure, count];
}
