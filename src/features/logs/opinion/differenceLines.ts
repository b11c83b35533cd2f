import { type Log, type RowDifference, toChecksumAddress } from '../../../core/index.ts';
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
  const kinds: readonly (readonly [RowDifference['kind'], number, string])[] = [
    ['onlyHere', opinion.onlyHere, l10n.t('Only from {0}', here)],
    ['onlyThere', opinion.onlyThere, l10n.t('Only from {0}', name)],
    ['different', opinion.different, l10n.t('Different')],
  ];
  const range = [here, name, number(opinion.fromBlock), number(opinion.toBlock)] as const;
  return [
    { level: 0, text: l10n.t('{0} and {1}, blocks {2} to {3}', ...range) },
    { level: 0, text: countWords(opinion, name, language) },
    ...kinds.flatMap(([kind, count, title]) => {
      const rows = opinion.rows.filter((row) => row.kind === kind);
      if (rows.length === 0) return [];
      const more = count - rows.length;
      return [
        { level: 0, text: '' },
        { level: 0, text: `${title}: ${count.toLocaleString(locale)}` },
        ...rows.flatMap((row) => rowLines(row, [here, name], language)),
        ...(more > 0 ? [{ level: 1, text: l10n.t('and {0} more', more.toLocaleString(locale)) }] : []),
      ];
    }),
  ];
}

function rowLines(
  { here, there }: RowDifference,
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
