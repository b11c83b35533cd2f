import {
  type AbiLookup,
  type DecodedLog,
  describeNoMeaning,
  describeUndecoded,
  explainHex,
  findWordPreimage,
  formatAbiItem,
  getUnit,
  groupDigits,
  type Hex,
  isHashed,
  type LogDecoder,
  MAX_HEX_DIGITS,
  parseAttribution,
  type RepeatedCall,
  resolveUnit,
  type TimeSlices,
  toChecksumAddress,
  ZERO_ADDRESS,
} from '../../core/index.ts';
import { formatOriginLabel } from '../../host/formatting.ts';
import { type Localizer, localize } from '../../host/l10n.ts';
import { isPlainWord } from '../../host/places/hashContext.ts';
import type { TextLine } from '../../host/ui/readOnlyDocuments.ts';
import type { HexItem, HexItems, LogItem } from './findItems.ts';
import {
  formatAttribution,
  formatOriginLine,
  getParameterName,
  type LineWriter,
  type MeaningFormat,
  resolveLikelyWords,
  writeMeaning,
  writeValue,
} from './formatMeaning.ts';
import { callToJson } from './shownKey.ts';

/** What hex and logs are decoded and formatted with. */
export interface DecodingContext {
  readonly lookup: AbiLookup;
  /** For the active network. */
  readonly decoder: LogDecoder;
  readonly format: MeaningFormat;
  /** The first lines: the origin of the input. */
  readonly intro: readonly string[];
  /** A call in the text, which the active network can simulate. */
  readonly call?: RepeatedCall | undefined;
  readonly networkName?: string;
  readonly chainId: number;
  /** What to do if nothing matches. */
  readonly help: string | undefined;
  readonly slices: TimeSlices;
}

/** Characters of the hex itself that are shown. */
const MAX_SHOWN_CHARS = 140;
const WORD_DIGITS = 66;

/** The document for the hex strings of a text. */
export async function createHexDocument(
  { items, left }: HexItems,
  decoding: DecodingContext,
): Promise<readonly TextLine[]> {
  const { format, slices } = decoding;
  const lines = [...startLines(decoding), ...createCallLines(decoding)];
  for (const item of items) {
    lines.push({ level: 0, text: formatItem(item, format), style: 'muted' });
    writeHex(item.hex as Hex, lines, decoding);
    lines.push({ level: 0, text: '' });
    if (slices.isOver()) await slices.rest();
  }
  if (left > 0) lines.push({ level: 0, text: format.l10n.t('{0} more not decoded', left) });
  return lines;
}

/** The document for the logs of a text. */
export async function createLogsDocument(
  logs: readonly LogItem[],
  decoding: DecodingContext,
): Promise<readonly TextLine[]> {
  const { format, slices, decoder, help } = decoding;
  const lines = startLines(decoding);
  for (const log of logs) {
    const decoded = decoder.decode({ ...log, address: log.address ?? ZERO_ADDRESS });
    writeLog(log, decoded, { lines, format, level: 0 });
    if ('reason' in decoded && help !== undefined) lines.push({ level: 1, text: help });
    lines.push({ level: 0, text: '' });
    if (slices.isOver()) await slices.rest();
  }
  return lines;
}

/** A call of which the text tells that it failed is not mined, but can be run. */
function createCallLines({ call, networkName = '', format }: DecodingContext): readonly TextLine[] {
  if (!call?.to) return [];
  const { l10n } = format;
  const name = format.nameOf(call.to);
  const target = toChecksumAddress(call.to);
  const text = l10n.t('Simulate it at the latest block of {0}', networkName);
  const command = { id: 'chainside.simulateCall', title: text, argument: callToJson(call) } as const;
  return [
    {
      level: 0,
      text: l10n.t('Call of {0}', name === undefined ? target : `${name} (${target})`),
      style: 'heading',
    },
    { level: 1, text, command },
    { level: 0, text: '' },
  ];
}

function startLines({ intro }: DecodingContext): TextLine[] {
  return [...intro, ''].map((text) => ({ level: 0, text }));
}

function formatItem({ hex, line, count, isCut }: HexItem, { l10n }: MeaningFormat): string {
  const digits = hex.length - 2;
  const isShortened = hex.length > MAX_SHOWN_CHARS;
  const shown = isShortened ? `${hex.slice(0, MAX_SHOWN_CHARS / 2)}…${hex.slice(-MAX_SHOWN_CHARS / 4)}` : hex;
  const parts = [
    line === undefined ? undefined : l10n.t('line {0}', line),
    count > 1 ? l10n.t('{0} times', count) : undefined,
    formatLength(digits, l10n),
    isCut ? l10n.t('truncated in the text') : undefined,
    shown,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

function formatLength(digits: number, l10n: Localizer): string {
  if (digits % 2 === 0) return digits === 2 ? l10n.t('1 byte') : l10n.t('{0} bytes', groupDigits(digits / 2));
  return digits === 1 ? l10n.t('1 digit') : l10n.t('{0} digits', digits);
}

function writeHex(
  hex: Hex,
  lines: TextLine[],
  { lookup, format, help, call, chainId }: DecodingContext,
): void {
  const constant = hex.length === WORD_DIGITS ? findWordPreimage(hex) : undefined;
  if (constant !== undefined) lines.push({ level: 1, text: constant });
  const at = call?.to && { address: call.to, chainId };
  const all = explainHex(hex, { lookup, at }).map(resolveLikelyWords);
  const isNamed = constant !== undefined || all.some((meaning) => 'item' in meaning);
  // A recognized constant is not shown as a number.
  const meanings = isNamed ? all.filter(({ kind }) => kind !== 'word') : all;
  const isWord = meanings.length === 1 && meanings[0]?.kind === 'word';
  if (isWord && !isPlainWord(BigInt(hex))) {
    lines.push({ level: 1, text: format.l10n.t('May be the hash of a transaction or block') });
  }
  for (const meaning of meanings) writeMeaning(meaning, { lines, format, level: 1 });
  if (isNamed || meanings.length > 0) return;
  lines.push({ level: 1, text: localize(describeNoMeaning(hex), format.l10n) });
  const attribution = parseAttribution(hex);
  if (attribution) lines.push({ level: 1, text: formatAttribution(attribution, format.l10n) });
  if (help !== undefined && mayStartWithSelector(hex)) lines.push({ level: 1, text: help });
}

/** Whether a contract's ABI could help: not for odd digits, an address, or plain words. */
function mayStartWithSelector(hex: string): boolean {
  const digits = hex.length - 2;
  const isWhole = digits >= 8 && digits % 2 === 0 && digits <= MAX_HEX_DIGITS;
  return isWhole && digits !== 40 && digits % 64 !== 0;
}

/** A log by its event, or why it is not decoded. */
export function writeLog(log: LogItem, decoded: DecodedLog, to: LineWriter): void {
  const { lines, format, level } = to;
  const { l10n } = format;
  const emitter = log.address && [format.nameOf(log.address), toChecksumAddress(log.address)];
  const by = emitter?.filter((part) => part !== undefined).join(' ');
  const heading = by === undefined ? l10n.t('Log') : l10n.t('Log from {0}', by);
  lines.push({ level, text: heading });
  if ('reason' in decoded) {
    lines.push({ level: level + 1, text: localize(describeUndecoded(decoded.reason), l10n) });
    return;
  }
  const { event, values, origin, others } = decoded;
  lines.push({ level: level + 1, text: formatAbiItem(event), style: 'heading' });
  const originLine = formatOriginLine(origin, l10n);
  lines.push({ level: level + 2, text: originLine, place: format.placeOf(origin), style: 'muted' });
  for (const [index, input] of event.inputs.entries()) {
    const inner = { ...to, level: level + 2 };
    const name = getParameterName(input, index);
    const value = values[index] ?? '';
    if (isHashed(input)) {
      const text = l10n.t('the log has only its hash: {0}', String(value));
      lines.push({ level: level + 2, text: `${name} ${input.type.text}, ${text}` });
    } else {
      const unit = log.address && getUnit(event, index, log.address);
      const units = unit && format.unitsOf && resolveUnit(unit, format.unitsOf);
      writeValue({ ...input, name, value, units }, inner);
    }
  }
  for (const other of others) {
    const text = l10n.t(
      'may also be {0} ({1})',
      formatAbiItem(other.item),
      formatOriginLabel(other.origin, l10n),
    );
    lines.push({ level: level + 2, text });
  }
}
