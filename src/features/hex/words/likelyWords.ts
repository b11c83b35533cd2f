import {
  type BareMeaning,
  explainHex,
  type Hex,
  type HexMeaning,
  mergeLookups,
} from '../../../core/index.ts';

const nothing = mergeLookups();

/** Words without a type as what each most likely is; all other meanings as they are. */
export function withLikelyWords(meaning: HexMeaning): HexMeaning {
  if (meaning.kind !== 'blob' || !areWords(meaning)) return meaning;
  const bare = meaning.values.flatMap((word): readonly BareMeaning[] => {
    const [likely] = explainHex(word as Hex, { lookup: nothing });
    return likely === undefined || 'item' in likely ? [] : [likely];
  });
  return {
    ...meaning,
    inputs: bare.flatMap(({ inputs }) => inputs),
    values: bare.flatMap(({ values }) => values),
  };
}

/** Whether a meaning is but the words that the bytes are. */
export function areWords({ inputs }: BareMeaning): boolean {
  return inputs.every(({ type }) => type.kind === 'fixedBytes');
}
