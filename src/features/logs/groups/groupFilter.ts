import { parseFilterTerms } from '../../../core/index.ts';
import type { GroupColumnId } from '../protocol/groups.ts';
import type { GroupReader } from './groupReader.ts';

type GroupTest = (group: number) => boolean;

/**
 * The test that a filter describes: a group must match each of its terms. A word, or words in double quotes, are in the
 * text or the full value of a cell. `to:Treasury` is about one column, and `sum>1000` compares numbers as they are
 * shown.
 *
 * @returns undefined if `text` has no terms.
 */
export function createGroupFilter(text: string, reader: GroupReader): GroupTest | undefined {
  const tests = parseFilterTerms(text).flatMap(
    ([word, name, operator, quoted, plain, phrase]): GroupTest[] => {
      const column = name === undefined ? undefined : findColumn(name, reader);
      const value = quoted ?? plain;
      if (column && operator !== undefined && value !== undefined) {
        return [createColumnTest(column, operator, value, reader)];
      }
      const searched = (phrase ?? word).toLowerCase();
      const columns = reader.columns.map(({ id }) => id);
      return searched === '' ? [] : [(group) => columns.some((id) => includes(reader, group, id, searched))];
    },
  );
  return tests.length === 0 ? undefined : (group) => tests.every((test) => test(group));
}

/** By its name as it is shown, or by its name in results, such as `firstBlock`. */
function findColumn(name: string, { columns }: GroupReader): GroupColumnId | undefined {
  const lower = name.toLowerCase();
  return columns.find((column) => [column.name, column.id].some((one) => one.toLowerCase() === lower))?.id;
}

function createColumnTest(
  column: GroupColumnId,
  operator: string,
  value: string,
  reader: GroupReader,
): GroupTest {
  const number = parseNumber(value);
  if (operator === ':' || operator === '=' || number === undefined) {
    const searched = value.toLowerCase();
    if (number === undefined) return (group) => includes(reader, group, column, searched);
    return (group) => listNumbers(reader, group, column).includes(number);
  }
  return (group) => {
    const [shown] = listNumbers(reader, group, column);
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
function listNumbers(reader: GroupReader, group: number, column: GroupColumnId): readonly bigint[] {
  const { text, exact } = reader.cell(group, column);
  return [text, exact].map(parseNumber).filter((number) => number !== undefined);
}

/** Exact, in units of 10 ** -{@link FRACTION_DIGITS}. */
function parseNumber(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(-?[\d,]{1,400})(?:\.(\d{1,40}))?(?:…?(?: .*)?|%)$/.exec(text) ?? [];
  if (whole === undefined || !/\d/.test(whole)) return undefined;
  return BigInt(whole.replaceAll(',', '') + fraction.padEnd(FRACTION_DIGITS, '0'));
}

const FRACTION_DIGITS = 40;

function includes(reader: GroupReader, group: number, column: GroupColumnId, searched: string): boolean {
  const { text, exact } = reader.cell(group, column);
  return text.toLowerCase().includes(searched) || exact.toLowerCase().includes(searched);
}
