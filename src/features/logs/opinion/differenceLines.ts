import {
  type DifferenceCounts,
  type Log,
  type RowDifference,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { TextLine } from '../../../host/surface/readOnlyText.ts';
import type { Language } from '../../../host/words/localizer.ts';
import { countWords, type GivenOpinion } from './opinionWords.ts';

/** Hex digits of the data of one row that are shown. */
const LONGEST_DATA = 2048;

/** The rows that two sources do not give alike, as lines of a text; `here` is the network of the panel. */
export function differenceLines(given: GivenOpinion, here: string, language: Language): readonly TextLine[] {
  const { opinion, name } = given;
  const { l10n, locale } = language;
  const number = (value: bigint) => value.toLocaleString(locale);
  const range = [here, name, number(opinion.fromBlock), number(opinion.toBlock)] as const;
  return [
    { level: 0, text: l10n.t('{0} and {1}, blocks {2} to {3}', ...range) },
    { level: 0, text: countWords(opinion, name, language) },
    ...kindsOfRows(opinion, [here, name], language),
  ];
}

/** Rows that are not alike, kind by kind; `names` of who gave them. */
export function kindsOfRows(
  apart: DifferenceCounts & { readonly rows: readonly RowDifference[] },
  names: readonly [here: string, there: string],
  language: Language,
): readonly TextLine[] {
  const { l10n } = language;
  const kinds: readonly (readonly [RowDifference['kind'], string])[] = [
    ['onlyHere', l10n.t('Only from {0}', names[0])],
    ['onlyThere', l10n.t('Only from {0}', names[1])],
    ['different', l10n.t('Different')],
  ];
  return kinds.flatMap(([kind, title]) => {
    const rows = apart.rows.filter((row) => row.kind === kind);
    return listedRows({ title, count: apart[kind], rows }, names, language);
  });
}

/** The first of some rows under a title; nothing where there are none. */
export function listedRows(
  listed: {
    readonly title: string;
    readonly count: number;
    readonly rows: readonly Omit<RowDifference, 'kind'>[];
  },
  names: readonly [here: string, there: string],
  language: Language,
): readonly TextLine[] {
  const { title, count, rows } = listed;
  const { l10n, locale } = language;
  if (rows.length === 0) return [];
  const more = count - rows.length;
  return [
    { level: 0, text: '' },
    { level: 0, text: `${title}: ${count.toLocaleString(locale)}` },
    ...rows.flatMap((row) => rowLines(row, names, language)),
    ...(more > 0 ? [{ level: 1, text: l10n.t('and {0} more', more.toLocaleString(locale)) }] : []),
  ];
}

function rowLines(
  { here, there }: Omit<RowDifference, 'kind'>,
  [nameHere, nameThere]: readonly [string, string],
  { l10n }: Language,
): readonly TextLine[] {
  const log = here ?? there;
  if (!log) return [];
  const place = l10n.t('Block {0}, log index {1}', String(log.blockNumber), String(log.logIndex));
  const title = { level: 1, text: place };
  if (!here || !there) return [title, ...fieldsOf(log).map(fieldLine)];
  const others = fieldsOf(there);
  const apart = fieldsOf(here).flatMap(([name, value], at) => {
    const other = others[at]?.[1] ?? '';
    if (value === other) return [];
    return [
      { level: 2, text: `${name}:` },
      { level: 3, text: `${nameHere}: ${value}` },
      { level: 3, text: `${nameThere}: ${other}` },
    ];
  });
  return [title, ...apart];
}

function fieldLine([name, value]: readonly [string, string]): TextLine {
  return { level: 2, text: `${name}: ${value}` };
}

/** By the names of JSON-RPC. */
function fieldsOf(log: Log): readonly (readonly [name: string, value: string])[] {
  const isLong = log.data.length > LONGEST_DATA;
  return [
    ['address', toChecksumAddress(log.address)],
    ['topics', log.topics.join(' ')],
    ['data', isLong ? `${log.data.slice(0, LONGEST_DATA)}…` : log.data],
    ['transactionHash', log.transactionHash],
    ['transactionIndex', String(log.transactionIndex)],
    ['blockHash', log.blockHash],
  ];
}
