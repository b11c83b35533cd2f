import {
  type DifferenceCounts,
  describeOpinionReason,
  isOtherChain,
  type Log,
  type RowDifference,
  type SecondOpinion,
  toChecksumAddress,
} from '../../../core/index.ts';
import { type Language, localize } from '../../../host/l10n.ts';
import type { TextLine } from '../../../host/ui/readOnlyDocuments.ts';
import type { ResultDetails, ResultStatus } from '../protocol/snapshot.ts';

/** Hex digits of `data` that are shown per row. */
const MAX_DATA_DIGITS = 2048;

/** The rows in which two endpoints differ, as text lines; `here` is the name of the panel's network. */
export function formatDifferences(
  shown: ShownOpinion,
  here: string,
  language: Language,
): readonly TextLine[] {
  const { opinion, name } = shown;
  const { l10n, locale } = language;
  const number = (value: bigint) => value.toLocaleString(locale);
  const range = [here, name, number(opinion.fromBlock), number(opinion.toBlock)] as const;
  return [
    { level: 0, text: l10n.t('{0} and {1}, blocks {2} to {3}', ...range) },
    { level: 0, text: formatDifferenceCounts(opinion, name, language) },
    ...formatDifferenceKinds(opinion, [here, name], language),
  ];
}

function formatDifferenceKinds(
  differences: DifferenceCounts & { readonly rows: readonly RowDifference[] },
  names: readonly [here: string, there: string],
  language: Language,
): readonly TextLine[] {
  const { l10n } = language;
  const kinds: readonly (readonly [RowDifference['kind'], string])[] = [
    ['onlyHere', l10n.t('Only on {0}', names[0])],
    ['onlyThere', l10n.t('Only on {0}', names[1])],
    ['different', l10n.t('Different')],
  ];
  return kinds.flatMap(([kind, title]) => {
    const rows = differences.rows.filter((row) => row.kind === kind);
    return formatRowList({ title, count: differences[kind], rows }, names, language);
  });
}

/** Empty without rows. */
function formatRowList(
  list: {
    readonly title: string;
    readonly count: number;
    readonly rows: readonly Omit<RowDifference, 'kind'>[];
  },
  names: readonly [here: string, there: string],
  language: Language,
): readonly TextLine[] {
  const { title, count, rows } = list;
  const { l10n, locale } = language;
  if (rows.length === 0) return [];
  const more = count - rows.length;
  return [
    { level: 0, text: '' },
    { level: 0, text: `${title}: ${count.toLocaleString(locale)}` },
    ...rows.flatMap((row) => formatRows(row, names, language)),
    ...(more > 0 ? [{ level: 1, text: l10n.t('and {0} more', more.toLocaleString(locale)) }] : []),
  ];
}

function formatRows(
  { here, there }: Omit<RowDifference, 'kind'>,
  [nameHere, nameThere]: readonly [string, string],
  { l10n }: Language,
): readonly TextLine[] {
  const log = here ?? there;
  if (!log) return [];
  const place = l10n.t('Block {0}, log index {1}', String(log.blockNumber), String(log.logIndex));
  const title = { level: 1, text: place };
  if (!here || !there) return [title, ...listFields(log).map(formatField)];
  const others = listFields(there);
  const different = listFields(here).flatMap(([name, value], at) => {
    const other = others[at]?.[1] ?? '';
    if (value === other) return [];
    return [
      { level: 2, text: `${name}:` },
      { level: 3, text: `${nameHere}: ${value}` },
      { level: 3, text: `${nameThere}: ${other}` },
    ];
  });
  return [title, ...different];
}

function formatField([name, value]: readonly [string, string]): TextLine {
  return { level: 2, text: `${name}: ${value}` };
}

/** By their JSON-RPC names. */
function listFields(log: Log): readonly (readonly [name: string, value: string])[] {
  const isLong = log.data.length > MAX_DATA_DIGITS;
  return [
    ['address', toChecksumAddress(log.address)],
    ['topics', log.topics.join(' ')],
    ['data', isLong ? `${log.data.slice(0, MAX_DATA_DIGITS)}…` : log.data],
    ['transactionHash', log.transactionHash],
    ['transactionIndex', String(log.transactionIndex)],
    ['blockHash', log.blockHash],
  ];
}

/** The comparison with another endpoint. */
export interface ShownOpinion {
  readonly opinion: SecondOpinion;
  /** Of the other network. */
  readonly name: string;
}

type DescribedResult = ResultStatus & ResultDetails;

/** Adds the second opinion to the details of a result. */
export function addOpinion(
  result: DescribedResult,
  shown: ShownOpinion | undefined,
  language: Language,
): DescribedResult {
  if (!shown || result.facts.length === 0) return result;
  const line = formatOpinionSummary(shown, language);
  const rest = result.rest === '' ? `· ${line}` : `${result.rest} · ${line}`;
  const facts = [...result.facts, { name: language.l10n.t('Second opinion'), value: line }];
  return { ...result, rest, facts, notes: [...result.notes, formatOpinion(shown, language)] };
}

/** A few words for the status line. */
function formatOpinionSummary({ opinion, name }: ShownOpinion, { l10n }: Language): string {
  switch (opinion.state) {
    case 'agree':
      return opinion.sample ? l10n.t('a sample agrees with {0}', name) : l10n.t('agrees with {0}', name);
    case 'differ':
      return l10n.t('differs from {0}', name);
    case 'unknown':
      return isOtherChain(opinion)
        ? l10n.t('{0} is a different chain', name)
        : l10n.t('no second opinion from {0}', name);
  }
}

/** Which blocks were compared, how they differ, and what was not compared. */
function formatOpinion({ opinion, name }: ShownOpinion, { l10n, locale }: Language): string {
  const { state, fromBlock, toBlock, sample, blocks, alike, reasons } = opinion;
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const range = l10n.t('blocks {0} to {1}', number(fromBlock), number(toBlock));
  const extent = sample ? l10n.t('{0} blocks sampled from {1}', number(blocks), range) : range;
  const formattedReasons = reasons.map((reason) => localize(describeOpinionReason(reason, name), l10n));
  const counts = formatDifferenceCounts(opinion, name, { l10n, locale });
  const summary = {
    agree:
      alike === 1
        ? l10n.t('{0} returned the same log for {1}.', name, extent)
        : l10n.t('{0} returned the same {1} logs for {2}.', name, number(alike), extent),
    differ: l10n.t('{0} returned different logs for {1}: {2}.', name, extent, counts),
    unknown: isOtherChain(opinion)
      ? l10n.t('Nothing was compared with {0}.', name)
      : l10n.t('The comparison with {0} is inconclusive.', name),
  }[state];
  return [summary, ...formattedReasons].join(' ');
}

function formatDifferenceCounts(counts: DifferenceCounts, name: string, { l10n, locale }: Language): string {
  const number = (value: number) => value.toLocaleString(locale);
  const { onlyHere, onlyThere, different } = counts;
  return [
    onlyHere > 0 && l10n.t('{0} only in this result', number(onlyHere)),
    onlyThere > 0 && l10n.t('{0} only on {1}', number(onlyThere), name),
    different > 0 && l10n.t('{0} different', number(different)),
  ]
    .filter((part) => part !== false)
    .join(', ');
}
