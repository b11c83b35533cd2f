import { isAppError, isFormField, type LogProof, type Verdict } from '../../../core/index.ts';
import type { ErrorDescription } from '../../../host/errors.ts';
import { toPanelError } from '../../../host/formatting.ts';
import type { Language, Localizer } from '../../../host/l10n.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import { addOpinion, type ShownOpinion } from '../opinion/formatOpinion.ts';
import { addProof } from '../opinion/formatProof.ts';
import type { GroupsSnapshot } from '../protocol/groups.ts';
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
  /** The judged one, with what a proof and a second opinion say. */
  readonly verdict: Verdict | undefined;
  readonly rows: RowView;
  readonly reader: RowReader;
  /** The executed query. */
  readonly query: QueryToDescribe | undefined;
  /** The described error of `results`. */
  readonly description: ErrorDescription | undefined;
  readonly network: PanelNetwork;
  readonly opinion: ShownOpinion | undefined;
  readonly proof: LogProof | undefined;
  readonly empty: EmptyRows | undefined;
  readonly groups: GroupsSnapshot | undefined;
  readonly loadAllLimit: number;
  readonly canExport: boolean;
  readonly follow: FollowFacts;
  /** Version of what is known about the form. */
  readonly knowledgeVersion: number;
}

export function createLogsSnapshot(inputs: SnapshotInputs): LogsSnapshot {
  const {
    results,
    rows,
    reader,
    query,
    description,
    network,
    empty,
    loadAllLimit,
    canExport,
    knowledgeVersion,
  } = inputs;
  const { loading, backoff, progress, isFollowed, notice, error, loadedAt, age, sequence } = results;
  const shown = {
    ...{ loading, backoff, progress, isFollowed, notice, error, loadedAt, age, sequence },
    ...{ network: results.network, verdict: inputs.verdict },
  };
  const described = { ...formatStatus(shown, network.name, inputs), ...formatResultDetails(shown, inputs) };
  return {
    resultId: results.resultId,
    order: rows.order,
    textVersion: rows.textVersion,
    rows: rows.length,
    empty,
    loaded: results.sequence.count,
    arrangement: { filter: rows.shown.filter, sort: rows.shown.sort, raw: reader.raw },
    columns: reader.listColumns(results.rows),
    narrowColumns: reader.listNarrowColumns(results.rows),
    rowsText: formatRowCount(rows, results.sequence.count, inputs),
    loading: results.loading,
    canSkipWait: results.backoff !== undefined,
    progress: formatLoadingProgress(results, inputs),
    more: results.hasMore,
    executed: query && { form: query.form, parts: formatQueryLine(query, results.verdict, inputs) },
    ...addProof(addOpinion(described, inputs.opinion, inputs), inputs.proof, inputs),
    error: toLogsPanelError(results.error, description),
    limitPrompt: results.notice === 'limit' ? createLimitPrompt(results, loadAllLimit, inputs) : undefined,
    canExport,
    follow: getFollowState(results, inputs.follow),
    groups: inputs.groups,
    chart: createChartOffer(results),
    knowledgeVersion,
    network: formatPanelNetwork(
      { ...toShownNetwork(network), hasRows: results.rows.length > 0 },
      inputs.l10n,
    ),
    canOpenExplorer: results.network?.explorerUrl !== undefined,
  };
}

function toShownNetwork({ network, other, lost }: PanelNetwork) {
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
    yes: l10n.t('Load the Next {0}', limit),
  };
}

type FollowFacts = Pick<FollowState, 'canFollow' | 'notify'>;

/** Struck rows listed one by one; a deeper reorg removes its rows at once. */
const MAX_STRUCK_ROWS = 2000;

function getFollowState(
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
    ? l10n.t('{0} was removed from the settings. Run the query to load logs from {1}.', name, next)
    : l10n.t(
        'The endpoint of {0} changed in the settings. Run the query to load logs from the new endpoint.',
        name,
      );
}
