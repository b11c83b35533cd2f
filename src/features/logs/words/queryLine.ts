import type { BlockTag, Verdict } from '../../../core/index.ts';
import type { Language } from '../../../host/words/localizer.ts';
import type { QueryPart } from '../protocol/logsSnapshot.ts';
import { type AskedQuery, askedFor } from './askedFor.ts';

/** More of a kind are counted. */
const MOST_NAMED = 2;

/** The query of an answer as one line to read, part by part; its blocks as they were found, once they are known. */
export function queryLine(
  asked: AskedQuery,
  verdict: Pick<Verdict, 'fromBlock' | 'toBlock'> | undefined,
  language: Language,
): readonly QueryPart[] {
  const { l10n } = language;
  const { addresses, event, values } = askedFor(asked);
  const named = addresses.first
    .slice(0, MOST_NAMED)
    .map(
      ({ name, short, whole }): QueryPart =>
        name === undefined ? { strong: short, hint: whole } : { strong: name, after: short, hint: whole },
    );
  const more = addresses.count - named.length;
  const others = addresses.first.slice(MOST_NAMED).map(({ whole }) => whole);
  return [
    ...(addresses.count === 0 ? [{ after: l10n.t('any address') }] : named),
    ...(more > 0 ? [{ after: `+${more}`, hint: listHint(others, more) }] : []),
    event === undefined
      ? { after: l10n.t('any event') }
      : { strong: event.text, after: event.parameters.join(', '), hint: event.whole },
    ...values.map(
      ({ name, position, first, count }): QueryPart => ({
        before: name ?? l10n.t('topic {0}', position),
        strong: listed(first, count),
        hint: listHint(
          first.map(({ whole }) => whole),
          count,
        ),
      }),
    ),
    blocksPart(asked, verdict, language),
    { after: asked.form.order === 'newestFirst' ? l10n.t('newest first') : l10n.t('oldest first') },
  ];
}

function listed(told: readonly { readonly text: string }[], count: number): string {
  const others = count - MOST_NAMED;
  const named = told
    .slice(0, MOST_NAMED)
    .map(({ text }) => text)
    .join(', ');
  return others > 0 ? `${named} +${others}` : named;
}

function listHint(lines: readonly string[], count: number): string {
  return [...lines, ...(count > lines.length ? [`+${count - lines.length}`] : [])].join('\n');
}

function blocksPart(
  { filter }: AskedQuery,
  verdict: Pick<Verdict, 'fromBlock' | 'toBlock'> | undefined,
  { l10n, locale }: Language,
): QueryPart {
  // A range that is not reached yet has been cut off at the latest block.
  const found = verdict && verdict.fromBlock <= verdict.toBlock ? verdict : undefined;
  const range = (from: BlockTag, to: BlockTag) =>
    [from, to].map((tag) => blockText(tag, { l10n, locale })).join(' – ');
  const { fromBlock, toBlock } = filter;
  return {
    before: l10n.t('blocks'),
    strong: range(found?.fromBlock ?? fromBlock, found?.toBlock ?? toBlock),
    hint: range(fromBlock, toBlock),
  };
}

function blockText(tag: BlockTag, { l10n, locale }: Language): string {
  if (typeof tag === 'bigint') return tag.toLocaleString(locale);
  if (tag === 'earliest') return '0';
  return tag === 'latest' ? l10n.t('latest') : tag;
}
