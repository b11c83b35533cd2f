import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  describeReasons,
  formatIsoTime,
  formatLocalTime,
  type LoadProgress,
  type Network,
} from '../../core/index.ts';
import { registerCommand, runCommand } from '../../host/commands.ts';
import type { CheckedDeploymentDeps } from '../../host/contracts/queryDeployment.ts';
import { showError } from '../../host/errors.ts';
import { formatAge } from '../../host/formatTime.ts';
import { localize } from '../../host/l10n.ts';
import { formatNumber } from '../../host/numbers.ts';
import type { Connection, Session } from '../../host/session/session.ts';
import { pickOne, showMessage } from '../../host/ui/dialogs.ts';
import { withCancellableProgress } from '../../host/ui/window.ts';
import type { LogQueryArguments } from '../../manifest.ts';
import {
  type CountedEvent,
  type CountedGroup,
  countEventGroup,
  type EventCount,
  type EventCountCache,
  groupCountedEvents,
} from './countEvents.ts';

interface CountDeps {
  readonly session: Session;
  readonly counts: EventCountCache;
  readonly now: () => number;
  readonly log: vscode.LogOutputChannel;
  readonly checkDeployments: CheckedDeploymentDeps['checkDeployments'];
  /** Waits until the workspace has been read. */
  readonly eventsIn: (
    document: vscode.TextDocument,
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly CountedEvent[]>;
}

/** The argument of a lens: its file, and the event that is counted together with all that have the same deployments. */
const CountedSchema = z.object({
  file: z.string().check(z.maxLength(4096)),
  event: z.string().check(z.maxLength(4096)),
});

/** Registers *Count Events on Chain*: for one event from a lens, for all events of the open file from the palette. */
export function registerCountCommand(deps: CountDeps): vscode.Disposable {
  return registerCommand('chainside.countEvents', async (argument) => {
    try {
      await countEvents(deps, CountedSchema.safeParse(argument).data);
    } catch (error) {
      const { network } = deps.session;
      await showError(error, { service: 'endpoint', network, log: deps.log });
    }
  });
}

async function countEvents(
  deps: CountDeps,
  target: z.infer<typeof CountedSchema> | undefined,
): Promise<void> {
  const document = target ? openDocument(target.file) : vscode.window.activeTextEditor?.document;
  if (!document) {
    await showMessage('information', vscode.l10n.t('Open a source file that declares events.'));
    return;
  }
  const { connection } = deps.session;
  const { network } = connection;
  const title = vscode.l10n.t('Counting events on {0}', network.name);
  const counted = await withCancellableProgress(title, async ({ signal, report }) => {
    const eitherSignal = AbortSignal.any([signal, connection.signal]);
    const declared = await deps.eventsIn(document, { signal: eitherSignal });
    await deps.checkDeployments(
      groupCountedEvents(declared, network.chainId).flatMap(({ addresses }) => addresses),
    );
    const events = await deps.eventsIn(document, { signal: eitherSignal });
    const groups = groupCountedEvents(events, network.chainId).filter(
      ({ events: together }) => !target || together.some(({ declaration }) => declaration === target.event),
    );
    const found = await countAll(connection, groups, { signal: eitherSignal, report });
    deps.counts.put(connection, found);
    return { events: groups.flatMap((group) => group.events), found };
  });
  if (counted === 'cancelled') return;
  if (counted.events.length === 0) {
    const message = vscode.l10n.t(
      'No contract with these events has a known deployment on {0}.',
      network.name,
    );
    await showMessage('information', message);
  } else if (!target) await pickCounted(deps, connection, counted);
}

/** One query for each group. */
async function countAll(
  { client }: Connection,
  groups: readonly CountedGroup[],
  {
    signal,
    report,
  }: { readonly signal: AbortSignal; readonly report: (share: number, text: string) => void },
): Promise<ReadonlyMap<string, EventCount>> {
  const found = new Map<string, EventCount>();
  for (const [index, group] of groups.entries()) {
    const onProgress = ({ blocksDone, blocks }: LoadProgress) => {
      const part = blocks === 0n ? 0 : Number((blocksDone * 1000n) / blocks) / 1000;
      const label = vscode.l10n.t('{0} of {1} blocks', formatNumber(blocksDone), formatNumber(blocks));
      report((index + part) / groups.length, label);
    };
    const counted = await countEventGroup(client, group, { signal, onProgress });
    for (const [declaration, count] of counted) found.set(declaration, count);
  }
  return found;
}

/** Lists the counts, and opens the logs of the event picked. */
async function pickCounted(
  deps: CountDeps,
  { network }: Connection,
  {
    events,
    found,
  }: { readonly events: readonly CountedEvent[]; readonly found: ReadonlyMap<string, EventCount> },
): Promise<void> {
  const now = deps.now();
  const choices = events.flatMap(({ name, declaration }) => {
    const counted = found.get(declaration);
    if (!counted) return [];
    const [verdict] = formatCountDetails(counted, network.name);
    const query = toCountedQuery(declaration, counted, network);
    return [
      {
        label: name,
        description: formatCountAndAge(counted, now),
        ...(verdict && { detail: verdict }),
        query,
      },
    ];
  });
  const picked = await pickOne(choices, {
    title: vscode.l10n.t('Events on {0}', network.name),
    placeHolder: vscode.l10n.t('Choose an event to see its logs'),
    matchOnDescription: true,
  });
  if (picked) await runCommand('chainside.queryLogs', picked.query);
}

export function toCountedQuery(
  event: string,
  { addresses }: EventCount,
  { chainId }: Network,
): LogQueryArguments {
  return { address: addresses, event, chainId, run: true };
}

function openDocument(file: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file);
}

const TWO_DAYS_MS = 2 * 24 * 3600 * 1000;

/** `12,034 logs` */
export function formatCount({ count, isWhole, reasons }: EventCount): string {
  const { l10n } = vscode;
  const number = formatNumber(count);
  if (count === 0) return isWhole && reasons.length === 0 ? l10n.t('No logs') : l10n.t('No logs, uncertain');
  if (reasons.length > 0) return l10n.t('{0} or more logs, uncertain', number);
  if (!isWhole) return l10n.t('{0} or more logs', number);
  return count === 1 ? l10n.t('1 log') : l10n.t('{0} logs', number);
}

/** `12,034 logs, last 3 min ago` */
function formatCountAndAge(counted: EventCount, now: number): string {
  const { last } = counted;
  return [formatCount(counted), last && formatLastFired(last, now)]
    .filter((part) => part !== undefined)
    .join(', ');
}

function formatLastFired({ block, time }: NonNullable<EventCount['last']>, now: number): string {
  const { l10n } = vscode;
  if (time === undefined) return l10n.t('last in block {0}', formatNumber(block));
  const age = Math.max(0, now - time);
  if (age < TWO_DAYS_MS) return l10n.t('last {0}', formatAge(age, l10n));
  return l10n.t('last on {0}', formatLocalTime(time).slice(0, '2026-11-23'.length));
}

/** Completeness, reasons, the last log and the deployments, a line each. */
export function formatCountDetails(counted: EventCount, network: string): readonly string[] {
  const { l10n } = vscode;
  const { isWhole, reasons, fromBlock, toBlock, last, addresses, deployments } = counted;
  const blocks = [formatNumber(fromBlock), formatNumber(toBlock)] as const;
  const verdict = !isWhole
    ? l10n.t('On {0}: blocks {1} to {2}; earlier blocks are not counted', network, ...blocks)
    : reasons.length > 0
      ? l10n.t('On {0}: may be incomplete, blocks {1} to {2}', network, ...blocks)
      : l10n.t('On {0}: complete, blocks {1} to {2}', network, ...blocks);
  const number = (block: bigint) => formatNumber(block);
  return [
    verdict,
    ...describeReasons(reasons, number).map((reason) => localize(reason, l10n)),
    ...(last ? [l10n.t('Last log in block {0}{1}', formatNumber(last.block), timeAfter(last.time))] : []),
    addresses.length < deployments
      ? l10n.t('At {0} of {1} deployments', formatNumber(addresses.length), formatNumber(deployments))
      : l10n.t('Deployments: {0}', formatNumber(deployments)),
  ];
}

function timeAfter(time: number | undefined): string {
  return time === undefined ? '' : `, ${formatIsoTime(time)}`;
}
