import type { SentencePart } from '../../../messaging/sentence.ts';

/** What gives way so that a sentence fits its cell, each in addition to the ones before. */
const CUTS = [
  'cut-text',
  'cut-lists',
  'no-labels',
  'no-amount-labels',
  'cut-facts',
  'short-amounts',
  'squeeze-facts',
  'cut-amounts',
] as const;
type Cut = (typeof CUTS)[number];

/** Widths to which parts are cut, with their gaps. */
const MIN_TEXT_PX = 22;
const MIN_LIST_PX = 60;
const MIN_FACT_PX = 64;
const MIN_SQUEEZED_FACT_PX = 42;
const MIN_AMOUNT_PX = 46;

export interface MeasuredPart {
  readonly kind: SentencePart['kind'];
  /** Of the part with its gap, in pixels. */
  readonly width: number;
  /** Of its label alone. */
  readonly labelWidth: number;
  /** What {@link shortenAmount} saves. */
  readonly savedWidth: number;
}

/**
 * The least that has to give way for parts to fit a width: free text before lists, labels, facts and amounts. All of
 * {@link CUTS} if nothing suffices.
 */
export function chooseCuts(parts: readonly MeasuredPart[], available: number): readonly Cut[] {
  for (let count = 0; count < CUTS.length; count++) {
    const cuts = CUTS.slice(0, count);
    const width = parts.reduce((sum, part) => sum + getLeastWidth(part, cuts), 0);
    if (width <= available) return cuts;
  }
  return CUTS;
}

/** How parts are laid out in a width. */
interface SentenceLayout {
  readonly cuts: readonly Cut[];
  /** In pixels, of each part; undefined for one that is whole. */
  readonly widths: readonly (number | undefined)[];
}

/** Gives each part the least width that {@link chooseCuts} leaves it, then shares what is left by importance. */
export function layOutSentence(parts: readonly MeasuredPart[], available: number): SentenceLayout {
  const cuts = chooseCuts(parts, available);
  const isTooNarrow = cuts.length === CUTS.length;
  const least = parts.map((part) => {
    const width = getLeastWidth(part, cuts);
    return isTooNarrow && part.kind === 'amount' ? Math.min(width, MIN_AMOUNT_PX) : width;
  });
  const widths = [...least];
  let left = available - least.reduce((sum, width) => sum + width, 0);
  const whole = parts.map((part) => getWholeWidth(part, cuts));
  for (const kind of ['amount', 'fact', 'list', 'text'] as const) {
    // The narrowest first, so that what they do not need goes to the others.
    const places = [...parts.keys()]
      .filter((place) => parts[place]?.kind === kind)
      .sort((a, b) => (whole[a] ?? 0) - (whole[b] ?? 0));
    for (const [index, place] of places.entries()) {
      const wanted = (whole[place] ?? 0) - (widths[place] ?? 0);
      const share = Math.max(0, Math.min(wanted, left / (places.length - index)));
      widths[place] = (widths[place] ?? 0) + share;
      left -= share;
    }
  }
  return {
    cuts,
    widths: widths.map((width, place) => (width < (whole[place] ?? 0) - 0.5 ? Math.floor(width) : undefined)),
  };
}

function getWholeWidth(part: MeasuredPart, cuts: readonly Cut[]): number {
  return getLeastWidth(
    part,
    cuts.filter((cut) => cut === 'no-labels' || cut === 'no-amount-labels' || cut === 'short-amounts'),
  );
}

function getLeastWidth({ kind, width, labelWidth, savedWidth }: MeasuredPart, cuts: readonly Cut[]): number {
  const has = (cut: Cut) => cuts.includes(cut);
  switch (kind) {
    case 'text':
      return has('cut-text') ? Math.min(width, MIN_TEXT_PX) : width;
    case 'list':
      return has('cut-lists') ? Math.min(width, MIN_LIST_PX) : width;
    case 'fact': {
      const shown = has('no-labels') ? width - labelWidth : width;
      const least = has('squeeze-facts') ? MIN_SQUEEZED_FACT_PX : MIN_FACT_PX;
      return has('cut-facts') ? Math.min(shown, least) : shown;
    }
    case 'amount': {
      const shown = has('no-amount-labels') ? width - labelWidth : width;
      return has('short-amounts') ? shown - savedWidth : shown;
    }
  }
}

/**
 * An amount in fewer characters: a long integer by its first digits and its size, a fraction by its first two digits.
 * Undefined if it is short. An ellipsis marks what is missing.
 *
 * @example shortenAmount('1,234,567,890,123,456,789') // '1.2345…e18'
 */
export function shortenAmount(text: string): string | undefined {
  const [, sign = '', digits] = /^(-?)(\d{1,3}(?:,\d{3}){3,})$/.exec(text) ?? [];
  if (digits !== undefined) {
    const plain = digits.replaceAll(',', '');
    return `${sign}${plain[0]}.${plain.slice(1, 5)}…e${plain.length - 1}`;
  }
  const [, whole, rest = ''] = /^(-?[\d,]+\.\d\d)\d+…?( .*)?$/.exec(text) ?? [];
  return whole === undefined ? undefined : `${whole}…${rest}`;
}
