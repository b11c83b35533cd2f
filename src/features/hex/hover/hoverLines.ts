import {
  type AbiParameter,
  type AbiValue,
  formatNestedPath,
  type HexMeaning,
  type NestedMeaning,
  type Origin,
} from '../../../core/index.ts';
import type { MarkdownLines, Piece } from '../../../host/surface/markdown.ts';
import { originWords } from '../../../host/words/originWords.ts';
import { headingOf } from '../words/headings.ts';
import { readableValue } from '../words/valueWords.ts';
import type { Wording } from '../words/wording.ts';

/** What fits a hover of ordinary height; the rest is in the document of *Decode…*. */
const MOST_ROWS = 20;
const MOST_MEANINGS = 4;
const LONGEST_VALUE = 160;
/** Of bytes that are explained below. */
const LONGEST_EXPLAINED = 40;

/**
 * What hex may stand for: the best meaning with its arguments, further ones by their headings. Of those that do not fit
 * none is shown where another one does.
 */
export function meaningLines(meanings: readonly HexMeaning[], wording: Wording): MarkdownLines {
  const fitting = meanings.filter((meaning) => !('reason' in meaning));
  const shown = fitting.length > 0 ? fitting : meanings;
  const rows: (readonly Piece[])[] = [];
  const [first, ...others] = shown.slice(0, MOST_MEANINGS);
  if (first) addMeaning(rows, first, { wording, level: 0 });
  const cut = rows.length > MOST_ROWS;
  return [
    ...rows.slice(0, MOST_ROWS),
    ...(cut ? [[{ level: 1 }, '…'] as const] : []),
    ...others.map((other) => headingLine(other, wording)),
    ...(shown.length > MOST_MEANINGS ? [[wording.l10n.t('and {0} more', shown.length - MOST_MEANINGS)]] : []),
  ];
}

interface Place {
  readonly wording: Wording;
  readonly level: number;
}

function addMeaning(rows: (readonly Piece[])[], meaning: HexMeaning, place: Place): void {
  const { wording, level } = place;
  if (rows.length > MOST_ROWS) return;
  const line = headingLine(meaning, wording);
  rows.push(level === 0 ? line : [{ level }, ...line]);
  if ('reason' in meaning) {
    rows.push([{ level: level + 1 }, wording.l10n.t('arguments do not match: {0}', meaning.reason)]);
  }
  if (!('values' in meaning)) return;
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  addValues(rows, { ...meaning, inputs }, { wording, level: level + 1 });
  if ('note' in meaning && meaning.note !== undefined) {
    rows.push([{ level: level + 1 }, { strong: meaning.note }]);
  }
}

function addValues(
  rows: (readonly Piece[])[],
  of: {
    readonly inputs: readonly AbiParameter[];
    readonly values: readonly AbiValue[];
    readonly nested: readonly NestedMeaning[];
  },
  { wording, level }: Place,
): void {
  for (const [index, { name, type }] of of.inputs.entries()) {
    if (rows.length > MOST_ROWS) return;
    const value = of.values[index] ?? '';
    const words = name === '' ? [] : [{ strong: name }];
    const nested = of.nested.filter(({ path }) => path[0] === index);
    const most = nested.length > 0 ? LONGEST_EXPLAINED : LONGEST_VALUE;
    rows.push([{ level }, ...words, type.text, '=', readableValue({ type, value }, wording, most)]);
    for (const { path, meanings } of nested) {
      const [inner] = meanings;
      if (!inner) continue;
      if (path.length > 1) rows.push([{ level: level + 1 }, formatNestedPath(of.inputs, path)]);
      addMeaning(rows, inner, { wording, level: level + (path.length > 1 ? 2 : 1) });
    }
  }
}

function headingLine(meaning: HexMeaning, wording: Wording): readonly Piece[] {
  const { icon, words, declaration } = headingOf(meaning, wording.l10n);
  return [
    ...[{ icon }, words],
    ...(declaration === undefined ? [] : [{ strong: declaration }]),
    ...('origin' in meaning ? ['·', originPiece(meaning.origin, wording)] : []),
  ];
}

function originPiece(origin: Origin, { l10n, placeOf }: Wording): Piece {
  const title = originWords(origin, l10n);
  const place = placeOf(origin);
  return place ? { title, command: 'chainside.goToPlace', args: [place] } : title;
}
