import { isAppError, isFormField } from '../../../core/index.ts';
import type { ErrorDescription } from '../../../host/errors.ts';
import { toPanelError } from '../../../host/formatting.ts';
import type { Language, Localizer } from '../../../host/l10n.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import { addOpinion, type ShownOpinion } from '../opinion/formatOpinion.ts';
import type {
  EmptyRows,
  FollowState,
  LimitPrompt,
  LogsPanelError,
  LogsSnapshot,
  PanelNetworkLabels,
} from '../protocol/snapshot.ts';
import { createChartOffer } from '../results/chart.ts';
import type { LogResults } from '../results/logResults.ts';
import type { RowView } from '../results/rowView.ts';
import { formatLoadingProgress, formatResultDetails, formatRowCount, formatStatus } from './formatStatus.ts';
import type { PanelNetwork } from './panelQuery.ts';
import { formatQueryLine, type QueryToDescribe } from './queryTitle.ts';

interface SnapshotInputs extends Language {
  readonly results: LogResults;
  readonly rows: RowView;
  readonly reader: RowReader;
  /** The executed query. */
  readonly asked: QueryToDescribe | undefined;
  /** The described error of `results`. */
  readonly description: ErrorDescription | undefined;
  readonly network: PanelNetwork;
  readonly opinion: ShownOpinion | undefined;
  readonly empty: EmptyRows | undefined;
  readonly loadAllLimit: number;
  readonly canExport: boolean;
  readonly follow: FollowFacts;
  /** Version of what is known about the form. */
  readonly known: number;
}

export function createLogsSnapshot(source: SnapshotInputs): LogsSnapshot {
  const { results, rows, reader, asked, description, network, empty, loadAllLimit, canExport, known } =
    source;
  const told = {
    ...formatStatus(results, network.network.name, source),
    ...formatResultDetails(results, source),
  };
  return {
    answer: results.answer,
    order: rows.order,
    textVersion: rows.textVersion,
    rows: rows.length,
    empty,
    loaded: results.sequence.count,
    arrangement: { ...rows.shown, raw: reader.raw },
    columns: reader.columns(results.rows),
    rowsText: formatRowCount(rows, results.sequence.count, source),
    loading: results.loading,
    canSkipWait: results.waiting !== undefined,
    progress: formatLoadingProgress(results, source),
    more: results.more,
    executed: asked && { form: asked.form, parts: formatQueryLine(asked, results.verdict, source) },
    ...addOpinion(told, source.opinion, source),
    error: toLogsPanelError(results.error, description),
    limitPrompt: results.notice === 'limit' ? createLimitPrompt(results, loadAllLimit, source) : undefined,
    canExport,
    follow: getFollowedRows(results, source.follow),
    chart: createChartOffer(results),
    knowledgeVersion: known,
    network: formatPanelNetwork({ ...shownNetwork(network), hasRows: results.rows.length > 0 }, source.l10n),
    canOpenExplorer: results.network?.explorerUrl !== undefined,
  };
}

function shownNetwork({ network, other, lost }: PanelNetwork) {
  return { network, other, lost };
}

/** Adds the form field that the server rejected, if that is why the query failed. */
function toLogsPanelError(
  error: unknown,
  description: SnapshotInputs['description'],
): LogsPanelError | undefined {
  const field = isAppError(error, 'badInput') ? error.details.field : undefined;
  return (
    description && {
      ...toPanelError(description),
      field: field !== undefined && isFormField(field) ? field : undefined,
    }
  );
}

function createLimitPrompt(
  { rows }: LogResults,
  loadAllLimit: number,
  { l10n, locale }: Language,
): LimitPrompt {
  const loaded = rows.length.toLocaleString(locale);
  const limit = loadAllLimit.toLocaleString(locale);
  return {
    message: l10n.t('{0} logs are loaded. Load the next {1}?', loaded, limit),
    yes: l10n.t('Load the next {0}', limit),
  };
}

type FollowFacts = Pick<FollowState, 'canFollow' | 'notify'>;

/** Struck rows listed one by one; a deeper reorg removes its rows at once. */
const MAX_STRUCK_ROWS = 2000;

function getFollowedRows(
  { isFollowed, following, sequence }: Pick<LogResults, 'isFollowed' | 'following' | 'sequence'>,
  facts: FollowFacts,
): FollowState {
  const { struck } = sequence;
  return {
    ...facts,
    state: !isFollowed ? 'off' : following?.isOn ? 'on' : 'starting',
    freshFrom: following?.freshFrom,
    struck: struck.size > MAX_STRUCK_ROWS ? [] : [...struck],
  };
}

interface ShownNetwork {
  readonly network: { readonly id: string; readonly name: string };
  /** The active network, if it is a different one. */
  readonly other: { readonly name: string } | undefined;
  readonly lost: { readonly name: string; readonly how: 'removed' | 'changed' } | undefined;
  readonly hasRows: boolean;
}

/** Labels for the panel's network if it is not the active one, or was lost. */
function formatPanelNetwork(
  { network, other, lost, hasRows }: ShownNetwork,
  l10n: Localizer,
): PanelNetworkLabels {
  const { id, name } = network;
  return {
    id,
    mark: lost && hasRows ? lost.name : other && name,
    note: lost ? formatLoss(lost, name, l10n) : other && l10n.t('Active network: {0}', other.name),
    move: other && l10n.t('Move to {0}', other.name),
  };
}

function formatLoss({ name, how }: NonNullable<ShownNetwork['lost']>, next: string, l10n: Localizer): string {
  return how === 'removed'
    ? l10n.t('{0} was removed from the settings. Run the query to ask {1}.', name, next)
    : l10n.t('The endpoint of {0} was changed in the settings. Run the query to ask it.', name);
}
