import {
  type AbiEvent,
  type Address,
  type DecodedLog,
  findAlignedInput,
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
  /** The event whose arguments the columns show: that of the log may be of another version of its contract. */
  readonly shown?: AbiEvent | undefined;
}

/** The place among the arguments of a log of the one that a column shows; undefined where it has none such. */
export function argumentIn({ decoded, shown }: ReadLog, column: Column): number | undefined {
  const index = argumentOf(column);
  if (index === undefined || 'reason' in decoded || !shown) return index;
  return shown.topic0 === decoded.event.topic0 ? findAlignedInput(shown, decoded.event, index) : index;
}

/** What a cell shows. Where the log is not decoded, the first column that would tell of the event says why. */
export function cellOf(read: ReadLog, column: LogColumn, options: CellOptions): Worded {
  const { log, decoded } = read;
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
  const own = argumentIn(read, column.id);
  const value = own === undefined ? undefined : values[own];
  return own === undefined || value === undefined
    ? { text: '' }
    : wordArgument({ event, index: own, value }, log.address, options.wording);
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
    case 'time':
      return wording.timeOf(log);
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

/** The whole of a cell, for the clipboard: addresses in checksum form, amounts and integers by their exact digits, times in ISO 8601. */
export function cellCopy(read: ReadLog, column: LogColumn, wording: Wording): string {
  const { decoded } = read;
  const index = argumentIn(read, column.id);
  const known = 'reason' in decoded ? undefined : decoded;
  const type = index === undefined ? undefined : known?.event.inputs[index]?.type;
  const value = index === undefined ? undefined : known?.values[index];
  if (type && value !== undefined) return exactValue(type, value);
  if (column.id === 'time') return isoOf(read.log, wording);
  return cellOf(read, column, { wording, named: false }).text;
}

/** Empty where it is not known. */
function isoOf(log: Log, { timeOf }: Wording): string {
  const time = timeOf(log);
  return 'iso' in time ? time.iso : '';
}

/** A cell as it is shown, for those who read it elsewhere: an address without a name is whole. */
export function cellShared(read: ReadLog, column: LogColumn, options: CellOptions): string {
  const { text, exact } = cellOf(read, column, options);
  const address = addressIn(read, column.id);
  return address && options.wording.nameOf(address) === undefined ? (exact ?? text) : text;
}

/** The address that a cell holds: of the contract, or an argument. */
export function addressIn(read: ReadLog, column: Column): Address | undefined {
  const { log, decoded } = read;
  if (column === 'address') return log.address;
  const index = argumentIn(read, column);
  if (index === undefined || 'reason' in decoded) return undefined;
  const isAddress = decoded.event.inputs[index]?.type.kind === 'address';
  return isAddress ? parseAddress(String(decoded.values[index])) : undefined;
}
