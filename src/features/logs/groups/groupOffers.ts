import {
  type AbiEvent,
  type EventParameter,
  getUnit,
  isHashed,
  isNumber,
  type Verdict,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/l10n.ts';
import { formatNumber } from '../../../host/numbers.ts';
import type { GroupChoice, GroupField } from '../protocol/groups.ts';

/** Of events with many parameters. */
const MAX_OFFERS = 60;
const RESERVED = /^(?:address|event|block|day|block:.*|args\..*)$/;

interface GroupOffers {
  readonly fields: readonly GroupField[];
  readonly sums: readonly GroupField[];
}

/** What rows of these events can be grouped by and summed, with what is chosen already. */
export function listGroupOffers(
  events: readonly AbiEvent[],
  { choice, verdict, l10n }: OfferOptions,
): GroupOffers {
  const inputs = events.flatMap((event) => event.inputs).filter(({ name }) => name !== '');
  const fields = [
    ...listParameters(inputs),
    { value: 'address', label: l10n.t('Address') },
    { value: 'event', label: l10n.t('Event') },
    { value: 'day', label: l10n.t('Day (UTC)') },
    { value: 'block', label: l10n.t('Block') },
    ...listBlockRanges(verdict).map((width) => ({
      value: `block:${width}`,
      label: l10n.t('{0} blocks', formatNumber(width)),
    })),
  ];
  const sums = listParameters(inputs.filter(isNumber));
  return { fields: addChosen(fields, choice.by), sums: addChosen(sums, choice.sum ? [choice.sum] : []) };
}

interface OfferOptions {
  readonly choice: GroupChoice;
  readonly verdict: Pick<Verdict, 'fromBlock' | 'toBlock'> | undefined;
  readonly l10n: Localizer;
}

function listParameters(inputs: readonly EventParameter[]): readonly GroupField[] {
  const names = [...new Set(inputs.map(({ name }) => name))].slice(0, MAX_OFFERS);
  return names.map((name) => ({ value: toFieldName(name), label: name }));
}

/** A parameter may be called like a field that every log has. */
function toFieldName(parameter: string): string {
  return RESERVED.test(parameter) ? `args.${parameter}` : parameter;
}

function addChosen(offers: readonly GroupField[], chosen: readonly string[]): readonly GroupField[] {
  const missing = chosen.filter((name) => offers.every(({ value }) => value !== name));
  return [...offers, ...missing.map((name) => ({ value: name, label: name }))];
}

/** Powers of ten, of which the range has at least two. */
function listBlockRanges(verdict: OfferOptions['verdict']): readonly number[] {
  const blocks = verdict ? Number(verdict.toBlock - verdict.fromBlock) + 1 : 0;
  return [10, 100, 1000, 10_000, 100_000, 1_000_000].filter((width) => width * 2 <= blocks);
}

/** Whether an argument counts something that sums mean something of: not percents. */
function isSummable(event: AbiEvent, index: number): boolean {
  const unit = getUnit(event, index, '0x');
  return unit !== undefined && (unit.kind === 'token' || unit.symbol !== '%');
}

/**
 * What a user most likely wants to know: who got how much.
 *
 * @param isFixed whether the query allows only one value of a parameter.
 */
export function suggestGrouping(
  event: AbiEvent | undefined,
  isFixed: (index: number) => boolean,
): GroupChoice {
  if (!event) return { by: ['event'] };
  const { inputs } = event;
  const named = inputs.filter(({ name }) => name !== '');
  const account = inputs.findLast(
    ({ name, type }, index) => name !== '' && type.kind === 'address' && !isFixed(index),
  );
  const other = named.find((input) => !isHashed(input) && input.type.kind !== 'tuple');
  const amount = inputs.find(
    (input, index) => input.name !== '' && isNumber(input) && isSummable(event, index),
  );
  const by = account ?? other;
  return { by: [by ? toFieldName(by.name) : 'event'], ...(amount && { sum: toFieldName(amount.name) }) };
}
