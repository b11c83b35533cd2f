import {
  type AbiParameter,
  type AbiValue,
  type BareMeaning,
  formatNestedPath,
  type HexMeaning,
  type NestedMeaning,
} from '../../../core/index.ts';
import type { TextLine } from '../../../host/surface/readOnlyText.ts';
import { originWords } from '../../../host/words/originWords.ts';
import { headingOf } from '../words/headings.ts';
import { exactValue } from '../words/valueWords.ts';
import type { Wording } from '../words/wording.ts';

/** Where lines go, and how far in. */
export interface Writing {
  readonly lines: TextLine[];
  readonly wording: Wording;
  readonly level: number;
}

/** Characters of a value: 16 KiB as hex. */
const LONGEST_VALUE = 32_800;
/** Of an array or a tuple; a person looks at no more, and the raw hex is there. */
const MOST_PARTS = 500;

/** A meaning, with all its values as a tree and what is nested in them below. */
export function writeMeaning(meaning: HexMeaning, to: Writing): void {
  if (!('item' in meaning) && meaning.inputs.length === 1) writeAlone(meaning, to);
  else writeTree(meaning, to);
}

function writeTree(meaning: HexMeaning, to: Writing): void {
  const { wording, lines, level } = to;
  const { words, declaration } = headingOf(meaning, wording.l10n);
  lines.push({ level, text: declaration === undefined ? words : `${words} ${declaration}` });
  const inner = { ...to, level: level + 1 };
  if ('origin' in meaning) {
    const origin = originWords(meaning.origin, wording.l10n);
    const place = wording.placeOf(meaning.origin);
    lines.push({ level: level + 1, text: wording.l10n.t('Known from: {0}', origin), place });
  }
  if ('reason' in meaning) {
    const words = wording.l10n.t('Arguments do not match: {0}', meaning.reason);
    lines.push({ level: level + 1, text: words });
  }
  if ('note' in meaning && meaning.note !== undefined) {
    lines.push({ level: level + 1, text: wording.l10n.t('Meaning: {0}', meaning.note) });
  }
  if (!('values' in meaning)) return;
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  for (const [index, input] of inputs.entries()) {
    writeValue({ name: nameOf(input, index), type: input.type, value: meaning.values[index] ?? '' }, inner);
    writeNested({ ...meaning, inputs }, index, { ...inner, level: level + 2 });
  }
}

/** One value without a name, on the line of its heading. */
function writeAlone(meaning: BareMeaning, to: Writing): void {
  const [input] = meaning.inputs;
  if (!input) return;
  const { words } = headingOf(meaning, to.wording.l10n);
  writeValue({ ...input, name: words, value: meaning.values[0] ?? '' }, to);
  writeNested(meaning, 0, { ...to, level: to.level + 1 });
}

/** `[0]` for what has no name. */
export function nameOf({ name }: AbiParameter, index: number): string {
  return name === '' ? `[${index}]` : name;
}

interface Named extends AbiParameter {
  readonly value: AbiValue;
}

export function writeValue({ name, type, value }: Named, to: Writing): void {
  const { lines, wording, level } = to;
  const head = `${name} ${type.text}`;
  if (!Array.isArray(value) || value.length === 0) {
    const text = exactValue({ type, value }, wording, LONGEST_VALUE);
    lines.push({ level, text: `${head} = ${text}` });
    if (type.kind === 'bytes' && typeof value === 'string' && value.length > LONGEST_VALUE) {
      const bytes = (value.length - 2) / 2;
      lines.push({ level: level + 1, text: wording.l10n.t('{0} bytes in total', bytes) });
    }
    return;
  }
  lines.push({ level, text: head });
  const members = type.kind === 'tuple' ? type.members : [];
  for (const [index, part] of value.slice(0, MOST_PARTS).entries()) {
    const member = type.kind === 'array' ? { name: '', type: type.item } : members[index];
    if (!member) break;
    writeValue({ ...member, name: nameOf(member, index), value: part }, { ...to, level: level + 1 });
  }
  if (value.length > MOST_PARTS) {
    lines.push({ level: level + 1, text: wording.l10n.t('and {0} more', value.length - MOST_PARTS) });
  }
}

function writeNested(
  { inputs, nested }: { readonly inputs: readonly AbiParameter[]; readonly nested: readonly NestedMeaning[] },
  index: number,
  to: Writing,
): void {
  for (const { path, meanings } of nested) {
    if (path[0] !== index) continue;
    to.lines.push({ level: to.level, text: to.wording.l10n.t('in {0}:', formatNestedPath(inputs, path)) });
    for (const meaning of meanings) writeMeaning(meaning, { ...to, level: to.level + 1 });
  }
}
