/** A part of a filter. All terms of a filter must match. */
export interface FilterTerm {
  /** As typed, without a leading `!`. */
  readonly text: string;
  /** Rows that match are left out: the term has a leading `!`. */
  readonly isNegated: boolean;
  /** The words of a quoted term. */
  readonly phrase: string | undefined;
  /** The condition on a field that the term may be. */
  readonly condition: FilterTermCondition | undefined;
}

export interface FilterTermCondition {
  readonly name: string;
  readonly operator: Operator;
  /** Empty while it is being typed. */
  readonly value: string;
  /** Of a number in `ether` or `gwei`: the integers themselves are compared, whatever unit they are shown in. */
  readonly decimals?: number | undefined;
}

export type Operator = ':' | '=' | '!=' | '<' | '>' | '<=' | '>=';

/**
 * A condition on a field, with blanks around its operator or without, quoted words, or a word. The last term may have
 * no value or no closing quote yet.
 */
const TERMS =
  /(!?)(?:([A-Za-z_$][\w$]{0,63}(?:\.[A-Za-z_$][\w$]{0,63}){0,4})\s*(>=|<=|==|!=|=>|=<|<>|[:<>=≥≤≠])(?:\s*(?:"([^"]*)(?:"|$)|(?![<>=:]|!=)([^\s"]+))|\s*$)|"([^"]*)(?:"|$)|\S+)/g;

/** Other ways to write an operator. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  ...{ '==': '=', '=>': '>=', '=<': '<=', '<>': '!=', '≥': '>=', '≤': '<=', '≠': '!=' },
};

/** The terms of a filter. */
export function parseFilterTerms(text: string): readonly FilterTerm[] {
  return Array.from(text.matchAll(TERMS), ([whole, not, name, operator, quoted, plain, phrase]) => ({
    text: whole.slice(not?.length ?? 0),
    isNegated: not === '!',
    phrase,
    condition:
      name === undefined
        ? undefined
        : {
            name,
            operator: OPERATORS[operator ?? ''] ?? (operator as Operator),
            value: quoted ?? plain ?? '',
          },
  }));
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
  const findBound = (comparison: Operator) =>
    bounds.find(({ condition }) => condition?.operator === comparison)?.condition?.value;
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
  return [...others.map(({ text, isNegated }) => (isNegated ? `!${text}` : text)), ...bounds].join(' ');
}

function isBound({ isNegated, condition }: FilterTerm): boolean {
  if (isNegated || !condition) return false;
  const { name, operator, value } = condition;
  return /^\$?block$/i.test(name) && /^[<>]=$/.test(operator) && /^\d{1,16}$/.test(value);
}
