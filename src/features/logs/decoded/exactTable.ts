import {
  abiValueToJson,
  type DecodedEvent,
  isHashed,
  type Log,
  type LogJson,
  logToJson,
  namedValueToJson,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/l10n.ts';
import { createFixedColumn, type LogColumn } from '../protocol/grid.ts';
import { type DecodedRow, formatCellToCopy, formatIsoTimeCell, type ValueFormat } from './cells.ts';

/** Exact values of logs: full checksummed addresses, plain digits, times in ISO 8601. */
export interface ExactTable {
  readonly header: readonly string[];
  readonly cells: (log: Log) => readonly string[];
  readonly toJson: (log: Log) => ExactLogJson;
}

type ExactLogJson = LogJson & {
  /** In ISO 8601; null if unknown. */
  readonly timestamp: string | null;
  /** Undefined if the log is not decoded. */
  readonly decoded?: {
    readonly event: string;
    readonly args: readonly ReturnType<typeof argumentsToJson>[number][];
  };
};

interface TableOptions {
  /** The displayed columns. */
  readonly columns: readonly LogColumn[];
  readonly read: (log: Log) => DecodedRow;
  readonly format: ValueFormat;
  readonly l10n: Localizer;
}

/** The table has the displayed columns. Logs of any event have the same columns, with the arguments as JSON. */
export function createExactTable({ columns, read, format, l10n }: TableOptions): ExactTable {
  const toJson = (log: Log) => logToExactJson(read(log), format);
  if (columns.every(({ id }) => id !== 'event')) {
    return {
      header: columns.map(({ name }) => name),
      cells(log) {
        const row = read(log);
        return columns.map((column) => formatCellToCopy(row, column, format));
      },
      toJson,
    };
  }
  const fixed = (['block', 'time', 'transaction', 'index', 'address'] as const).map((id) =>
    createFixedColumn(id, l10n),
  );
  const eventColumn = createFixedColumn('event', l10n);
  return {
    header: [...fixed.map(({ name }) => name), eventColumn.name, l10n.t('Arguments')],
    cells(log) {
      const row = read(log);
      return [...fixed.map((column) => formatCellToCopy(row, column, format)), ...formatEventCells(row)];
    },
    toJson,
  };
}

/** The event and its arguments; topic0 and the other raw parts of a log that is not decoded. */
function formatEventCells({ log, decoded }: DecodedRow): readonly string[] {
  if ('event' in decoded) return [decoded.event.signature, JSON.stringify(argumentsToJson(decoded))];
  const [topic0 = '', ...topics] = log.topics;
  return [topic0, JSON.stringify({ topics, data: log.data })];
}

function logToExactJson({ log, decoded }: DecodedRow, format: ValueFormat): ExactLogJson {
  return {
    ...logToJson(log),
    address: toChecksumAddress(log.address),
    timestamp: formatIsoTimeCell(log, format) || null,
    ...('event' in decoded && {
      decoded: { event: decoded.event.signature, args: argumentsToJson(decoded) },
    }),
  };
}

function argumentsToJson({ event, values }: DecodedEvent) {
  return event.inputs.map((input, index) => {
    const { name, type } = input;
    const value = values[index] ?? '';
    const json = isHashed(input)
      ? String(value)
      : abiValueToJson(type, value, { address: toChecksumAddress });
    return { name, type: type.text, value: json, ...(!isHashed(input) && namedValueToJson(type, value)) };
  });
}
