import {
  type AbiEvent,
  type Address,
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
} from '../../../core/index.ts';

/** What a query was written as, what that stands for, and what is known of it. */
export interface AskedQuery {
  readonly form: QueryForm;
  readonly filter: LogFilter;
  /** The one event that is asked for, if it is known. */
  readonly event: AbiEvent | undefined;
  readonly nameOf: (address: Address) => string | undefined;
}

/** Something by a short text, and in full. */
interface Told {
  readonly text: string;
  readonly whole: string;
}

/** The first of several, and how many there are. */
interface Several<T> {
  readonly first: readonly T[];
  readonly count: number;
}

/** What a query asks for, in the words of its answer. */
interface AskedFor {
  readonly addresses: Several<{
    readonly name: string | undefined;
    readonly short: string;
    readonly whole: string;
  }>;
  /** Undefined: any event. */
  readonly event: (Told & { readonly parameters: readonly string[] }) | undefined;
  /** By their names, or undefined where only the position of the topic is known. */
  readonly values: readonly (Several<Told> & {
    readonly name: string | undefined;
    readonly position: number;
  })[];
}

/** Characters of a name or value in a line of several. */
const LONGEST = 28;
/** Of thousands that are asked for, only so many are looked at: this is made at every change of the answer. */
const MOST = 12;
const LONGEST_WHOLE = 400;
const ZEROS = '0'.repeat(24);

export function askedFor(asked: AskedQuery): AskedFor {
  return { addresses: addressesOf(asked), event: eventOf(asked), values: valuesOf(asked) };
}

function addressesOf({ filter, nameOf }: AskedQuery): AskedFor['addresses'] {
  const first = filter.addresses.slice(0, MOST).map((address) => {
    const whole = toChecksumAddress(address);
    const name = nameOf(address);
    return { name: name && sanitizeText(name, LONGEST), short: formatShortAddress(whole), whole };
  });
  return { first, count: filter.addresses.length };
}

function eventOf({ form, filter, event }: AskedQuery): AskedFor['event'] {
  const [topic0, ...others] = filter.topics[0] ?? [];
  if (topic0 === undefined) return undefined;
  const typed = /^\s*(?:event\s+)?([A-Za-z_$][\w$]*)\s*\(([^)]*)/.exec(form.event);
  const name = typed?.[1] ?? event?.name;
  const text = name === undefined ? formatShortAddress(topic0) : sanitizeText(name, LONGEST);
  const more = others.length === 0 ? text : `${text} +${others.length}`;
  const whole = [event?.signature, topic0, ...others.slice(0, MOST)]
    .filter((part) => part !== undefined)
    .join('\n');
  const named = (parseDeclaredEvent(form.event) ?? event)?.inputs.map(
    (input) => input.name || input.type.text,
  );
  const types = typed?.[2]?.split(',').map((type) => sanitizeText(type, LONGEST)) ?? [];
  return { text: more, whole, parameters: (named ?? types).filter((parameter) => parameter !== '') };
}

function valuesOf(asked: AskedQuery): AskedFor['values'] {
  const { form, filter } = asked;
  const declared = parseDeclaredEvent(form.event) ?? asked.event;
  const known = declared ? listEventArguments(declared) : [];
  return [1, 2, 3].flatMap((position) => {
    const topics = filter.topics[position] ?? [];
    if (topics.length === 0) return [];
    const argument = known.find((one) => one.position === position);
    const isAddress = argument?.parameter.type.kind === 'address';
    const typed = argument && Object.hasOwn(form.args, argument.key) ? form.args[argument.key] : undefined;
    const first =
      isAddress || !typed?.trim()
        ? topics.slice(0, MOST).map((topic) => topicTold(topic, isAddress, asked))
        : splitValues(typed)
            .slice(0, MOST)
            .map((value) => ({
              text: sanitizeText(value, LONGEST),
              whole: sanitizeText(value, LONGEST_WHOLE),
            }));
    return [{ name: argument && sanitizeText(argument.key, LONGEST), position, first, count: topics.length }];
  });
}

function topicTold(topic: Hex, isAddress: boolean, { nameOf }: AskedQuery): Told {
  const address = isAddress && topic.startsWith(ZEROS, 2) ? parseAddress(`0x${topic.slice(26)}`) : undefined;
  if (!address) return { text: formatShortAddress(topic), whole: topic };
  const whole = toChecksumAddress(address);
  const name = nameOf(address);
  return name === undefined
    ? { text: formatShortAddress(whole), whole }
    : { text: sanitizeText(name, LONGEST), whole: `${name} ${whole}` };
}
