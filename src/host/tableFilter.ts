import { type FilterTerm, parseFilterTerms } from '../core/index.ts';
import type { Localizer } from './l10n.ts';

/** Rows of a grid as they are shown, by their numbers. */
interface ShownTable<Column> {
  readonly columns: readonly NamedColumn<Column>[];
  cell(row: number, column: Column): { readonly text: string; readonly exact: string };
}

interface NamedColumn<Column> {
  readonly id: Column;
  readonly name: string;
}

type RowTest = (row: number) => boolean;

/**
 * The test that a filter describes: a row must match each of its terms. A word, or words in double quotes, are in the
 * text or the full value of a cell. `to:Treasury` is about one column, `sum > 1000` compares numbers as they are
 * shown, and `!Treasury` leaves rows out. A condition without a value, which is being typed, passes all rows.
 *
 * @returns undefined if `text` has no terms.
 */
export function createTableFilter<Column extends string>(
  text: string,
  table: ShownTable<Column>,
): RowTest | undefined {
  const tests = parseFilterTerms(text).flatMap((term): RowTest[] => {
    const test = createTermTest(term, table);
    return test && term.isNegated ? [(row) => !test(row)] : test ? [test] : [];
  });
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row));
}

/** Why conditions of a filter match nothing: their columns are unknown, or their values are no numbers. */
export function explainTableFilter(
  text: string,
  columns: readonly NamedColumn<string>[],
  l10n: Localizer,
): readonly string[] {
  return parseFilterTerms(text).flatMap(({ condition }) => {
    if (!condition || condition.value === '') return [];
    const { name, operator, value } = condition;
    if (findColumn(name, columns)) {
      const isOrder = operator.startsWith('<') || operator.startsWith('>');
      if (!isOrder || parseNumber(value) !== undefined) return [];
      return [l10n.t('{0} is a number, and {1} is not. For a range, enter {0}>=100 {0}<=200.', name, value)];
    }
    const names = columns.map(({ name }) => toFieldName(name)).join(', ');
    return [l10n.t('No field is called {0}. Fields: {1}', name, names)];
  });
}

function createTermTest<Column extends string>(
  { text, phrase, condition }: FilterTerm,
  table: ShownTable<Column>,
): RowTest | undefined {
  const column = condition && findColumn(condition.name, table.columns);
  if (condition && column !== undefined) {
    const { operator, value } = condition;
    return value === '' ? undefined : createColumnTest(column, operator, value, table);
  }
  const searched = (phrase ?? text).toLowerCase();
  const ids = table.columns.map(({ id }) => id);
  return searched === '' ? undefined : (row) => ids.some((id) => includes(table, row, id, searched));
}

/** By its name as it is shown, without blanks, or by its name in results, such as `firstBlock`. */
function findColumn<Column extends string>(
  name: string,
  columns: readonly NamedColumn<Column>[],
): Column | undefined {
  const lower = name.toLowerCase();
  return columns.find(({ id, name: shown }) =>
    [toFieldName(shown), id].some((one) => one.toLowerCase() === lower),
  )?.id;
}

function toFieldName(column: string): string {
  const [first = '', ...others] = column.split(/\s+/);
  return first + others.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

function createColumnTest<Column extends string>(
  column: Column,
  operator: string,
  value: string,
  table: ShownTable<Column>,
): RowTest {
  if (operator === '!=') {
    const isEqual = createColumnTest(column, '=', value, table);
    return (row) => !isEqual(row);
  }
  const number = parseNumber(value);
  if (operator === ':' || operator === '=' || number === undefined) {
    const searched = value.toLowerCase();
    if (number === undefined && operator !== ':' && operator !== '=') return () => false;
    if (number === undefined) return (row) => includes(table, row, column, searched);
    return (row) => listNumbers(table, row, column).includes(number);
  }
  return (row) => {
    const [shown] = listNumbers(table, row, column);
    return shown !== undefined && compare(shown, operator, number);
  };
}

function compare(shown: bigint, operator: string, number: bigint): boolean {
  switch (operator) {
    case '>':
      return shown > number;
    case '<':
      return shown < number;
    case '>=':
      return shown >= number;
    default:
      return shown <= number;
  }
}

/** The number as it is shown, in the units of a token, and the exact one. */
function listNumbers<Column extends string>(
  table: ShownTable<Column>,
  row: number,
  column: Column,
): readonly bigint[] {
  const { text, exact } = table.cell(row, column);
  return [text, exact].map(parseNumber).filter((number) => number !== undefined);
}

/** Exact, in units of 10 ** -{@link FRACTION_DIGITS}. */
function parseNumber(text: string): bigint | undefined {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^([-+]?)([\d,_]{1,400})(?:\.(\d{1,40}))?(?:e\+?(\d{1,2})|…?(?: .*)?|%)$/i.exec(text) ?? [];
  if (whole === undefined || !/\d/.test(whole)) return undefined;
  const digits =
    BigInt(whole.replaceAll(/[,_]/g, '') + fraction.padEnd(FRACTION_DIGITS, '0')) * 10n ** BigInt(exponent);
  return sign === '-' ? -digits : digits;
}

const FRACTION_DIGITS = 40;

function includes<Column extends string>(
  table: ShownTable<Column>,
  row: number,
  column: Column,
  searched: string,
): boolean {
  const { text, exact } = table.cell(row, column);
  return text.toLowerCase().includes(searched) || exact.toLowerCase().includes(searched);
}
