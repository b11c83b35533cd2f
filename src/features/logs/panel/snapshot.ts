import { isAppError, isFormField } from '../../../core/index.ts';
import { problemWords } from '../../../host/panels/problemWords.ts';
import type { ErrorDescription } from '../../../host/words/describeError.ts';
import type { Language } from '../../../host/words/localizer.ts';
import { chartOffer } from '../chart/chartOf.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import { type GivenComparison, withComparison } from '../kept/comparisonWords.ts';
import { type GivenOpinion, withOpinion } from '../opinion/opinionWords.ts';
import type { EmptyRows } from '../protocol/emptyRows.ts';
import type { LimitQuestion, LogsSnapshot, Problem } from '../protocol/logsSnapshot.ts';
import type { ArrangedRows } from '../results/arrangedRows.ts';
import type { LogResults } from '../results/logResults.ts';
import { aboutAnswer } from '../words/aboutAnswer.ts';
import type { AskedQuery } from '../words/askedFor.ts';
import { type FollowFacts, followWords } from '../words/followWords.ts';
import { networkWords } from '../words/networkWords.ts';
import { loadingProgress } from '../words/progressText.ts';
import { queryLine } from '../words/queryLine.ts';
import { rowsText } from '../words/rowsText.ts';
import { statusTexts } from '../words/statusText.ts';
import type { PanelNetwork } from './panelNetwork.ts';

/** What a snapshot is made from. */
interface SnapshotSource extends Language {
  readonly results: LogResults;
  readonly rows: ArrangedRows;
  readonly reader: RowReader;
  /** The query that the rows are of. */
  readonly asked: AskedQuery | undefined;
  /** Of the results' error, if there is one. */
  readonly description: ErrorDescription | undefined;
  /** Which network would be asked now. */
  readonly network: PanelNetwork;
  /** What another endpoint said of the answer, if one was asked. */
  readonly opinion: GivenOpinion | undefined;
  /** What a run before gave, if it was compared. */
  readonly comparison: GivenComparison | undefined;
  readonly empty: EmptyRows | undefined;
  readonly loadAllLimit: number;
  readonly canExport: boolean;
  readonly follow: FollowFacts;
  /** How often what is known about the form has changed. */
  readonly known: number;
}

/** Everything that the view shows but the rows. */
export function makeSnapshot(source: SnapshotSource): LogsSnapshot {
  const { results, rows, reader, asked, description, network, empty, loadAllLimit, canExport, known } =
    source;
  const told = { ...statusTexts(results, network.network.name, source), ...aboutAnswer(results, source) };
  return {
    answer: results.answer,
    order: rows.order,
    telling: rows.telling,
    rows: rows.length,
    empty,
    loaded: results.sequence.count,
    arrangement: { ...rows.shown, raw: reader.raw },
    columns: reader.columns(results.rows),
    rowsText: rowsText(rows, results.sequence.count, source),
    loading: results.loading,
    canSkipWait: results.waiting !== undefined,
    progress: loadingProgress(results, source),
    more: results.more,
    executed: asked && { form: asked.form, parts: queryLine(asked, results.verdict, source) },
    ...withComparison(withOpinion(told, source.opinion, source), source.comparison, source),
    problem: problemOf(results.error, description),
    question: results.notice === 'limit' ? limitQuestion(results, loadAllLimit, source) : undefined,
    canExport,
    follow: followWords(results, source.follow),
    chart: chartOffer(results),
    known,
    network: networkWords({ ...shownNetwork(network), hasRows: results.rows.length > 0 }, source.l10n),
    canOpenExplorer: results.network?.explorerUrl !== undefined,
  };
}

function shownNetwork({ network, other, lost }: PanelNetwork) {
  return { network, other, lost };
}

/** Names the field of the form that the server cannot be asked with, if that is why the query failed. */
function problemOf(error: unknown, description: SnapshotSource['description']): Problem | undefined {
  const field = isAppError(error, 'badInput') ? error.details.field : undefined;
  return (
    description && {
      ...problemWords(description),
      field: field !== undefined && isFormField(field) ? field : undefined,
    }
  );
}

function limitQuestion(
  { rows }: LogResults,
  loadAllLimit: number,
  { l10n, locale }: Language,
): LimitQuestion {
  const loaded = rows.length.toLocaleString(locale);
  const limit = loadAllLimit.toLocaleString(locale);
  return {
    message: l10n.t('{0} logs are loaded. Load the next {1}?', loaded, limit),
    yes: l10n.t('Load the next {0}', limit),
  };
}
