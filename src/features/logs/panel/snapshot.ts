import { isAppError } from '../../../core/index.ts';
import { problemWords } from '../../../host/panels/problemWords.ts';
import type { ErrorDescription } from '../../../host/words/describeError.ts';
import type { Language } from '../../../host/words/localizer.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import type { LimitQuestion, LogsSnapshot, Problem } from '../protocol/logsSnapshot.ts';
import { isFormField } from '../protocol/queryForm.ts';
import type { ArrangedRows } from '../results/arrangedRows.ts';
import type { LogResults } from '../results/logResults.ts';
import { loadingProgress } from '../words/progressText.ts';
import { rowsText } from '../words/rowsText.ts';
import { statusTexts } from '../words/statusText.ts';
import { verdictReasons } from '../words/verdictReasons.ts';

/** What a snapshot is made from. */
interface SnapshotSource extends Language {
  readonly results: LogResults;
  readonly rows: ArrangedRows;
  readonly reader: RowReader;
  /** Of the results' error, if there is one. */
  readonly description: ErrorDescription | undefined;
  /** Name of the network that would be asked now. */
  readonly activeNetwork: string;
  readonly loadAllLimit: number;
  readonly canExport: boolean;
  /** How often what is known about the form has changed. */
  readonly known: number;
}

/** Everything that the view shows but the rows. */
export function makeSnapshot(source: SnapshotSource): LogsSnapshot {
  const { results, rows, reader, description, activeNetwork, loadAllLimit, canExport, known } = source;
  const language: Language = source;
  return {
    answer: results.answer,
    order: rows.order,
    rows: rows.length,
    loaded: results.rows.length,
    arrangement: { ...rows.shown, raw: reader.raw },
    columns: reader.columns(results.rows),
    rowsText: rowsText(rows, results.rows.length, language),
    loading: results.loading,
    canSkipWait: results.waiting !== undefined,
    progress: loadingProgress(results, language),
    more: results.more,
    ...statusTexts(results, activeNetwork, language),
    reasons: verdictReasons(results, language),
    problem: problemOf(results.error, description),
    question: results.notice === 'limit' ? limitQuestion(results, loadAllLimit, language) : undefined,
    canExport,
    known,
    canOpenExplorer: results.network?.explorerUrl !== undefined,
  };
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
