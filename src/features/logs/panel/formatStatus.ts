import {
  describeReasons,
  type FoundBound,
  formatIsoTime,
  formatLocalTime,
  isUnreached,
  type RowSequence,
  type Verdict,
} from '../../../core/index.ts';
import { formatBackoff } from '../../../host/formatting.ts';
import { type Language, type Localizer, localize } from '../../../host/l10n.ts';
import type { LoadingProgress, Tone } from '../../../messaging/panel.ts';
import type { ResultDetails, ResultFact, ResultStatus } from '../protocol/snapshot.ts';
import type { LogResults } from '../results/logResults.ts';
import { isFilteredArrangement, type RowView } from '../results/rowView.ts';

type StatusResult = Pick<
  LogResults,
  | 'loading'
  | 'backoff'
  | 'progress'
  | 'verdict'
  | 'isFollowed'
  | 'notice'
  | 'error'
  | 'loadedAt'
  | 'age'
  | 'network'
> & { readonly sequence: Pick<RowSequence, 'count'> };

/**
 * The status line: whether the result is complete, how many logs it has, and up to which block.
 *
 * @param nextNetwork where the next query goes, if a network is chosen.
 */
export function formatStatus(
  results: StatusResult,
  nextNetwork: string | undefined,
  language: Language,
): ResultStatus {
  const { l10n } = language;
  const { verdict, loading, backoff, age } = results;
  const tone = getTone(results);
  if (loading) {
    const wait = backoff ? [formatBackoff(backoff, l10n)] : [];
    const status = [formatLoading(results, nextNetwork ?? '', l10n), ...wait].join(' ');
    const rest = loading === 'next' && verdict ? formatExtent(verdict, results, language).join(' · ') : '';
    return { status, rest, tone, age: undefined };
  }
  if (!verdict)
    return { status: formatIdle(results.notice, nextNetwork, l10n), rest: '', tone, age: undefined };
  return {
    ...formatVerdict(tone, { verdict, sequence: results.sequence, isFollowed: results.isFollowed }, language),
    tone,
    age,
  };
}

function getTone({ loading, notice, error, verdict }: StatusResult): Tone {
  if (loading) return 'plain';
  if (error !== undefined) return verdict ? 'failed' : 'plain';
  if (notice === 'cancelled') return 'cancelled';
  return verdict?.state ?? 'plain';
}

function formatVerdict(
  tone: Tone,
  result: Pick<StatusResult, 'sequence' | 'isFollowed'> & { readonly verdict: Verdict },
  language: Language,
): Pick<ResultStatus, 'status' | 'rest'> {
  const { l10n, locale } = language;
  const { verdict } = result;
  const [count, blocks] = formatExtent(verdict, result, language);
  const to = verdict.toBlock.toLocaleString(locale);
  const whole =
    verdict.requestedTo === undefined
      ? l10n.t('to block {0}', to)
      : l10n.t('to block {0} of {1}', to, verdict.requestedTo.toLocaleString(locale));
  const read = blocks ?? '';
  switch (tone) {
    case 'unreached':
      if (verdict.fromBlock > verdict.toBlock)
        return {
          status: l10n.t('Range not reached yet · latest block {0}', verdict.head.toLocaleString(locale)),
          rest: '',
        };
      if (result.isFollowed) return formatFollowed(verdict, count, language);
      return { status: l10n.t('Complete so far · {0}', count), rest: whole };
    case 'uncertain':
      return { status: l10n.t('May be incomplete · {0}', count), rest: whole };
    case 'cancelled':
      return { status: l10n.t('Cancelled · {0}', count), rest: verdict.state === 'more' ? read : whole };
    case 'failed':
      // It goes on as soon as the endpoint answers.
      if (result.isFollowed && verdict.state === 'uncertain')
        return { status: l10n.t('Retrying · may be incomplete'), rest: `· ${count} ${whole}` };
      if (result.isFollowed && verdict.state !== 'more')
        return { status: l10n.t('Retrying · complete to block {0}', to), rest: `· ${count}` };
      return { status: l10n.t('Stopped by an error · {0}', count), rest: read };
    case 'more':
      return blocks === undefined
        ? { status: l10n.t('Partial · {0}', count), rest: '' }
        : { status: l10n.t('Partial: {0} · {1}', blocks, count), rest: '' };
    default:
      if (result.isFollowed) return formatFollowed(verdict, count, language);
      return { status: l10n.t('Complete · {0}', count), rest: whole };
  }
}

function formatFollowed(
  { toBlock, head }: Verdict,
  count: string,
  { l10n, locale }: Language,
): Pick<ResultStatus, 'status' | 'rest'> {
  const to = toBlock.toLocaleString(locale);
  const latest = head > toBlock ? l10n.t('latest block {0}', head.toLocaleString(locale)) : undefined;
  return {
    status: l10n.t('Following · complete to block {0}', to),
    rest: [`· ${count}`, latest].filter((part) => part !== undefined).join(' · '),
  };
}

/** The number of logs and, if not all blocks are read, which are. */
function formatExtent(
  verdict: Verdict,
  { sequence }: Pick<StatusResult, 'sequence'>,
  language: Language,
): readonly [count: string, blocks?: string] {
  const { l10n, locale } = language;
  const count =
    sequence.count === 1 ? l10n.t('1 log') : l10n.t('{0} logs', sequence.count.toLocaleString(locale));
  const blocks = formatReadBlocks(verdict, language);
  return blocks === undefined ? [count] : [count, blocks];
}

function formatLoading(results: StatusResult, activeNetwork: string, l10n: Localizer): string {
  const network = results.network?.name ?? activeNetwork;
  if (results.loading === 'first') return l10n.t('Querying {0}…', network);
  if (results.loading === 'next') return l10n.t('Loading the next page…');
  const { progress } = results;
  if (!progress || progress.blocks === 0n) return l10n.t('Loading all logs from {0}…', network);
  const tenths = (progress.blocksDone * 10n) / progress.blocks;
  return l10n.t('Loading all logs from {0}: {1}% of the blocks read.', network, Number(tenths) * 10);
}

function formatIdle(notice: StatusResult['notice'], network: string | undefined, l10n: Localizer): string {
  if (network === undefined) return l10n.t('Run the query to select a network and load its logs.');
  switch (notice) {
    case 'moved':
      return l10n.t('Moved to {0}. Run the query to load its logs.', network);
    case 'chainReplaced':
      return l10n.t(
        '{0} has a new chain: its node was restarted or reset. Run the query to load its logs.',
        network,
      );
    case 'restored':
      return l10n.t('Query restored. Run it to reload the logs from {0}.', network);
    default:
      return l10n.t('Run the query to load logs from {0}.', network);
  }
}

/** The reasons and notes for the status, and facts about the requests. Empty before the first page. */
export function formatResultDetails(result: StatusResult, language: Language): ResultDetails {
  const { verdict, loading } = result;
  if (!verdict || loading) return { reasons: [], notes: [], facts: [] };
  const number = (value: bigint) => value.toLocaleString(language.locale);
  const reasons = describeReasons(verdict.reasons, number).map((reason) => localize(reason, language.l10n));
  const isDoubted = hasDoubts(verdict);
  const stop = formatStopReason(verdict, result, language);
  return {
    reasons: isDoubted ? reasons : [],
    notes: [...(stop === undefined ? [] : [stop]), ...(isDoubted ? [] : reasons)],
    facts: listFacts(verdict, result, language),
  };
}

/** Whether logs of the blocks that were read may be missing, also while there are more pages. */
function hasDoubts({ reasons }: Verdict): boolean {
  return !reasons.every(isUnreached);
}

function formatStopReason(
  verdict: Verdict,
  result: StatusResult,
  { l10n, locale }: Language,
): string | undefined {
  const { state, fromBlock, toBlock, head } = verdict;
  const { notice, error, isFollowed } = result;
  const number = (value: bigint) => value.toLocaleString(locale);
  const read = getReadBlocks(verdict);
  const loaded = !read
    ? l10n.t('No block is fully loaded yet.')
    : hasDoubts(verdict)
      ? l10n.t('Blocks {0} to {1} are read.', number(read.first), number(read.last))
      : l10n.t('All logs in blocks {0} to {1} are loaded.', number(read.first), number(read.last));
  if (error !== undefined) {
    return l10n.t('A request failed. {0} Retry to continue from there.', loaded);
  }
  if (state === 'more') {
    return notice === 'cancelled'
      ? l10n.t('You cancelled the query. {0} To continue from there, use Load Next Page or Load All.', loaded)
      : l10n.t('{0} Load Next Page loads up to 1,000 more logs. Load All loads the rest.', loaded);
  }
  if (state === 'uncertain' || fromBlock > toBlock) return undefined;
  const whole = l10n.t('All logs in blocks {0} to {1} are loaded.', number(fromBlock), number(toBlock));
  if (state === 'unreached') return whole;
  if (isFollowed) return l10n.t('{0} New logs appear automatically.', whole);
  return toBlock === head
    ? l10n.t('{0} The latest block was {1}. Run the query again for newer logs.', whole, number(head))
    : whole;
}

function listFacts(
  { fromBlock, toBlock, head, requests, found = {} }: Verdict,
  { network, loadedAt, sequence }: StatusResult,
  { l10n, locale }: Language,
): readonly ResultFact[] {
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const facts: (ResultFact | false)[] = [
    network !== undefined && { name: l10n.t('Network'), value: network.name },
    { name: l10n.t('Logs'), value: number(sequence.count) },
    fromBlock <= toBlock && {
      name: l10n.t('Blocks'),
      value: l10n.t('{0} to {1}', number(fromBlock), number(toBlock)),
    },
    found.from !== undefined && {
      name: l10n.t('First block'),
      value: formatFoundBound(found.from, { l10n, locale }),
    },
    found.to !== undefined && {
      name: l10n.t('Last block'),
      value: formatFoundBound(found.to, { l10n, locale }),
    },
    { name: l10n.t('Latest block'), value: l10n.t('{0} when the query started', number(head)) },
    { name: l10n.t('Requests'), value: l10n.t('{0}, including retries', number(requests)) },
    loadedAt !== undefined && {
      name: l10n.t('Loaded at'),
      value: formatLocalTime(loadedAt),
    },
  ];
  return facts.filter((fact) => fact !== false);
}

/** The block that a requested time was resolved to, its own time, and the provider. */
function formatFoundBound(
  { requestedTime, block, time, source }: FoundBound,
  { l10n, locale }: Language,
): string {
  const number = block.toLocaleString(locale);
  const moment = formatIsoTime(requestedTime) ?? '';
  const made = formatIsoTime(time);
  return made === undefined
    ? l10n.t('{0} for {1} · Source: {2}', number, moment, source)
    : l10n.t('{0} (block time {1}) for {2} · Source: {3}', number, made, moment, source);
}

export function formatLoadingProgress(
  { progress, rows }: Pick<LogResults, 'progress' | 'rows'>,
  { l10n, locale }: Language,
): LoadingProgress | undefined {
  if (!progress) return undefined;
  const { blocksDone, blocks, msLeft } = progress;
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const count = rows.length === 1 ? l10n.t('1 log') : l10n.t('{0} logs', number(rows.length));
  const done = l10n.t('{0} of {1} blocks, {2}', number(blocksDone), number(blocks), count);
  return {
    share: blocks === 0n ? 1 : Number(blocksDone) / Number(blocks),
    label: msLeft === undefined ? done : l10n.t('{0}, about {1} left', done, formatDuration(msLeft, locale)),
  };
}

/** Rounded up, so that it never promises too much: "5 seconds", "3 minutes", "2 hours". */
function formatDuration(ms: number, locale: string): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 10) return formatUnit(seconds, 'second', locale);
  if (seconds < 60) return formatUnit(Math.ceil(seconds / 5) * 5, 'second', locale);
  if (seconds < 3600) return formatUnit(Math.ceil(seconds / 60), 'minute', locale);
  return formatUnit(Math.ceil(seconds / 3600), 'hour', locale);
}

function formatUnit(value: number, name: 'second' | 'minute' | 'hour', locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(value);
}

type Blocks = Pick<Verdict, 'order' | 'fromBlock' | 'toBlock' | 'readThrough'>;

/** The blocks of which every log is loaded; undefined if there are none yet. */
export function getReadBlocks({
  order,
  fromBlock,
  toBlock,
  readThrough,
}: Blocks): { readonly first: bigint; readonly last: bigint } | undefined {
  if (readThrough === undefined) return undefined;
  return order === 'newestFirst'
    ? { first: readThrough, last: toBlock }
    : { first: fromBlock, last: readThrough };
}

/** For example `blocks 480 to 545 of 0 to 545`; undefined before a block is read. */
function formatReadBlocks(verdict: Blocks, { l10n, locale }: Language): string | undefined {
  const read = getReadBlocks(verdict);
  if (!read) return undefined;
  const [first, last, from, to] = [read.first, read.last, verdict.fromBlock, verdict.toBlock].map((block) =>
    block.toLocaleString(locale),
  );
  const isFromZero = verdict.order === 'oldestFirst' && verdict.fromBlock === 0n;
  const range = isFromZero ? String(to) : l10n.t('{0} to {1}', String(from), String(to));
  return l10n.t('blocks {0} to {1} of {2}', String(first), String(last), range);
}

/** How many loaded rows pass the filter, or that sorting or filtering runs; otherwise empty. */
export function formatRowCount(
  { requested, shown, isWorking, length }: Pick<RowView, 'requested' | 'shown' | 'isWorking' | 'length'>,
  loaded: number,
  { l10n, locale }: Language,
): string {
  const number = (value: number) => value.toLocaleString(locale);
  if (requested.filter !== shown.filter || requested.within !== shown.within) return l10n.t('Filtering…');
  if (requested !== shown) return l10n.t('Sorting…');
  if (!isFilteredArrangement(shown) || loaded === 0) return '';
  if (isWorking) return l10n.t('{0} found so far…', number(length));
  return l10n.t('{0} of {1} match', number(length), number(loaded));
}
