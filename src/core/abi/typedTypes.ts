import { editDistance } from '../base/editDistance.ts';
import { elementaryType, elementaryTypeNames } from './abiTypes.ts';

/** A word in the place of a type that is none of the ABI. */
export interface UnknownType {
  readonly word: string;
  /** Where it begins in the text. */
  readonly start: number;
  /** The type that it is likely meant to be; undefined where none is near, as for the name of a contract or a struct. */
  readonly nearest: string | undefined;
}

const WORDS = /[A-Za-z_$][\w$]*|[(),]/g;
const LONGEST_EVENT = 4096;
/** The longest is `function`; a longer word that is far from all is a name. */
const LONGEST_TYPE = 12;
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['boolean', 'bool'],
  ['byte', 'bytes1'],
  ['integer', 'int256'],
  ['str', 'string'],
  ['text', 'string'],
]);

/**
 * The words of an event, or of as much of it as is typed, that stand for a type and are none. A word at the very end is left
 * out: it may not be finished.
 *
 * @example unknownTypes('Transfer(adress,uint').map(({ word, nearest }) => [word, nearest]) // [['adress', 'address']]
 */
export function unknownTypes(event: string): readonly UnknownType[] {
  const found: UnknownType[] = [];
  if (event.length > LONGEST_EVENT || /^\s*0x/i.test(event)) return found;
  let depth = 0;
  let begins = false;
  for (const match of event.matchAll(WORDS)) {
    const [word] = match;
    const end = match.index + word.length;
    if (word === '(' || word === ',') {
      if (word === '(') depth++;
      begins = depth > 0;
    } else if (word === ')') {
      depth--;
      begins = false;
    } else if (begins) {
      begins = false;
      const isKnown = elementaryType(word) !== undefined || word === 'tuple';
      if (!isKnown && end < event.length)
        found.push({ word, start: match.index, nearest: nearestType(word) });
    }
  }
  return found;
}

/**
 * The event with the nearest types in the place of those that are none; undefined where there is none to put in.
 *
 * @example withNearestTypes('Transfer(adress,uint)') // 'Transfer(address,uint)'
 */
export function withNearestTypes(event: string): string | undefined {
  const mendable = unknownTypes(event).filter(({ nearest }) => nearest !== undefined);
  if (mendable.length === 0) return undefined;
  return mendable.reduceRight(
    (text, { word, start, nearest }) => text.slice(0, start) + nearest + text.slice(start + word.length),
    event,
  );
}

function nearestType(word: string): string | undefined {
  if (word.length > LONGEST_TYPE) return undefined;
  const lower = word.toLowerCase();
  const meant = OTHER_WORDS.get(lower) ?? (elementaryType(lower) && lower);
  if (meant !== undefined) return meant;
  // A short word is near to too many.
  const most = lower.length < 4 ? 1 : 2;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of elementaryTypeNames) {
    const distance = editDistance(lower, name, most);
    if (distance !== undefined && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}
