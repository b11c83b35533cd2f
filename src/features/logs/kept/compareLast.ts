import * as vscode from 'vscode';
import { type ChainClient, type ComparableRun, compareRuns, type LogStore } from '../../../core/index.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import type { GivenComparison } from './comparisonWords.ts';
import type { KeptQueries } from './keptQueries.ts';
import { MOST_KEPT_ROWS } from './keptRows.ts';
import { fromKeptVerdict, isWhole, type KeptRun } from './keptRun.ts';
import type { NetworkQuestion } from './recentQueries.ts';
import { agedRunWords } from './runWords.ts';

/** A complete run with its rows. */
export interface LastRun {
  readonly run: KeptRun;
  readonly rows: LogStore;
}

interface ChoiceDeps {
  readonly queries: KeptQueries;
  readonly clock: { now(): number };
}

/**
 * The run that a query is to be compared with: its last complete one. Where that itself was not compared yet, the user may
 * mean the one before it, and is asked. Undefined, after saying why: there is none.
 */
export async function findLastRun(
  asked: NetworkQuestion,
  { queries, clock }: ChoiceDeps,
): Promise<LastRun | undefined> {
  await queries.settled();
  const kept = queries.find(asked);
  const whole = [kept?.last, kept?.earlier].filter((run) => run !== undefined).filter(isWhole);
  const run = await chooseRun(whole, clock.now());
  if (!run) return undefined;
  const rows = await queries.rowsOf(run);
  if (rows) return { run: { ...run, ...run.rows }, rows };
  sayNoRun(vscode.l10n.t('The logs of the last run are not kept any more. Run the query to keep them anew.'));
  return undefined;
}

async function chooseRun(whole: readonly KeptRun[], now: number): Promise<KeptRun | undefined> {
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
    const most = MOST_KEPT_ROWS.toLocaleString(vscode.env.language);
    const count = last.count.toLocaleString(vscode.env.language);
    sayNoRun(
      last.count > MOST_KEPT_ROWS
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
  const choice = (label: string, run: KeptRun) => ({
    label,
    description: agedRunWords(run, now, language),
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
export async function compareWith(
  { run: before, rows: rowsBefore }: LastRun,
  { run: now, rows, verdict }: { readonly run: KeptRun } & ComparableRun,
  { client, signal }: { readonly client: Pick<ChainClient, 'blockHash'>; readonly signal: AbortSignal },
): Promise<GivenComparison> {
  if (!before.verdict) throw new Error('A complete run has a verdict.');
  const then = { ...fromKeptVerdict(before.verdict), order: rowsBefore.order };
  // What only more questions would tell is not worth an error.
  const blockHash = (block: bigint) => client.blockHash(block, { signal }).catch(() => undefined);
  const options = { blockHash, signal };
  const comparison = await compareRuns({ rows, verdict }, { rows: rowsBefore, verdict: then }, options);
  return { comparison, now, before };
}

function sayNoRun(words: string): void {
  void showMessage('information', words);
}
