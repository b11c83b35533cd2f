/** A field with what is asked of it, words in quotes, or a word. */
const TERMS = /([A-Za-z_$][\w$]{0,63})(>=|<=|[:<>=])(?:"([^"]*)"|([^\s"]+))|"([^"]*)"|\S+/g;

/** The terms of a filter: each as it stands there, then name, operator and value of a field, or the words in quotes. */
export function parseFilterTerms(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(TERMS)];
}

/** What asks for the block of a log: an argument may be called `block`. */
export type BlockField = 'block' | '$block';

/** Blocks that a filter of rows asks for, both counted. */
export interface FilteredBlocks {
  readonly first: number;
  readonly last: number;
}

/**
 * The blocks that a filter narrows its rows to by `block>=A block<=B`; undefined where it does not have just these two.
 *
 * @example parseFilteredBlocks('Treasury block>=480 block<=500')?.last // 500
 */
export function parseFilteredBlocks(filter: string): FilteredBlocks | undefined {
  const bounds = parseFilterTerms(filter).filter(isBound);
  const bound = (wanted: string) => bounds.find(([, , operator]) => operator === wanted)?.[4];
  const [first, last] = [bound('>='), bound('<=')];
  if (bounds.length !== 2 || first === undefined || last === undefined) return undefined;
  return { first: Number(first), last: Number(last) };
}

/**
 * The filter with other blocks, or with none: all else that it asks for stays.
 *
 * @param field what asks for the block of a log: `$block` where an argument is called `block`.
 * @example replaceFilteredBlocks('Treasury block>=480 block<=500', undefined) // 'Treasury'
 */
export function replaceFilteredBlocks(
  filter: string,
  blocks: FilteredBlocks | undefined,
  field: BlockField = 'block',
): string {
  const others = parseFilterTerms(filter).filter((term) => !isBound(term));
  const bounds = blocks ? [`${field}>=${blocks.first}`, `${field}<=${blocks.last}`] : [];
  return [...others.map(([text]) => text), ...bounds].join(' ');
}

function isBound([, name, operator, , value]: RegExpExecArray): boolean {
  return /^\$?block$/i.test(name ?? '') && /^[<>]=$/.test(operator ?? '') && /^\d{1,16}$/.test(value ?? '');
}
