import * as vscode from 'vscode';
import { type ChainClient, type ComparableRun, compareRuns, type LogStore } from '../../../core/index.ts';
import { pickOne, showMessage } from '../../../host/ui/dialogs.ts';
import {
  fromStoredVerdict,
  isCompleteRun,
  type NetworkQuery,
  type StoredRun,
} from '../queries/queryHistory.ts';
import type { QueryStore } from '../queries/queryStore.ts';
import { formatRunWithAge } from '../queries/queryTree.ts';
import type { ShownComparison } from './formatComparison.ts';
import { MAX_STORED_ROWS } from './runRows.ts';

/** A complete run with its rows. */
export interface LastRun {
  readonly run: StoredRun;
  readonly rows: LogStore;
}

interface ChoiceDeps {
  readonly queries: QueryStore;
  readonly clock: { now(): number };
}

/**
 * The run that a query is to be compared with: its last complete one. Where that itself was not compared yet, the user may
 * mean the one before it, and is asked. Undefined, after saying why: there is none.
 */
export async function findLastRun(
  asked: NetworkQuery,
  { queries, clock }: ChoiceDeps,
): Promise<LastRun | undefined> {
  await queries.settled();
  const kept = queries.find(asked);
  const whole = [kept?.last, kept?.earlier].filter((run) => run !== undefined).filter(isCompleteRun);
  const run = await chooseRun(whole, clock.now());
  if (!run) return undefined;
  const rows = await queries.rowsOf(run);
  if (rows) return { run: { ...run, ...run.rows }, rows };
  sayNoRun(vscode.l10n.t('The logs of the last run are not kept any more. Run the query to keep them anew.'));
  return undefined;
}

async function chooseRun(whole: readonly StoredRun[], now: number): Promise<StoredRun | undefined> {
  const { l10n } = vscode;
  const [last] = whole;
  if (!last) {
    sayNoRun(
      l10n.t(
        'No run of this query was complete yet. Run it and load all of it: the next run can be compared with that.',
      ),
    );
    return undefined;
  }
  const [newest, before] = whole.filter(({ rows }) => rows !== undefined);
  if (!newest) {
    const most = MAX_STORED_ROWS.toLocaleString(vscode.env.language);
    const count = last.count.toLocaleString(vscode.env.language);
    sayNoRun(
      last.count > MAX_STORED_ROWS
        ? l10n.t(
            'The last run gave {0} logs. Those of runs with up to {1} are kept to be compared.',
            count,
            most,
          )
        : l10n.t('The logs of the last run are not kept any more. Run the query to keep them anew.'),
    );
    return undefined;
  }
  const isOne = !before || newest.compared || newest.rows?.sha256 === before.rows?.sha256;
  if (isOne) return newest;
  const language = { l10n, locale: vscode.env.language };
  const choice = (label: string, run: StoredRun) => ({
    label,
    description: formatRunWithAge(run, now, language),
    run,
  });
  const picked = await pickOne(
    [choice(l10n.t('Last Run'), newest), choice(l10n.t('The Run Before It'), before)],
    {
      title: l10n.t('Compare with Last Run'),
      placeHolder: l10n.t('The query is run again. What to compare it with'),
      ignoreFocusOut: true,
    },
  );
  return picked?.run;
}

/** Holds what a query gives now against a run before. @throws AppError `aborted`. */
export async function compareWithRun(
  { run: before, rows: rowsBefore }: LastRun,
  { run: now, rows, verdict }: { readonly run: StoredRun } & ComparableRun,
  { client, signal }: { readonly client: Pick<ChainClient, 'getBlockHash'>; readonly signal: AbortSignal },
): Promise<ShownComparison> {
  if (!before.verdict) throw new Error('A complete run has a verdict.');
  const then = { ...fromStoredVerdict(before.verdict), order: rowsBefore.order };
  // What only more questions would tell is not worth an error.
  const blockHash = (block: bigint) => client.getBlockHash(block, { signal }).catch(() => undefined);
  const options = { blockHash, signal };
  const comparison = await compareRuns({ rows, verdict }, { rows: rowsBefore, verdict: then }, options);
  return { comparison, now, before };
}

function sayNoRun(words: string): void {
  void showMessage('information', words);
}
