import {
  formatShortAddress,
  type LogFilter,
  parseAddress,
  type QueryForm,
  sanitizeText,
  type Verdict,
  withFieldText,
} from '../../../core/index.ts';
import type { Language } from '../../../host/words/localizer.ts';
import type { KnownAddresses } from '../form/readForm.ts';
import type { EmptyOffer, EmptyReason, EmptyRows } from '../protocol/emptyRows.ts';
import { narrowings, valueText, withoutTopics } from './narrowing.ts';
import type { EventDifference, NearEvents } from './nearestEvents.ts';

/** A query that was answered in full, without a row. */
export interface EmptyAnswer {
  /** As it was run. */
  readonly form: QueryForm;
  readonly filter: LogFilter;
  readonly verdict: Pick<Verdict, 'fromBlock' | 'toBlock' | 'head'>;
  readonly network: string;
}

/** What is known without asking anybody. */
export interface EmptyKnowledge extends KnownAddresses, FoundEvents {}

/** What is known of events; empty while they are looked for. */
export interface FoundEvents {
  /** Known events that may be meant instead. */
  readonly near?: NearEvents | undefined;
  /** The contract that is asked for, where its ABI has no such event. */
  readonly lacking?: string | undefined;
}

const MOST_NARROWINGS = 3;
const LONGEST_EVENT = 120;

/** Why a query may have found nothing, the likeliest first, and what can be done; what is not known is not said. */
export function emptyRows(answer: EmptyAnswer, known: EmptyKnowledge, language: Language): EmptyRows {
  const { l10n, locale } = language;
  const { fromBlock, toBlock, head } = answer.verdict;
  const number = (value: bigint) => value.toLocaleString(locale);
  if (fromBlock > head) {
    return {
      title: l10n.t('Range not reached yet'),
      detail: l10n.t('Latest block of {0}: {1}', answer.network, number(head)),
      reasons: [
        {
          text: l10n.t('The range begins at block {0}.', number(fromBlock)),
          offers: allBlocks(answer, l10n),
        },
      ],
    };
  }
  const range = fromBlock === toBlock ? number(fromBlock) : `${number(fromBlock)}–${number(toBlock)}`;
  return {
    title: l10n.t('No logs match'),
    detail: l10n.t('{0}, blocks {1}', answer.network, range),
    reasons: [
      elsewhereReason(known, l10n),
      eventReason(answer, known, l10n),
      youngerReason(answer, known, language),
      narrowReason(answer, known, l10n),
      contractReason(answer, known, l10n),
      rangeReason(answer, known, language),
    ].filter((reason) => reason !== undefined),
  };
}

type Words = Language['l10n'];
type MaybeReason = EmptyReason | undefined;

function elsewhereReason({ elsewhere }: EmptyKnowledge, l10n: Words): MaybeReason {
  if (!elsewhere) return undefined;
  const { words, chainId, chain } = elsewhere;
  return { text: words, offers: [{ label: l10n.t('Run on {0}', chain), chainId }] };
}

function eventReason({ form }: EmptyAnswer, { near }: EmptyKnowledge, l10n: Words): MaybeReason {
  if (!near) return undefined;
  const name = nameOfEvent(form);
  const offers = near.declared.map((declared): EmptyOffer => {
    const label = declared.length > LONGEST_EVENT ? `${declared.slice(0, LONGEST_EVENT)}…` : declared;
    return { label, form: withFieldText(form, 'event', declared) };
  });
  return { text: differenceText(near.differ, name, l10n), offers };
}

function differenceText(differ: EventDifference, name: string, l10n: Words): string {
  switch (differ) {
    case 'name':
      return l10n.t('Unknown event: {0}. Did you mean:', name);
    case 'types':
      return l10n.t('{0} is known with other types:', name);
    case 'indexed':
      return l10n.t('{0} is known with other indexed parameters:', name);
  }
}

/** Where all that is asked for was deployed above the range. */
function youngerReason(
  { form, filter, verdict }: EmptyAnswer,
  { deployedAt, createdAt, nameOf }: EmptyKnowledge,
  { l10n, locale }: Language,
): MaybeReason {
  const deployed = filter.addresses.map((address) => ({
    address,
    block: deployedAt(address)?.block ?? createdAt?.(address)?.block,
  }));
  const [first, ...others] = deployed.toSorted((a, b) => Number((a.block ?? 0n) - (b.block ?? 0n)));
  if (first?.block === undefined || first.block <= verdict.toBlock) return undefined;
  const block = first.block.toLocaleString(locale);
  const name = nameOf(first.address) ?? formatShortAddress(first.address);
  const text =
    others.length === 0
      ? l10n.t('{0} was deployed in block {1}, above the range.', name, block)
      : l10n.t('The first of them, {0}, was deployed in block {1}, above the range.', name, block);
  const later = withFieldText(withFieldText(form, 'fromBlock', first.block.toString()), 'toBlock', '');
  return { text, offers: [{ label: l10n.t('Run from block {0}', block), form: later }] };
}

function narrowReason({ form }: EmptyAnswer, { nameOf }: EmptyKnowledge, l10n: Words): MaybeReason {
  const found = narrowings(form);
  if (found.length === 0) return undefined;
  const called = (name: string | number) =>
    typeof name === 'number' ? l10n.t('topic {0}', String(name)) : name;
  const named = (text: string) => {
    const address = parseAddress(text);
    return address && nameOf(address);
  };
  const parts = found.map(({ name, value }) => `${called(name)} = ${valueText(value, named)}`);
  const single = found.slice(0, MOST_NARROWINGS).map(({ name, without }) => ({
    label: l10n.t('Run without {0}', called(name)),
    form: without,
  }));
  const all = { label: l10n.t('Run without all of them'), form: withoutTopics(form) };
  return {
    text: l10n.t('Filtered by {0}', parts.join(', ')),
    offers: found.length > 1 ? [...single, all] : single,
  };
}

/** As it was typed: a name, or a topic0. */
function nameOfEvent({ event }: QueryForm): string {
  return sanitizeText(/^(?:event\s+)?([\w$]+)/.exec(event.trim())?.[1] ?? '', 80);
}

/** Of an event of a contract all other events may be wanted. */
function contractReason({ form, filter }: EmptyAnswer, known: EmptyKnowledge, l10n: Words): MaybeReason {
  const { nameOf, lacking } = known;
  const [address, ...others] = filter.addresses;
  if (!address || form.event.trim() === '') return undefined;
  const name = nameOf(address) ?? formatShortAddress(address);
  const owner = others.length === 0 ? name : l10n.t('{0} and {1} more', name, others.length);
  const typed = nameOfEvent(form);
  const event = typed.startsWith('0x') ? formatShortAddress(typed) : typed;
  return {
    text:
      lacking === undefined
        ? l10n.t('Only {0} of {1} was asked for.', event, owner)
        : l10n.t('The ABI of {0} has no such event: {1}', sanitizeText(lacking, 64), event),
    offers: [{ label: l10n.t('Run for all events'), form: withFieldText(withoutTopics(form), 'event', '') }],
  };
}

function rangeReason(answer: EmptyAnswer, known: EmptyKnowledge, language: Language): MaybeReason {
  const { l10n, locale } = language;
  const offers = youngerReason(answer, known, language) ? [] : allBlocks(answer, l10n);
  if (offers.length === 0) return undefined;
  const head = answer.verdict.head.toLocaleString(locale);
  return { text: l10n.t('Not all blocks were searched. Latest block: {0}', head), offers };
}

function allBlocks({ form, verdict }: EmptyAnswer, l10n: Words): readonly EmptyOffer[] {
  const isFromFirst = form.fromBlock.trim() === '' || verdict.fromBlock === 0n;
  if (isFromFirst && verdict.toBlock === verdict.head) return [];
  const all = withFieldText(withFieldText(form, 'fromBlock', ''), 'toBlock', '');
  return [{ label: l10n.t('Run for all blocks'), form: all }];
}
