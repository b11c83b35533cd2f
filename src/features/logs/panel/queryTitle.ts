import {
  type AbiEvent,
  type Address,
  type BlockTag,
  formatArgumentMembers,
  formatShortAddress,
  type Hex,
  type LogFilter,
  listEventArguments,
  parseAddress,
  parseDeclaredEvent,
  type QueryForm,
  sanitizeText,
  splitValues,
  toChecksumAddress,
  type Verdict,
} from '../../../core/index.ts';
import type { Language, Localizer } from '../../../host/l10n.ts';
import type { QueryPart } from '../protocol/snapshot.ts';

/** A query as typed, its filter, and what is known about both. */
export interface QueryToDescribe {
  readonly form: QueryForm;
  readonly filter: LogFilter;
  /** The query's one event, if it has one and it is known. */
  readonly event: AbiEvent | undefined;
  readonly nameOf: (address: Address) => string | undefined;
}

/** Characters of a tab title that stay readable next to other tabs. */
const MAX_TITLE_CHARS = 40;

/** A short tab title: *HUSD Transfer to Treasury*, *Transfer · 0x5FbD…0aa3*. */
export function formatPanelTitle(query: QueryToDescribe | undefined, l10n: Localizer): string {
  if (!query) return l10n.t('Logs');
  const { addresses, event, values } = describeLogQuery(query);
  const [first] = addresses.first;
  const plus = (count: number) => (count > 1 ? ` +${count - 1}` : '');
  const name = first?.name === undefined ? undefined : first.name + plus(addresses.count);
  const short = first && first.name === undefined ? first.short + plus(addresses.count) : undefined;
  const valueTexts = values.map((value) => {
    const which = value.name ?? l10n.t('topic {0}', value.position);
    return `${which} ${value.first[0]?.text ?? ''}${plus(value.count)}`;
  });
  const parts = [name, event?.text ?? l10n.t('Logs'), ...valueTexts].filter((part) => part !== undefined);
  return cutTitle([parts.join(' '), short].filter((part) => part !== undefined).join(' · '));
}

function cutTitle(title: string): string {
  return title.length <= MAX_TITLE_CHARS ? title : `${title.slice(0, MAX_TITLE_CHARS - 1).trimEnd()}…`;
}

/** The chosen block range: *0–100*; empty for all blocks. */
export function formatRangeTitle({ fromBlock, toBlock }: LogFilter, l10n: Localizer): string {
  if (fromBlock === 'earliest' && toBlock === 'latest') return '';
  const block = (tag: BlockTag) =>
    tag === 'earliest' ? '0' : tag === 'latest' ? l10n.t('latest') : tag.toString();
  return `${block(fromBlock)}–${block(toBlock)}`;
}

/** Further ones are counted. */
const MAX_NAMED_ADDRESSES = 2;

/** The executed query on one line, part by part; with the block numbers of the verdict once it is known. */
export function formatQueryLine(
  query: QueryToDescribe,
  verdict: Pick<Verdict, 'fromBlock' | 'toBlock'> | undefined,
  language: Language,
): readonly QueryPart[] {
  const { l10n } = language;
  const { addresses, event, values } = describeLogQuery(query);
  const named = addresses.first
    .slice(0, MAX_NAMED_ADDRESSES)
    .map(
      ({ name, short, whole }): QueryPart =>
        name === undefined ? { strong: short, hint: whole } : { strong: name, after: short, hint: whole },
    );
  const more = addresses.count - named.length;
  const others = addresses.first.slice(MAX_NAMED_ADDRESSES).map(({ whole }) => whole);
  return [
    ...(addresses.count === 0 ? [{ after: l10n.t('any address') }] : named),
    ...(more > 0 ? [{ after: `+${more}`, hint: listHint(others, more) }] : []),
    event === undefined
      ? { after: l10n.t('any event') }
      : { strong: event.text, after: event.parameters.join(', '), hint: event.whole },
    ...values.map(
      ({ name, position, first, count }): QueryPart => ({
        before: name ?? l10n.t('topic {0}', position),
        strong: formatFirst(first, count),
        hint: listHint(
          first.map(({ whole }) => whole),
          count,
        ),
      }),
    ),
    describeBlocks(query, verdict, language),
    { after: query.form.order === 'newestFirst' ? l10n.t('newest first') : l10n.t('oldest first') },
  ];
}

function formatFirst(values: readonly { readonly text: string }[], count: number): string {
  const others = count - MAX_NAMED_ADDRESSES;
  const named = values
    .slice(0, MAX_NAMED_ADDRESSES)
    .map(({ text }) => text)
    .join(', ');
  return others > 0 ? `${named} +${others}` : named;
}

function listHint(lines: readonly string[], count: number): string {
  return [...lines, ...(count > lines.length ? [`+${count - lines.length}`] : [])].join('\n');
}

function describeBlocks(
  { filter }: QueryToDescribe,
  verdict: Pick<Verdict, 'fromBlock' | 'toBlock'> | undefined,
  { l10n, locale }: Language,
): QueryPart {
  // A range above the latest block is cut off at that block.
  const found = verdict && verdict.fromBlock <= verdict.toBlock ? verdict : undefined;
  const range = (from: BlockTag, to: BlockTag) =>
    [from, to].map((tag) => formatBlock(tag, { l10n, locale })).join(' – ');
  const { fromBlock, toBlock } = filter;
  return {
    before: l10n.t('blocks'),
    strong: range(found?.fromBlock ?? fromBlock, found?.toBlock ?? toBlock),
    hint: range(fromBlock, toBlock),
  };
}

function formatBlock(tag: BlockTag, { l10n, locale }: Language): string {
  if (typeof tag === 'bigint') return tag.toLocaleString(locale);
  if (tag === 'earliest') return '0';
  return tag === 'latest' ? l10n.t('latest') : tag;
}

export interface TitledQuery {
  readonly title: string;
  /** The block range, if one was chosen; else empty. */
  readonly range: string;
}

/** Distinct titles: equal ones get their range, and a number if that is equal too. */
export function makeTitlesDistinct(queries: readonly TitledQuery[]): readonly string[] {
  const titles = queries.map(({ title }) => title);
  const ranged = queries.map(({ title, range }) => {
    const isAlone = titles.filter((other) => other === title).length === 1;
    return isAlone || range === '' ? title : `${title} · ${range}`;
  });
  const taken = new Set<string>();
  return ranged.map((title) => {
    let distinct = title;
    for (let number = 2; taken.has(distinct); number++) distinct = `${title} (${number})`;
    taken.add(distinct);
    return distinct;
  });
}

/** A short text, and the full one. */
interface ValueDescription {
  readonly text: string;
  readonly whole: string;
}

/** The first of several values, and how many there are. */
interface Several<T> {
  readonly first: readonly T[];
  readonly count: number;
}

interface QueryDescription {
  readonly addresses: Several<{
    readonly name: string | undefined;
    readonly short: string;
    readonly whole: string;
  }>;
  /** Undefined: any event. */
  readonly event: (ValueDescription & { readonly parameters: readonly string[] }) | undefined;
  /** Named by parameters; `name` is undefined if only the position is known. */
  readonly values: readonly (Several<ValueDescription> & {
    readonly name: string | undefined;
    readonly position: number;
  })[];
}

const MAX_VALUE_CHARS = 28;
/** `TransparentUpgradeableProxy@0x12ab34` keeps its distinct end. */
const MAX_NAME_CHARS = 40;
/** Values that are described of possibly thousands: this runs at each change of the result. */
const MAX_VALUES = 12;
const MAX_FULL_VALUE_CHARS = 400;
const ZEROS = '0'.repeat(24);

function describeLogQuery(query: QueryToDescribe): QueryDescription {
  return { addresses: describeAddresses(query), event: describeEvent(query), values: describeValues(query) };
}

function describeAddresses({ filter, nameOf }: QueryToDescribe): QueryDescription['addresses'] {
  const first = filter.addresses.slice(0, MAX_VALUES).map((address) => {
    const whole = toChecksumAddress(address);
    const name = nameOf(address);
    return { name: name && sanitizeText(name, MAX_NAME_CHARS), short: formatShortAddress(whole), whole };
  });
  return { first, count: filter.addresses.length };
}

function describeEvent({ form, filter, event }: QueryToDescribe): QueryDescription['event'] {
  const [topic0, ...others] = filter.topics[0] ?? [];
  if (topic0 === undefined) return undefined;
  const typed = /^\s*(?:event\s+)?([A-Za-z_$][\w$]*)\s*\(([^)]*)/.exec(form.event);
  const name = typed?.[1] ?? event?.name;
  const text = name === undefined ? formatShortAddress(topic0) : sanitizeText(name, MAX_VALUE_CHARS);
  const more = others.length === 0 ? text : `${text} +${others.length}`;
  const whole = [event?.signature, topic0, ...others.slice(0, MAX_VALUES)]
    .filter((part) => part !== undefined)
    .join('\n');
  const named = (parseDeclaredEvent(form.event) ?? event)?.inputs.map(
    (input) => input.name || input.type.text,
  );
  const types = typed?.[2]?.split(',').map((type) => sanitizeText(type, MAX_VALUE_CHARS)) ?? [];
  return { text: more, whole, parameters: (named ?? types).filter((parameter) => parameter !== '') };
}

function describeValues(query: QueryToDescribe): QueryDescription['values'] {
  const { form, filter } = query;
  const declared = parseDeclaredEvent(form.event) ?? query.event;
  const args = declared ? listEventArguments(declared) : [];
  return [1, 2, 3].flatMap((position) => {
    const topics = filter.topics[position] ?? [];
    if (topics.length === 0) return [];
    const argument = args.find((one) => one.position === position);
    const isAddress = argument?.parameter.type.kind === 'address';
    const typed = argument && Object.hasOwn(form.args, argument.key) ? form.args[argument.key] : undefined;
    const first =
      isAddress || !typed?.trim()
        ? topics.slice(0, MAX_VALUES).map((topic) => describeTopic(topic, isAddress, query))
        : splitValues(typed)
            .slice(0, MAX_VALUES)
            .map((value) => ({
              text: sanitizeText(
                formatArgumentMembers(query.event, position, [value]).join(),
                MAX_VALUE_CHARS,
              ),
              whole: sanitizeText(value, MAX_FULL_VALUE_CHARS),
            }));
    return [
      {
        name: argument && sanitizeText(argument.key, MAX_VALUE_CHARS),
        position,
        first,
        count: topics.length,
      },
    ];
  });
}

function describeTopic(topic: Hex, isAddress: boolean, { nameOf }: QueryToDescribe): ValueDescription {
  const address = isAddress && topic.startsWith(ZEROS, 2) ? parseAddress(`0x${topic.slice(26)}`) : undefined;
  if (!address) return { text: formatShortAddress(topic), whole: topic };
  const whole = toChecksumAddress(address);
  const name = nameOf(address);
  return name === undefined
    ? { text: formatShortAddress(whole), whole }
    : { text: sanitizeText(name, MAX_NAME_CHARS), whole: `${name} ${whole}` };
}
