import * as z from 'zod/mini';
import {
  type ArgumentTexts,
  listEventArguments,
  parseDeclaredEvent,
  splitArgument,
} from './eventArguments.ts';
import { joinValues, splitList } from './fieldValues.ts';
import { type ParsedQuery, parseQuery, type QueryInput } from './parseQuery.ts';

const text = z.string().check(z.maxLength(100_000));
/** A log has three topics besides the event's own; the values of a few events are kept while one tries another. */
const MAX_ARGUMENTS = 64;
const byName = z
  .record(z.string().check(z.maxLength(300)), text)
  .check(z.refine((values) => Object.keys(values).length <= MAX_ARGUMENTS));

export const logOrderSchema = z.enum(['newestFirst', 'oldestFirst']);

/** A log query as the texts of a form: what people type, and what a panel keeps and sends. */
export const queryFormSchema = z.object({
  address: text,
  event: text,
  topic1: text,
  topic2: text,
  topic3: text,
  fromBlock: text,
  toBlock: text,
  /** Values of indexed parameters by their names. */
  args: z._default(byName, {}),
  /** Which end of the range is read first. */
  order: z._default(logOrderSchema, 'newestFirst'),
});

export type QueryForm = Readonly<z.infer<typeof queryFormSchema>>;

/**
 * The filter that a form stands for, or what is wrong with each of its fields. A blank field is any, and all blocks.
 * Values by name count where the event says which of its parameters are indexed and has one of that name.
 *
 * @example parseQueryForm({ ...form, event: 'Transfer(address,address,uint256)' }).filter?.topics;
 */
export function parseQueryForm(form: QueryForm): ParsedQuery {
  const further = [form.topic1, form.topic2, form.topic3].map(splitList);
  const query: QueryInput = {
    addresses: splitList(form.address),
    topics: [topic0Texts(form.event), ...further].map((texts) => (texts.length === 0 ? null : texts)),
    event: isHex(form.event) ? undefined : form.event,
    args: writtenArguments(form),
    fromBlock: form.fromBlock.trim() || undefined,
    toBlock: form.toBlock.trim() || undefined,
  };
  return parseQuery(query, 'typed');
}

/**
 * The form that a query fills in, as it was written, valid or not. A filter comes back from its form as the same filter,
 * if its blocks are below 10^19.
 *
 * @example toQueryForm({ addresses: ['0x12', '0x34'], topics: [], fromBlock: 16n }).address // '0x12, 0x34'
 */
export function toQueryForm(query: QueryInput): QueryForm {
  const [first = '', topic1 = '', topic2 = '', topic3 = ''] = query.topics.map((texts) =>
    joined(texts ?? []),
  );
  return {
    ...{ address: joined(query.addresses), event: query.event || first, topic1, topic2, topic3 },
    fromBlock: query.fromBlock?.toString() ?? '',
    toBlock: query.toBlock?.toString() ?? '',
    args: formArguments(query.args ?? {}),
    order: query.order ?? 'newestFirst',
  };
}

/** Values of the parameters that the event has; those of other events wait in the form. */
function writtenArguments({ event, args }: QueryForm): ArgumentTexts {
  const declared = parseDeclaredEvent(event);
  const known = declared ? listEventArguments(declared) : [];
  return Object.fromEntries(
    known.flatMap(({ key, parameter }) => {
      const text = Object.hasOwn(args, key) ? args[key] : undefined;
      return text === undefined ? [] : [[key, splitArgument(parameter.type, text)]];
    }),
  );
}

function formArguments(args: ArgumentTexts): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(args).map(([name, values]) => [name, joinValues(values)]));
}

/** One or several topic0 values; none where an event is written. */
function topic0Texts(text: string): readonly string[] {
  return isHex(text) ? splitList(text) : [];
}

function isHex(text: string): boolean {
  return /^\s*0x/i.test(text);
}

function joined(texts: readonly string[]): string {
  return texts.join(', ');
}

/** A field of its own, or that of an indexed parameter. */
export type FormField = Exclude<keyof QueryForm, 'args' | 'order'> | `args.${string}`;

/** A form in which nothing is typed. */
export const emptyForm: QueryForm = toQueryForm({ addresses: [], topics: [] });

/**
 * Whether it is the name of a field.
 *
 * @example isFormField('args.to') // true
 */
export function isFormField(name: string): name is FormField {
  return isArgument(name) || (name !== 'args' && name !== 'order' && Object.hasOwn(emptyForm, name));
}

/**
 * What is typed in a field.
 *
 * @example getFieldText({ ...emptyForm, args: { to: '0x12' } }, 'args.to') // '0x12'
 */
export function getFieldText(form: QueryForm, field: FormField): string {
  if (!isArgument(field)) return form[field];
  const key = keyOf(field);
  return Object.hasOwn(form.args, key) ? (form.args[key] ?? '') : '';
}

/**
 * The form with another text in one field.
 *
 * @example withFieldText(emptyForm, 'fromBlock', '16').fromBlock // '16'
 */
export function withFieldText(form: QueryForm, field: FormField, text: string): QueryForm {
  return isArgument(field)
    ? { ...form, args: { ...form.args, [keyOf(field)]: text } }
    : { ...form, [field]: text };
}

function isArgument(field: string): field is `args.${string}` {
  return field.startsWith('args.');
}

function keyOf(field: `args.${string}`): string {
  return field.slice('args.'.length);
}
