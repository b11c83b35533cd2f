import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { groupDigits, type LoadProgress, type Network } from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands/commands.ts';
import { cancellable } from '../../../host/commands/progress.ts';
import type { Connection, Session } from '../../../host/session/session.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import { showError } from '../../../host/words/showError.ts';
import type { LogQueryArguments } from '../../../manifest.ts';
import { type CountedEvent, type CountedGroup, countedGroups, countGroup } from './countEvents.ts';
import { countLines, countTitle } from './countWords.ts';
import type { EventCount, EventCounts } from './eventCounts.ts';

export interface CountDeps {
  readonly session: Session;
  readonly counts: EventCounts;
  readonly now: () => number;
  readonly log: vscode.LogOutputChannel;
  /** The events that a source declares, once the workspace has been read. */
  readonly eventsIn: (
    document: vscode.TextDocument,
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly CountedEvent[]>;
}

/** Of a lens: the file that it is in, and the event that is counted with all that are deployed with it. */
const Counted = z.object({
  file: z.string().check(z.maxLength(4096)),
  event: z.string().check(z.maxLength(4096)),
});

/** Registers *Count Events on Chain*: for one event over a lens, for all of the open file from the palette. */
export function registerCountCommand(deps: CountDeps): vscode.Disposable {
  return registerCommand('chainside.countEvents', async (argument) => {
    try {
      await countEvents(deps, Counted.safeParse(argument).data);
    } catch (error) {
      const { network } = deps.session;
      await showError(error, { service: 'endpoint', network, log: deps.log });
    }
  });
}

async function countEvents(deps: CountDeps, asked: z.infer<typeof Counted> | undefined): Promise<void> {
  const document = asked ? openDocument(asked.file) : vscode.window.activeTextEditor?.document;
  if (!document) {
    await showMessage('information', vscode.l10n.t('Open the source that declares the events.'));
    return;
  }
  const { connection } = deps.session;
  const { network } = connection;
  const title = vscode.l10n.t('Counting events on {0}', network.name);
  const counted = await cancellable(title, async ({ signal, report }) => {
    const both = AbortSignal.any([signal, connection.signal]);
    const events = await deps.eventsIn(document, { signal: both });
    const groups = countedGroups(events, network.chainId).filter(
      ({ events: together }) => !asked || together.some(({ declaration }) => declaration === asked.event),
    );
    const found = await countAll(connection, groups, { signal: both, report });
    deps.counts.put(connection, found);
    return { events: groups.flatMap((group) => group.events), found };
  });
  if (counted === 'cancelled') return;
  if (counted.events.length === 0) {
    const words = vscode.l10n.t(
      'No deployment on {0} is known of a contract that has these events.',
      network.name,
    );
    await showMessage('information', words);
  } else if (!asked) await pickCounted(deps, connection, counted);
}

/** Group after group, each by a query of its own. */
async function countAll(
  { client }: Connection,
  groups: readonly CountedGroup[],
  {
    signal,
    report,
  }: { readonly signal: AbortSignal; readonly report: (share: number, words: string) => void },
): Promise<ReadonlyMap<string, EventCount>> {
  const found = new Map<string, EventCount>();
  for (const [index, group] of groups.entries()) {
    const onProgress = ({ blocksDone, blocks }: LoadProgress) => {
      const part = blocks === 0n ? 0 : Number((blocksDone * 1000n) / blocks) / 1000;
      const words = vscode.l10n.t('{0} of {1} blocks', groupDigits(blocksDone), groupDigits(blocks));
      report((index + part) / groups.length, words);
    };
    const counted = await countGroup(client, group, { signal, onProgress });
    for (const [declaration, count] of counted) found.set(declaration, count);
  }
  return found;
}

/** All that was counted, to open the logs of one. */
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
    const [verdict] = countLines(counted, network.name);
    const query = countedQuery(declaration, counted, network);
    return [
      { label: name, description: countTitle(counted, now), ...(verdict && { detail: verdict }), query },
    ];
  });
  const picked = await pickOne(choices, {
    title: vscode.l10n.t('Events on {0}', network.name),
    placeHolder: vscode.l10n.t('Choose an event to see its logs'),
    matchOnDescription: true,
  });
  if (picked) await runCommand('chainside.queryLogs', picked.query);
}

/** The query that a figure is of. */
export function countedQuery(
  event: string,
  { addresses, fromBlock, isWhole }: EventCount,
  { chainId }: Network,
): LogQueryArguments {
  const from = isWhole && { fromBlock: fromBlock.toString() };
  return { address: addresses, event, ...from, chainId, run: true };
}

function openDocument(file: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file);
}
