import {
  type AbiParameter,
  type AbiValue,
  type Candidate,
  type DecodedEvent,
  describeUndecoded,
  getDeclaredUnit,
  getUnit,
  isHashed,
  type Log,
  type Origin,
  resolveUnit,
} from '../../../core/index.ts';
import { formatOriginLabel } from '../../../host/formatting.ts';
import { type Localizer, localize } from '../../../host/l10n.ts';
import type { LogDecoding } from '../../../host/logDecoding.ts';
import { type ExplorerPage, getExplorerLink } from '../../../host/session/networks.ts';
import type { WireMeaning, WireValue } from '../protocol/snapshot.ts';
import {
  type DecodedRow,
  formatExactRowValue,
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
  format: ValueFormat,
  { canOpen }: Pick<LogDecoding, 'canOpen'>,
): WireMeaning {
  if ('reason' in decoded) {
    const { reason } = decoded;
    const may =
      reason.code === 'version' ? reason.events.slice(0, MAX_OTHER_MEANINGS).map(formatDeclaration) : [];
    return { reason: localize(describeUndecoded(reason), format.l10n), may };
  }
  const { event, origin, others } = decoded;
  return {
    event: event.name,
    signature: formatDeclaration(event),
    values: toWireValues({ log, decoded }, decoded, format),
    knownFrom: format.l10n.t('Source: {0}', formatOriginLabel(origin, format.l10n)),
    version: formatVersion(decoded, format.l10n),
    others: others.slice(0, MAX_OTHER_MEANINGS).map((one) => formatCandidate(one, format.l10n)),
    declaration: canOpen(origin) ? getOriginPlace(origin) : undefined,
  };
}

function formatDeclaration({ name, inputs, anonymous }: DecodedEvent['event']): string {
  const parameters = inputs.map((input) =>
    [input.type.text, input.indexed ? 'indexed' : '', input.name].filter(Boolean).join(' '),
  );
  return `${name}(${parameters.join(', ')})${anonymous ? ' anonymous' : ''}`;
}

function formatCandidate({ item, origin }: Candidate<DecodedEvent['event']>, l10n: Localizer): string {
  return l10n.t('{0} ({1})', formatDeclaration(item), formatOriginLabel(origin, l10n));
}

function getOriginPlace({ from, line, verified, contract }: Origin): string {
  if (verified) return contract ?? from;
  const file = from.slice(from.lastIndexOf('/') + 1);
  return line === undefined ? file : `${file}:${line}`;
}

function toWireValues(
  { log }: DecodedRow,
  { event, values }: DecodedEvent,
  format: ValueFormat,
): readonly WireValue[] {
  const { l10n } = format;
  const budget = { parts: MAX_PARTS };
  return event.inputs.map((input, index): WireValue => {
    const value = values[index] ?? '';
    const type = input.indexed ? `${input.type.text} indexed` : input.type.text;
    if (isHashed(input)) {
      const note = l10n.t('Only the hash of an indexed {0} is stored on the chain.', input.type.text);
      const text = l10n.t('hash {0}', String(value));
      return { name: input.name, type, text, copy: String(value), note, parts: undefined };
    }
    const units = resolveUnit(getUnit(event, index, log.address), format.unitsOf);
    if (units === undefined || typeof value !== 'bigint') {
      return { ...toWireValue(input, value, { format, budget }), type };
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
interface PartBudget {
  parts: number;
}

function toWireValue(
  { name, type }: AbiParameter,
  value: AbiValue,
  context: { readonly format: ValueFormat; readonly budget: PartBudget },
): WireValue {
  const { format, budget } = context;
  const copy = formatExactRowValue(type, value);
  const named = type.kind === 'address' ? format.nameOf(copy.toLowerCase() as `0x${string}`) : undefined;
  const isAmount = resolveUnit(getDeclaredUnit(type), format.unitsOf) !== undefined;
  const note = named === undefined && !isAmount ? undefined : copy;
  const text =
    named ?? (type.kind === 'address' ? copy : formatRowValue(type, value, format)).slice(0, MAX_VALUE_CHARS);
  return {
    name,
    type: type.text,
    text,
    copy,
    note,
    parts: toWireParts({ name, type }, value, { format, budget }),
  };
}

function toWireParts(
  { type }: AbiParameter,
  value: AbiValue,
  context: { readonly format: ValueFormat; readonly budget: PartBudget },
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
    if (context.budget.parts <= 0) break;
    context.budget.parts--;
    parts.push(toWireValue(member, value[index] ?? '', context));
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
