import type { BlockTag, LogFilter } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import { type AskedQuery, askedFor } from './askedFor.ts';

/** Characters of a tab that show beside others. */
const LONGEST = 40;

/** A tab title that tells panels apart: *HUSD Transfer to Treasury*, *Transfer · 0x5FbD…0aa3*. */
export function panelTitle(asked: AskedQuery | undefined, l10n: Localizer): string {
  if (!asked) return l10n.t('Logs');
  const { addresses, event, values } = askedFor(asked);
  const [first] = addresses.first;
  const plus = (count: number) => (count > 1 ? ` +${count - 1}` : '');
  const name = first?.name === undefined ? undefined : first.name + plus(addresses.count);
  const short = first && first.name === undefined ? first.short + plus(addresses.count) : undefined;
  const told = values.map((value) => {
    const which = value.name ?? l10n.t('topic {0}', value.position);
    return `${which} ${value.first[0]?.text ?? ''}${plus(value.count)}`;
  });
  const words = [name, event?.text ?? l10n.t('Logs'), ...told].filter((word) => word !== undefined);
  return cut([words.join(' '), short].filter((part) => part !== undefined).join(' · '));
}

function cut(title: string): string {
  return title.length <= LONGEST ? title : `${title.slice(0, LONGEST - 1).trimEnd()}…`;
}

/** The blocks of a query, where they were chosen: *0–100*. */
export function rangeTitle({ fromBlock, toBlock }: LogFilter, l10n: Localizer): string {
  if (fromBlock === 'earliest' && toBlock === 'latest') return '';
  const block = (tag: BlockTag) =>
    tag === 'earliest' ? '0' : tag === 'latest' ? l10n.t('latest') : tag.toString();
  return `${block(fromBlock)}–${block(toBlock)}`;
}
