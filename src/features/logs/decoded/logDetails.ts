import {
  type AbiParameter,
  type AbiValue,
  type Candidate,
  type DecodedEvent,
  isAmount,
  isHashed,
  type Log,
  type Origin,
} from '../../../core/index.ts';
import { formatOriginLabel } from '../../../host/formatting.ts';
import type { Localizer } from '../../../host/l10n.ts';
import type { LogDecoding } from '../../../host/logDecoding.ts';
import { type ExplorerPage, getExplorerLink } from '../../../host/session/networks.ts';
import type { WireMeaning, WireValue } from '../protocol/snapshot.ts';
import {
  type DecodedRow,
  formatExactRowValue,
  formatRawReason,
  formatRowValue,
  formatTokenAmount,
  formatVersion,
  type ValueFormat,
} from './cells.ts';

/** Parts of values in the details; an array may have thousands. */
const MAX_PARTS = 500;
const MAX_OTHER_MEANINGS = 10;
/** Characters of a value that are shown. Copying takes all of them, up to the message limit. */
const MAX_VALUE_CHARS = 10_000;

export function toWireMeaning(
  { log, decoded }: DecodedRow,
  wording: ValueFormat,
  { canOpen }: Pick<LogDecoding, 'canOpen'>,
): WireMeaning {
  if ('reason' in decoded) {
    const { reason } = decoded;
    const may =
      reason.code === 'version' ? reason.events.slice(0, MAX_OTHER_MEANINGS).map(declarationOf) : [];
    return { reason: formatRawReason(reason, wording.l10n), may };
  }
  const { event, origin, others } = decoded;
  return {
    event: event.name,
    signature: declarationOf(event),
    values: wireValues({ log, decoded }, decoded, wording),
    knownFrom: wording.l10n.t('Known from: {0}', formatOriginLabel(origin, wording.l10n)),
    version: formatVersion(decoded, wording.l10n),
    others: others.slice(0, MAX_OTHER_MEANINGS).map((one) => formatOtherMeanings(one, wording.l10n)),
    declaration: canOpen(origin) ? getOriginPlace(origin) : undefined,
  };
}

function declarationOf({ name, inputs, anonymous }: DecodedEvent['event']): string {
  const parameters = inputs.map((input) =>
    [input.type.text, input.indexed ? 'indexed' : '', input.name].filter(Boolean).join(' '),
  );
  return `${name}(${parameters.join(', ')})${anonymous ? ' anonymous' : ''}`;
}

function formatOtherMeanings({ item, origin }: Candidate<DecodedEvent['event']>, l10n: Localizer): string {
  return l10n.t('{0} ({1})', declarationOf(item), formatOriginLabel(origin, l10n));
}

function getOriginPlace({ from, line, verified, contract }: Origin): string {
  if (verified) return contract ?? from;
  const file = from.slice(from.lastIndexOf('/') + 1);
  return line === undefined ? file : `${file}:${line}`;
}

function wireValues(
  { log }: DecodedRow,
  { event, values }: DecodedEvent,
  wording: ValueFormat,
): readonly WireValue[] {
  const { l10n } = wording;
  const room = { parts: MAX_PARTS };
  return event.inputs.map((input, index): WireValue => {
    const value = values[index] ?? '';
    const type = input.indexed ? `${input.type.text} indexed` : input.type.text;
    if (isHashed(input)) {
      const note = l10n.t('Only the hash of an indexed {0} is on the chain.', input.type.text);
      const text = l10n.t('hash {0}', String(value));
      return { name: input.name, type, text, copy: String(value), note, parts: undefined };
    }
    const units = isAmount(event, index) ? wording.unitsOf(log.address) : undefined;
    if (units === undefined || typeof value !== 'bigint') {
      return { ...wireValue(input, value, { wording, room }), type };
    }
    const copy = value.toString();
    return {
      name: input.name,
      type,
      text: formatTokenAmount({ event, value }, units, l10n),
      copy,
      note: copy,
      parts: undefined,
    };
  });
}

/** The parts left of {@link MAX_PARTS}. */
interface Room {
  parts: number;
}

function wireValue(
  { name, type }: AbiParameter,
  value: AbiValue,
  made: { readonly wording: ValueFormat; readonly room: Room },
): WireValue {
  const { wording, room } = made;
  const copy = formatExactRowValue(type, value);
  const named = type.kind === 'address' ? wording.nameOf(copy.toLowerCase() as `0x${string}`) : undefined;
  const note = named === undefined ? undefined : copy;
  const text =
    named ??
    (type.kind === 'address' ? copy : formatRowValue(type, value, wording)).slice(0, MAX_VALUE_CHARS);
  return {
    name,
    type: type.text,
    text,
    copy,
    note,
    parts: partsOf({ name, type }, value, { wording, room }),
  };
}

function partsOf(
  { type }: AbiParameter,
  value: AbiValue,
  made: { readonly wording: ValueFormat; readonly room: Room },
): readonly WireValue[] | undefined {
  if (typeof value !== 'object') return undefined;
  const members =
    type.kind === 'tuple'
      ? type.members
      : type.kind === 'array'
        ? value.map((_, index) => ({ name: `[${index}]`, type: type.item }))
        : [];
  const parts: WireValue[] = [];
  for (const [index, member] of members.entries()) {
    if (made.room.parts <= 0) break;
    made.room.parts--;
    parts.push(wireValue(member, value[index] ?? '', made));
  }
  return parts;
}

export function getLogLink(
  explorerUrl: string | undefined,
  page: ExplorerPage,
  log: Log,
): string | undefined {
  switch (page) {
    case 'transaction':
      return getExplorerLink(explorerUrl, page, log.transactionHash);
    case 'address':
      return getExplorerLink(explorerUrl, page, log.address);
    case 'block':
      return getExplorerLink(explorerUrl, page, log.blockNumber);
  }
}
