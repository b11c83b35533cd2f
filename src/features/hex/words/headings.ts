import { type AbiItem, type BareMeaning, formatAbiItem, type HexMeaning } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

/** A meaning in one line. */
export interface Heading {
  /** Of the editor's icons. */
  readonly icon: string;
  /** What it is, to stand in front of the declaration. */
  readonly words: string;
  /** Undefined for values that nothing declares. */
  readonly declaration: string | undefined;
}

const LONGEST_DECLARATION = 400;

export function headingOf(meaning: HexMeaning, l10n: Localizer): Heading {
  if (!('item' in meaning)) {
    return { icon: 'symbol-field', words: bareWords(meaning, l10n), declaration: undefined };
  }
  const { kind, item } = meaning;
  return { icon: icons[item.kind], words: wordsOf(kind, 'reason' in meaning, l10n), ...declared(item) };
}

function bareWords({ kind, inputs }: BareMeaning, l10n: Localizer): string {
  if (kind === 'word') return l10n.t('May be');
  return inputs.length === 1 ? l10n.t('ABI-encoded') : l10n.t('Words by their likely types');
}

const icons: Readonly<Record<AbiItem['kind'], string>> = {
  function: 'symbol-method',
  error: 'error',
  event: 'symbol-event',
};

function wordsOf(
  kind: Exclude<HexMeaning['kind'], 'word' | 'blob'>,
  isUnfit: boolean,
  l10n: Localizer,
): string {
  if (isUnfit) return l10n.t('Begins with the selector of');
  switch (kind) {
    case 'event':
      return l10n.t('topic0 of');
    case 'function':
    case 'error':
      return l10n.t('Selector of');
    case 'calldata':
      return l10n.t('Call of');
    case 'revert':
      return l10n.t('Revert with');
  }
}

function declared(item: AbiItem): Pick<Heading, 'declaration'> {
  const text = formatAbiItem(item);
  const cut = text.length > LONGEST_DECLARATION ? `${text.slice(0, LONGEST_DECLARATION)}…` : text;
  return { declaration: cut };
}
