import { isRecord, sanitizeText } from '../core/index.ts';
import { formatMessageLine } from './output.ts';

/** Commands that print rows, and the columns that come first. Those that a terminal has no room for are cut. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  tokens: ['symbol', 'amount', 'decimals', 'value', 'contract'],
  transfers: ['time', 'symbol', 'amount', 'tokenId', 'from', 'to', 'transactionHash'],
  balances: ['blockNumber', 'time', 'wei', 'delta'],
  logs: ['blockNumber', 'logIndex', 'time', 'address', 'decoded', 'topics', 'data', 'transactionHash'],
  state: [],
  contracts: ['name', 'address', 'state', 'source'],
};

export const hasTable = (command: string): boolean => Object.hasOwn(TABLES, command);

/** Objects with one of these alone are for programs: messages on standard error say the same. */
const SUMMARIES: readonly string[] = ['balances', 'error', 'holdings', 'transfers', 'verdict'];
/** Of an address, with space for a sign of the cut. */
const MAX_CELL_CHARS = 43;
const DEFAULT_WIDTH = 100;

/**
 * Creates the format of the rows of a command: aligned columns as wide as the rows so far, in lines that fit the terminal.
 * A head is printed where columns begin or change.
 */
export function createTableFormat(command: string, getWidth: () => number | undefined) {
  let columns: readonly string[] = [];
  let widths: readonly number[] = [];

  return (values: Iterable<unknown>): string => {
    const rows = [...values].filter(isRecord).flatMap(toRow);
    const lines: string[] = [];
    for (const row of rows) {
      const own = orderColumns(Object.keys(row), TABLES[command] ?? []);
      if (own.join() !== columns.join()) {
        columns = own;
        const sameRows = rows.filter((other) => Object.keys(other).length === own.length);
        widths = own.map((name) =>
          Math.max(name.length, ...sameRows.slice(0, 1000).map((other) => formatCell(other[name]).length)),
        );
        lines.push(formatLine(own));
      }
      lines.push(formatLine(own.map((name) => formatCell(row[name]))));
    }
    return lines.map((line) => `${line}\n`).join('');
  };

  function formatLine(cells: readonly string[]): string {
    const text = cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
    const width = Math.max(20, getWidth() ?? DEFAULT_WIDTH);
    return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
  }
}

/** A row of its cells; none of a summary. `{"contract":{…}}` is the row in it. */
function toRow(value: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const [[key = '', inner] = [], ...others] = Object.entries(value);
  if (others.length > 0 && !('verdict' in value)) return [value];
  if (SUMMARIES.includes(key) || 'verdict' in value) return [];
  return [isRecord(inner) ? inner : value];
}

function orderColumns(names: readonly string[], first: readonly string[]): readonly string[] {
  const known = first.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))];
}

/** Untrusted text, plain and cut; a quantity of the chain as a number. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'string' && /^0x[0-9a-f]{1,13}$/.test(value)) return String(Number(value));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return formatMessageLine(sanitizeText(text, MAX_CELL_CHARS));
}
