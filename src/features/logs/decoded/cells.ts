import {
  type AbiEvent,
  type AbiType,
  type AbiValue,
  type Address,
  abiValueToJson,
  type DecodedEvent,
  type DecodedLog,
  describeUndecoded,
  type EventParameter,
  findAlignedInput,
  formatAbiValue,
  formatAmount,
  formatShortAddress,
  formatUnits,
  getUnit,
  groupDigits,
  isHashed,
  type Log,
  listIntegers,
  parseAddress,
  resolveUnit,
  type TokenUnits,
  toChecksumAddress,
  type UnitsOf,
} from '../../../core/index.ts';
import { type Localizer, localize } from '../../../host/l10n.ts';
import type { UnitTarget } from '../../../manifest.ts';
import { joinSentence, type SentencePart } from '../../../messaging/sentence.ts';
import { type ColumnId, getArgumentIndex, type LogColumn } from '../protocol/grid.ts';

export interface DecodedRow {
  readonly log: Log;
  readonly decoded: DecodedLog;
  /** The event whose arguments are the columns. The log may be of another version of its contract. */
  readonly shown?: AbiEvent | undefined;
}

export interface CellOptions {
  readonly format: ValueFormat;
  /** Whether addresses show their names. */
  readonly named: boolean;
}

/** How values are formatted on the chain of the result. */
export interface ValueFormat {
  readonly l10n: Localizer;
  nameOf(address: Address): string | undefined;
  readonly unitsOf: UnitsOf;
  /** The block's time, also in ISO 8601; if it is unknown, `exact` is the reason. */
  timeOf(
    log: Log,
  ): (FormattedValue & { readonly iso: string }) | { readonly text: ''; readonly exact?: string };
}

/** A text, and the full value if the text is a name or shortened. */
interface FormattedValue {
  readonly text: string;
  readonly exact?: string;
}

/** The text of a cell. If the log is not decoded, the first event column shows the reason. */
export function formatCell(read: DecodedRow, column: LogColumn, options: CellOptions): FormattedValue {
  const { log, decoded } = read;
  const index = getArgumentIndex(column.id);
  if (index === undefined && column.id !== 'event') return formatLogCell(log, column.id, options);
  if ('reason' in decoded) {
    if ((index ?? 0) > 0) return { text: '' };
    const { reason } = decoded;
    const message = localize(describeUndecoded(reason), options.format.l10n);
    const topic0 = reason.code === 'unknownEvent' ? undefined : log.topics[0];
    const text = topic0 === undefined ? message : `${topic0} ${message}`;
    return { text, exact: text };
  }
  if (index === undefined) {
    return { text: joinSentence(createEventSentence(decoded, log.address, options.format)) };
  }
  const { event, values } = decoded;
  const argument = findArgument(read, column.id);
  const value = argument === undefined ? undefined : values[argument];
  return argument === undefined || value === undefined
    ? { text: '' }
    : formatArgument({ event, index: argument, value }, log.address, options.format);
}

function formatLogCell(log: Log, column: ColumnId, { format, named }: CellOptions): FormattedValue {
  switch (column) {
    case 'block':
      return { text: log.blockNumber.toString() };
    case 'time':
      return format.timeOf(log);
    case 'index':
      return { text: log.logIndex.toString() };
    case 'transaction':
      return { text: log.transactionHash };
    case 'address':
      return named ? formatRowAddress(log.address, format) : { text: toChecksumAddress(log.address) };
    case 'topics':
      return { text: log.topics.join(' ') };
    default:
      return { text: log.data };
  }
}

/**
 * The index of a column's argument in the event of the log; undefined if that event has no such argument.
 */
function findArgument({ decoded, shown }: DecodedRow, column: ColumnId): number | undefined {
  const index = getArgumentIndex(column);
  if (index === undefined || 'reason' in decoded || !shown) return index;
  return shown.topic0 === decoded.event.topic0 ? findAlignedInput(shown, decoded.event, index) : index;
}

/** The full value of a cell for the clipboard: checksummed addresses, exact integers, times in ISO 8601. */
export function formatCellToCopy(read: DecodedRow, column: LogColumn, format: ValueFormat): string {
  const { decoded } = read;
  const index = findArgument(read, column.id);
  const readable = 'reason' in decoded ? undefined : decoded;
  const input = index === undefined ? undefined : readable?.event.inputs[index];
  const value = index === undefined ? undefined : readable?.values[index];
  if (input && value !== undefined) return formatExactArgument(input, value);
  if (column.id === 'event' && readable) return formatExactEvent(readable);
  if (column.id === 'time') return formatIsoTimeCell(read.log, format);
  return formatCell(read, column, { format, named: false }).text;
}

/** Empty if the time is unknown. */
export function formatIsoTimeCell(log: Log, { timeOf }: ValueFormat): string {
  const time = timeOf(log);
  return 'iso' in time ? time.iso : '';
}

/** The text of a cell for Markdown: addresses without a name are not shortened, a time is ISO 8601. */
export function formatCellToShare(read: DecodedRow, column: LogColumn, options: CellOptions): string {
  if (column.id === 'time') return formatIsoTimeCell(read.log, options.format);
  const { format } = options;
  const nameOf = (address: Address) => format.nameOf(address) ?? toChecksumAddress(address);
  return formatCell(read, column, { ...options, format: { ...format, nameOf } }).text;
}

/** The contract address, or the value of an address argument. */
export function findCellAddress(read: DecodedRow, column: ColumnId): Address | undefined {
  const { log, decoded } = read;
  if (column === 'address') return log.address;
  const index = findArgument(read, column);
  if (index === undefined || 'reason' in decoded) return undefined;
  const isAddress = decoded.event.inputs[index]?.type.kind === 'address';
  return isAddress ? parseAddress(String(decoded.values[index])) : undefined;
}

/** A longer term would be unreadable in the filter box. */
const MAX_TERM_CHARS = 300;

/** The filter term that matches the rows with a cell's value; undefined if there is none. */
export function createFilterTerm(
  read: DecodedRow,
  column: ColumnId,
  { unitsOf }: Pick<ValueFormat, 'unitsOf'>,
): string | undefined {
  const { log, decoded } = read;
  const index = findArgument(read, column);
  switch (column) {
    case 'block':
    case 'time':
      return `block:${log.blockNumber}`;
    case 'index':
      return `index:${log.logIndex}`;
    case 'transaction':
      return log.transactionHash;
    case 'address':
      return `address:${toChecksumAddress(log.address)}`;
  }
  if ('reason' in decoded) return log.topics[0] && `event:${log.topics[0]}`;
  const { event, values } = decoded;
  if (index === undefined) return column === 'event' ? `event:${event.name}` : undefined;
  const [input, value] = [event.inputs[index], values[index]];
  if (!input?.name || value === undefined || typeof value === 'object') return undefined;
  // Only the hash is on the chain, and `name:value` would match the unhashed value.
  if (isHashed(input)) return String(value);
  const units = resolveUnit(getUnit(event, index, log.address), unitsOf);
  const text =
    units && typeof value === 'bigint'
      ? formatUnits(value, units.decimals)
      : formatExactRowValue(input.type, value);
  if (text === '' || text.length > MAX_TERM_CHARS || /["\r\n]/.test(text)) return undefined;
  return `${input.name}:${/\s/.test(text) ? `"${text}"` : text}`;
}

/** Arguments on the one line; the details show all. */
const MAX_SENTENCE_ARGUMENTS = 12;

/** A decoded log on one line: `Transfer from Treasury to 0x7099…79C8  1,250.00 HUSD`. */
export function createEventSentence(
  decoded: DecodedEvent,
  contract: Address,
  format: ValueFormat,
): readonly SentencePart[] {
  const { event, values } = decoded;
  const texts = values.slice(0, MAX_SENTENCE_ARGUMENTS).map((value, index) => {
    const { text } = formatArgument({ event, index, value }, contract, format);
    // Indexed ones are mostly IDs.
    const isCount = typeof value === 'bigint' && !event.inputs[index]?.indexed && text === groupDigits(value);
    return (isCount ? formatRoundInteger(value) : undefined) ?? shortenHex(text);
  });
  const special = createTokenMovement(decoded, texts, format.l10n);
  if (special !== undefined) return special;
  const parts = texts.map((text, index): SentencePart => {
    const input = event.inputs[index];
    const label = input?.name ?? '';
    // Without its name, a boolean means nothing.
    if (input?.type.kind === 'bool') return { kind: 'fact', label: '', text: `${label} ${text}`.trim() };
    return { kind: input ? getPartKind(input) : 'text', label, text };
  });
  const more: readonly SentencePart[] =
    values.length > texts.length ? [{ kind: 'text', label: '', text: '…' }] : [];
  return [{ kind: 'fact', label: '', text: event.name }, ...parts, ...more];
}

function getPartKind(input: EventParameter): SentencePart['kind'] {
  const { type } = input;
  if (isHashed(input)) return 'text';
  switch (type.kind) {
    case 'uint':
    case 'int':
      return type.enumeration ? 'fact' : 'amount';
    case 'array':
    case 'tuple':
      return 'list';
    case 'string':
    case 'bytes':
    case 'fixedBytes':
      return 'text';
    default:
      return 'fact';
  }
}

/** `1.5e18`, as Solidity writes it: an integer of 16 digits or more, of which at most six are not trailing zeros. */
function formatRoundInteger(value: bigint): string | undefined {
  const [, sign = '', first = '', others = '', zeros = ''] =
    /^(-?)(\d)(\d{0,5}?)(0*)$/.exec(String(value)) ?? [];
  const exponent = others.length + zeros.length;
  if (exponent < MIN_EXPONENT) return undefined;
  return `${sign}${first}${others === '' ? '' : `.${others}`}e${exponent}`;
}

const MIN_EXPONENT = 15;

/**
 * Shortens hex longer than an address, which would push the rest out of view. The details show all of it.
 */
function shortenHex(text: string): string {
  return text.replaceAll(/0x[0-9a-f]{41,}/g, formatShortAddress);
}

function createTokenMovement(
  { event }: DecodedEvent,
  texts: readonly string[],
  l10n: Localizer,
): readonly SentencePart[] | undefined {
  const [first = '', second = '', third = ''] = texts;
  const last = event.inputs[2]?.indexed ? `#${third}` : third;
  const movement = (text: string): readonly SentencePart[] => [
    { kind: 'fact', label: '', text },
    { kind: 'amount', label: '', text: last },
  ];
  switch (event.signature) {
    case 'Transfer(address,address,uint256)':
      return movement(l10n.t('Transfer from {0} to {1}', first, second));
    case 'Approval(address,address,uint256)':
      return movement(l10n.t('Approval by {0} for {1}', first, second));
    default:
      return undefined;
  }
}

/** The implementation that emitted the log of a proxy; undefined for a contract without one. */
export function formatVersion({ code, origin }: DecodedEvent, l10n: Localizer): string | undefined {
  if (!code) return undefined;
  const address = toChecksumAddress(code.address);
  const name = origin.contract === undefined ? address : l10n.t('{0} at {1}', origin.contract, address);
  return l10n.t('Implementation: {0}, active since block {1}', name, groupDigits(BigInt(code.since.block)));
}

/** The name of an address, or its short form. */
export function formatRowAddress(address: Address, { nameOf }: Pick<ValueFormat, 'nameOf'>): FormattedValue {
  const whole = toChecksumAddress(address);
  const name = nameOf(address);
  return name === undefined
    ? { text: formatShortAddress(whole), exact: whole }
    : { text: name, exact: `${name} ${whole}` };
}

/** An argument as its column shows it. */
export function formatArgument(
  { event, index, value }: { readonly event: AbiEvent; readonly index: number; readonly value: AbiValue },
  contract: Address,
  format: ValueFormat,
): FormattedValue {
  const parameter = event.inputs[index];
  if (!parameter) return { text: '' };
  if (isHashed(parameter)) return { text: format.l10n.t('hash {0}', String(value)) };
  const { type } = parameter;
  if (type.kind === 'address') return formatRowAddress(value as Address, format);
  const isMember = type.kind === 'uint' && type.enumeration !== undefined;
  const units = isMember ? undefined : resolveUnit(getUnit(event, index, contract), format.unitsOf);
  if (units && typeof value === 'bigint') {
    return { text: formatTokenAmount({ event, value }, units, format.l10n), exact: String(value) };
  }
  const text = formatRowValue(type, value, { ...format, onlyMembers: true });
  if (isMember) return { text, exact: formatRowValue(type, value, format) };
  const exact = typeof value === 'object' ? formatRowValue(type, value, { nameOf: format.nameOf }) : text;
  return exact === text ? { text } : { text, exact };
}

/** An amount in token units. An approval of 2²⁵⁶ − 1 has no limit. */
export function formatTokenAmount(
  { event, value }: { readonly event: AbiEvent; readonly value: bigint },
  units: TokenUnits,
  l10n: Localizer,
): string {
  if (event.name !== 'Approval' || value !== MAX_UINT256) return formatAmount(value, units);
  return l10n.t('Unlimited');
}

/** A member of an enum is `Auditor (2)`, or `Auditor` with `onlyMembers`. */
export function formatRowValue(
  type: AbiType,
  value: AbiValue,
  format: Pick<ValueFormat, 'nameOf'> &
    Partial<Pick<ValueFormat, 'unitsOf'>> & { readonly onlyMembers?: boolean },
): string {
  const { onlyMembers = false, unitsOf } = format;
  return formatAbiValue(type, value, {
    address: (address) => formatRowAddress(address, format).text,
    onlyMembers,
    unitsOf,
  });
}

/** A value for the clipboard: integers as plain digits, addresses checksummed, arrays and tuples as JSON. */
export function formatExactRowValue(type: AbiType, value: AbiValue): string {
  const json = abiValueToJson(type, value, { address: toChecksumAddress });
  return typeof json === 'object' ? JSON.stringify(json) : String(json);
}

/** A decoded log with full values: `Paid(epoch: 2, member: 0x90F79bf6EB2c4f870365E785982E1f101E93b906)`. */
function formatExactEvent({ event, values }: DecodedEvent): string {
  const pairs = event.inputs.map((input, index) => {
    const value = formatExactArgument(input, values[index] ?? '');
    return input.name === '' ? value : `${input.name}: ${value}`;
  });
  return `${event.name}(${pairs.join(', ')})`;
}

/** An argument as {@link formatExactRowValue}; of a hashed one the hash. */
export function formatExactArgument(input: EventParameter, value: AbiValue): string {
  return isHashed(input) ? String(value) : formatExactRowValue(input.type, value);
}

const MAX_UINT256 = 2n ** 256n - 1n;

/**
 * The integer of a cell, else all of its log, with the contract of the workspace that declares them; undefined for a log
 * of another contract.
 */
export function createUnitTarget(read: DecodedRow, column: ColumnId): UnitTarget | undefined {
  if ('reason' in read.decoded) return undefined;
  const { event, origin } = read.decoded;
  const isOwn = origin.trust === 'deployment' || origin.trust === 'workspace';
  if (!isOwn || origin.contract === undefined) return undefined;
  const index = findArgument(read, column);
  const own = listFields(event.inputs, index);
  const fields = own.length > 0 ? own : listFields(event.inputs, undefined);
  return { contract: origin.contract, item: event.name, fields };

  /** @param only the index of one parameter. */
  function listFields(inputs: typeof event.inputs, only: number | undefined): readonly string[] {
    return inputs.flatMap((input, at) => {
      if (isHashed(input) || (only !== undefined && only !== at)) return [];
      return listIntegers([{ ...input, name: input.name || String(at) }]);
    });
  }
}
