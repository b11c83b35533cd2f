/** A condition on a field, quoted words, or a word. */
const TERMS = /([A-Za-z_$][\w$]{0,63})(>=|<=|[:<>=])(?:"([^"]*)"|([^\s"]+))|"([^"]*)"|\S+/g;

/** The terms of a filter: the complete term, then name, operator and value of a field, or the quoted words. */
export function parseFilterTerms(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(TERMS)];
}

/** Name of the block field: `$block` if an argument is called `block`. */
export type BlockField = 'block' | '$block';

/** Block bounds in a row filter, both inclusive. */
export interface FilteredBlocks {
  readonly first: number;
  readonly last: number;
}

/**
 * The blocks that a filter narrows its rows to by `block>=A block<=B`; undefined unless it has exactly these two
 * bounds.
 *
 * @example parseFilteredBlocks('Treasury block>=480 block<=500')?.last // 500
 */
export function parseFilteredBlocks(filter: string): FilteredBlocks | undefined {
  const bounds = parseFilterTerms(filter).filter(isBound);
  const findBound = (comparison: string) => bounds.find(([, , operator]) => operator === comparison)?.[4];
  const [first, last] = [findBound('>='), findBound('<=')];
  if (bounds.length !== 2 || first === undefined || last === undefined) return undefined;
  return { first: Number(first), last: Number(last) };
}

/**
 * The filter with other block bounds, or with none; all other terms stay.
 *
 * @param field `$block` if an argument is called `block`.
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
