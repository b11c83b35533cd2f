import {
  type AbiEvent,
  type Address,
  type Clock,
  createTimeSlices,
  type FormField,
  formatArgumentMembers,
  formatShortAddress,
  getFieldText,
  type LogFilter,
  listEventArguments,
  type Message,
  parseAddress,
  parseDeclaredEvent,
  type QueryForm,
  sanitizeText,
  splitList,
  toChecksumAddress,
  type Verdict,
  withFieldText,
} from '../../../core/index.ts';
import type { KnownEvent } from '../../../host/contracts/knownEvents.ts';
import { type Language, type Localizer, localize } from '../../../host/l10n.ts';
import type { KnownAddresses } from '../form/readForm.ts';
import type { EmptyOffer, EmptyReason, EmptyRows } from '../protocol/snapshot.ts';
import type { LogResults } from './logResults.ts';
import {
  type EventDifference,
  findContractWithoutEvent,
  findNearestEvents,
  type NearestEvents,
} from './nearestEvents.ts';
import type { RowView } from './rowView.ts';

interface ExecutedForm {
  readonly form: QueryForm;
  readonly filter: LogFilter;
  /** The query's one event, if it has one and it is known. */
  readonly event: AbiEvent | undefined;
}

/** A complete result without rows. */
interface EmptyResult extends ExecutedForm {
  readonly verdict: Pick<Verdict, 'fromBlock' | 'toBlock' | 'head'>;
  readonly network: string;
}

interface EmptyKnowledge extends KnownAddresses, EventFindings {}

/** Empty while the search runs. */
export interface EventFindings {
  /** Known events that may be meant instead. */
  readonly near?: NearestEvents | undefined;
  /** The contract whose ABI has no such event. */
  readonly contractWithoutEvent?: string | undefined;
}

const MAX_NARROWINGS = 3;
const MAX_EVENT_CHARS = 120;

/**
 * Why a query may have found nothing, the likeliest first, and what to try. Unknown reasons are left out.
 */
export function explainEmptyResult(
  result: EmptyResult,
  knowledge: EmptyKnowledge,
  language: Language,
): EmptyRows {
  const { l10n, locale } = language;
  const { fromBlock, toBlock, head } = result.verdict;
  const number = (value: bigint) => value.toLocaleString(locale);
  if (fromBlock > head) {
    return {
      title: l10n.t('Range not reached yet'),
      detail: l10n.t('Latest block of {0}: {1}', result.network, number(head)),
      reasons: [
        {
          text: l10n.t('The range starts at block {0}.', number(fromBlock)),
          offers: offerAllBlocks(result, l10n),
        },
      ],
    };
  }
  const range = fromBlock === toBlock ? number(fromBlock) : `${number(fromBlock)}–${number(toBlock)}`;
  return {
    title: l10n.t('No logs match'),
    detail: l10n.t('{0}, blocks {1}', result.network, range),
    reasons: [
      explainOtherChain(knowledge, l10n),
      explainMissing(result, knowledge, l10n),
      explainEvent(result, knowledge, l10n),
      explainDeployment(result, knowledge, language),
      explainNarrowings(result, knowledge, l10n),
      explainContract(result, knowledge, l10n),
      explainRange(result, knowledge, language),
    ].filter((reason) => reason !== undefined),
  };
}

type MaybeReason = EmptyReason | undefined;

function explainOtherChain({ elsewhere }: EmptyKnowledge, l10n: Localizer): MaybeReason {
  if (!elsewhere) return undefined;
  const { message, chainId, chain } = elsewhere;
  return { text: message, offers: [{ label: l10n.t('Run on {0}', chain), chainId }] };
}

/** A local node that was restarted, or belongs to another project, has the same chain ID. */
function explainMissing(
  { filter, network }: EmptyResult,
  { isMissing, nameOf }: EmptyKnowledge,
  l10n: Localizer,
): MaybeReason {
  const missing = filter.addresses.find((address) => isMissing?.(address));
  if (!missing) return undefined;
  const name = formatAddress(missing, nameOf);
  return {
    text: l10n.t('{0} is not on this node: {1} has no code at its address.', name, network),
    offers: [],
  };
}

function explainEvent({ form }: EmptyResult, { near }: EmptyKnowledge, l10n: Localizer): MaybeReason {
  if (!near) return undefined;
  const name = getEventName(form);
  const offers = near.declared.map((declared): EmptyOffer => {
    const label = declared.length > MAX_EVENT_CHARS ? `${declared.slice(0, MAX_EVENT_CHARS)}…` : declared;
    return { label, form: withFieldText(form, 'event', declared) };
  });
  return { text: formatDifference(near.differ, name, l10n), offers };
}

function formatDifference(differ: EventDifference, name: string, l10n: Localizer): string {
  switch (differ) {
    case 'name':
      return l10n.t('Unknown event: {0}. Did you mean:', name);
    case 'types':
      return l10n.t('A known {0} has different parameter types:', name);
    case 'indexed':
      return l10n.t('A known {0} has different indexed parameters:', name);
  }
}

/** If all contracts were deployed after the range. */
function explainDeployment(
  { form, filter, verdict }: EmptyResult,
  { findDeployment, createdAt, nameOf }: EmptyKnowledge,
  { l10n, locale }: Language,
): MaybeReason {
  const deployed = filter.addresses.map((address) => ({
    address,
    block: findDeployment(address)?.block ?? createdAt?.(address)?.block,
  }));
  const [first, ...others] = deployed.toSorted((a, b) => Number((a.block ?? 0n) - (b.block ?? 0n)));
  if (first?.block === undefined || first.block <= verdict.toBlock) return undefined;
  const block = first.block.toLocaleString(locale);
  const name = formatAddress(first.address, nameOf);
  const text =
    others.length === 0
      ? l10n.t('{0} was deployed in block {1}, after this range.', name, block)
      : l10n.t('The first contract, {0}, was deployed in block {1}, after this range.', name, block);
  const later = withFieldText(withFieldText(form, 'fromBlock', first.block.toString()), 'toBlock', '');
  return { text, offers: [{ label: l10n.t('Run from Block {0}', block), form: later }] };
}

function explainNarrowings(
  { form, event }: EmptyResult,
  { nameOf }: EmptyKnowledge,
  l10n: Localizer,
): MaybeReason {
  const found = findNarrowings(form);
  if (found.length === 0) return undefined;
  const formatName = (name: string | number) =>
    typeof name === 'number' ? l10n.t('topic {0}', String(name)) : name;
  const parts = found.map(({ name, position, value }) => {
    const values = formatArgumentMembers(event, position, splitList(value));
    return `${formatName(name)} = ${formatValues(values, nameOf)}`;
  });
  const single = found.slice(0, MAX_NARROWINGS).map(({ name, without }) => ({
    label: l10n.t('Run Without {0}', formatName(name)),
    form: without,
  }));
  const all = { label: l10n.t('Run Without Any of These'), form: clearTopics(form) };
  return {
    text: l10n.t('Filtered by {0}', parts.join(', ')),
    offers: found.length > 1 ? [...single, all] : single,
  };
}

/** A name or a topic0. */
function getEventName({ event }: QueryForm): string {
  return sanitizeText(/^(?:event\s+)?([\w$]+)/.exec(event.trim())?.[1] ?? '', 80);
}

/** Offers all events of the contract. */
function explainContract(
  { form, filter }: EmptyResult,
  knowledge: EmptyKnowledge,
  l10n: Localizer,
): MaybeReason {
  const { nameOf, contractWithoutEvent } = knowledge;
  const [address, ...others] = filter.addresses;
  if (!address || form.event.trim() === '') return undefined;
  const name = formatAddress(address, nameOf);
  const owner = others.length === 0 ? name : l10n.t('{0} and {1} more', name, others.length);
  const typed = getEventName(form);
  const event = typed.startsWith('0x') ? formatShortAddress(typed) : typed;
  return {
    text:
      contractWithoutEvent === undefined
        ? l10n.t('The query is limited to the event {0} of {1}.', event, owner)
        : l10n.t('The ABI of {0} has no event {1}.', sanitizeText(contractWithoutEvent, 64), event),
    offers: [{ label: l10n.t('Run for All Events'), form: withFieldText(clearTopics(form), 'event', '') }],
  };
}

function explainRange(result: EmptyResult, knowledge: EmptyKnowledge, language: Language): MaybeReason {
  const { l10n, locale } = language;
  const offers = explainDeployment(result, knowledge, language) ? [] : offerAllBlocks(result, l10n);
  if (offers.length === 0) return undefined;
  const head = result.verdict.head.toLocaleString(locale);
  return { text: l10n.t('The range does not include all blocks. Latest block: {0}', head), offers };
}

function offerAllBlocks({ form, verdict }: EmptyResult, l10n: Localizer): readonly EmptyOffer[] {
  const isFromFirst = form.fromBlock.trim() === '' || verdict.fromBlock === 0n;
  if (isFromFirst && verdict.toBlock === verdict.head) return [];
  const all = withFieldText(withFieldText(form, 'fromBlock', ''), 'toBlock', '');
  return [{ label: l10n.t('Run for All Blocks'), form: all }];
}

/** A field that excludes logs, and the form without it. */
interface Narrowing {
  readonly field: FormField;
  /** The parameter name, or the topic position. */
  readonly name: string | number;
  readonly position: number;
  readonly value: string;
  readonly without: QueryForm;
}

const MAX_VALUE_CHARS = 48;

/** The arguments and topics of a form. */
function findNarrowings(form: QueryForm): readonly Narrowing[] {
  const event = parseDeclaredEvent(form.event);
  const fields = event ? listEventArguments(event) : [];
  const found: readonly (readonly [FormField, string | number, number])[] = [
    ...fields.map(({ key, position }) => [`args.${key}`, key, position] as const),
    ...([1, 2, 3] as const).map((position) => [`topic${position}`, position, position] as const),
  ];
  return found.flatMap(([field, name, position]) => {
    const value = getFieldText(form, field).trim();
    return value === '' ? [] : [{ field, name, position, value, without: withFieldText(form, field, '') }];
  });
}

function clearTopics(form: QueryForm): QueryForm {
  return findNarrowings(form).reduce((less, { field }) => withFieldText(less, field, ''), form);
}

/** Values with the names of addresses. */
function formatValues(values: readonly string[], nameOf: KnownAddresses['nameOf']): string {
  const named = values.map((value) => {
    const address = parseAddress(value);
    return address ? formatAddress(address, nameOf) : value;
  });
  const text = sanitizeText(named.join(', '), MAX_VALUE_CHARS + 1);
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
}

function formatAddress(address: Address, nameOf: KnownAddresses['nameOf']): string {
  return nameOf(address) ?? formatShortAddress(toChecksumAddress(address));
}

type Findings = EventFindings & Partial<Pick<KnownAddresses, 'elsewhere'>>;

interface EmptyResultDeps {
  readonly results: Pick<LogResults, 'resultId' | 'loading' | 'error' | 'verdict' | 'sequence' | 'network'>;
  readonly rows: Pick<RowView, 'length' | 'shown' | 'requested' | 'isWorking'>;
  /** `version` increases when the knowledge changes. */
  readonly help: {
    readonly version: number;
    listEvents(form: QueryForm): Promise<readonly KnownEvent[]>;
    getKnownAddresses(form: QueryForm): KnownAddresses;
    findVerifiedElsewhere(form: QueryForm): Promise<KnownAddresses['elsewhere']>;
  };
  /** Why conditions of a row filter can match nothing. */
  readonly explainFilter: (filter: string) => readonly Message[];
  readonly clock: Clock;
  readonly onDidChange: () => void;
}

/** What a panel shows in place of rows. */
export class EmptyResultView {
  readonly #deps: EmptyResultDeps;
  /** The result and the version of knowledge that the search ran for: it runs once for each. */
  #searched: string | undefined;
  #found: Findings = {};

  constructor(deps: EmptyResultDeps) {
    this.#deps = deps;
  }

  /** Undefined if there are rows, or may be. */
  describe(executed: ExecutedForm | undefined, language: Language): EmptyRows | undefined {
    const { results, rows, help } = this.#deps;
    const { verdict, network, loading, error } = results;
    if (results.sequence.count > 0) return this.#describeFilter(language);
    if (!executed || !verdict || !network || loading || error !== undefined || rows.length > 0)
      return undefined;
    const isAbove = verdict.fromBlock > verdict.head;
    if (verdict.state !== 'complete' && verdict.state !== 'unreached') return undefined;
    if (!isAbove) this.#startSearch(executed.form);
    return explainEmptyResult(
      { ...executed, verdict, network: network.name },
      { ...help.getKnownAddresses(executed.form), ...this.#found },
      language,
    );
  }

  #describeFilter({ l10n, locale }: Language): EmptyRows | undefined {
    const { rows, results, explainFilter: explain } = this.#deps;
    const { length, shown, requested, isWorking } = rows;
    if (length > 0 || isWorking || shown !== requested || shown.filter.trim() === '') return undefined;
    const loaded = results.sequence.count.toLocaleString(locale);
    const problems = explain(shown.filter).map((problem) => localize(problem, l10n));
    const texts = problems.length > 0 ? problems : [''];
    return {
      title: l10n.t('No rows match the filter'),
      detail: l10n.t('{0} loaded', loaded),
      reasons: texts.map((text, index) => ({
        text,
        offers: index < texts.length - 1 ? [] : [{ label: l10n.t('Clear Filter') }],
      })),
    };
  }

  #startSearch(form: QueryForm): void {
    const { results, help } = this.#deps;
    const state = `${results.resultId} ${help.version}`;
    if (this.#searched === state) return;
    if (!this.#searched?.startsWith(results.resultId)) this.#found = {};
    this.#searched = state;
    void this.#search(form, state);
  }

  async #search(form: QueryForm, state: string): Promise<void> {
    const { help, clock } = this.#deps;
    const events = await help.listEvents(form);
    const near = await findNearestEvents(form.event, events, createTimeSlices(clock));
    if (this.#searched !== state) return;
    const { elsewhere: before } = this.#found;
    this.#setFindings({
      near,
      contractWithoutEvent: findContractWithoutEvent(form.event, events),
      ...(before && { elsewhere: before }),
    });
    const elsewhere = await help.findVerifiedElsewhere(form);
    if (this.#searched === state && elsewhere) this.#setFindings({ ...this.#found, elsewhere });
  }

  #setFindings(found: Findings): void {
    const isSame = JSON.stringify(found) === JSON.stringify(this.#found);
    this.#found = found;
    if (!isSame) this.#deps.onDidChange();
  }
}
