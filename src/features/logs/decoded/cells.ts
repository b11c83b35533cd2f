import {
  type Address,
  type DecodedLog,
  type Log,
  parseAddress,
  toChecksumAddress,
} from '../../../core/index.ts';
import { argumentOf, type Column, type LogColumn } from '../protocol/columns.ts';
import { eventSentence, rawReasonWords } from './sentence.ts';
import { exactValue, type Worded, type Wording, wordAddress, wordArgument } from './wording.ts';

/** A log with what is known of it. */
export interface ReadLog {
  readonly log: Log;
  readonly decoded: DecodedLog;
}

/** What a cell shows. Where the log is not decoded, the first column that would tell of the event says why. */
export function cellOf({ log, decoded }: ReadLog, column: LogColumn, options: CellOptions): Worded {
  const index = argumentOf(column.id);
  if (index === undefined && column.id !== 'event') return ownCell(log, column.id, options);
  if ('reason' in decoded) {
    if ((index ?? 0) > 0) return { text: '' };
    const [topic0 = ''] = log.topics;
    const text = [topic0, rawReasonWords(decoded.reason, options.wording.l10n)].join(' ').trim();
    return { text, exact: text };
  }
  if (index === undefined) return { text: eventSentence(decoded, log.address, options.wording) };
  const { event, values } = decoded;
  const value = values[index];
  return value === undefined
    ? { text: '' }
    : wordArgument({ event, index, value }, log.address, options.wording);
}

export interface CellOptions {
  readonly wording: Wording;
  /** Whether addresses are told by their names. */
  readonly named: boolean;
}

function ownCell(log: Log, column: Column, { wording, named }: CellOptions): Worded {
  switch (column) {
    case 'block':
      return { text: log.blockNumber.toString() };
    case 'index':
      return { text: log.logIndex.toString() };
    case 'transaction':
      return { text: log.transactionHash };
    case 'address':
      return named ? wordAddress(log.address, wording) : { text: toChecksumAddress(log.address) };
    case 'topics':
      return { text: log.topics.join(' ') };
    default:
      return { text: log.data };
  }
}

/** The whole of a cell, for the clipboard: addresses in checksum form, amounts and integers by their exact digits. */
export function cellCopy({ log, decoded }: ReadLog, column: LogColumn, wording: Wording): string {
  const index = argumentOf(column.id);
  const known = 'reason' in decoded ? undefined : decoded;
  const type = index === undefined ? undefined : known?.event.inputs[index]?.type;
  const value = index === undefined ? undefined : known?.values[index];
  if (type && value !== undefined) return exactValue(type, value);
  return cellOf({ log, decoded }, column, { wording, named: false }).text;
}

/** A cell as it is shown, for those who read it elsewhere: an address without a name is whole. */
export function cellShared(read: ReadLog, column: LogColumn, options: CellOptions): string {
  const { text, exact } = cellOf(read, column, options);
  const address = addressIn(read, column.id);
  return address && options.wording.nameOf(address) === undefined ? (exact ?? text) : text;
}

/** The address that a cell holds: of the contract, or an argument. */
export function addressIn({ log, decoded }: ReadLog, column: Column): Address | undefined {
  if (column === 'address') return log.address;
  const index = argumentOf(column);
  if (index === undefined || 'reason' in decoded) return undefined;
  const isAddress = decoded.event.inputs[index]?.type.kind === 'address';
  return isAddress ? parseAddress(String(decoded.values[index])) : undefined;
}
