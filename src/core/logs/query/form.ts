import * as z from 'zod/mini';
import {
  type ArgumentTexts,
  listEventArguments,
  parseDeclaredEvent,
  splitArgument,
} from './eventArguments.ts';
import { joinValues, splitList } from './fieldValues.ts';
import { type ParsedQuery, parseQuery, type QueryInput } from './parseQuery.ts';

const textSchema = z.string().check(z.maxLength(100_000));
/** A log has three topics besides topic0. The form also stores values of other events while the user tries one. */
const MAX_ARGUMENTS = 64;
const argumentTextsSchema = z
  .record(z.string().check(z.maxLength(300)), textSchema)
  .check(z.refine((values) => Object.keys(values).length <= MAX_ARGUMENTS));

export const logOrderSchema = z.enum(['newestFirst', 'oldestFirst']);

/** A log query as the texts of a form: what people type, and what a panel stores and sends. */
export const queryFormSchema = z.object({
  address: textSchema,
  event: textSchema,
  topic1: textSchema,
  topic2: textSchema,
  topic3: textSchema,
  fromBlock: textSchema,
  toBlock: textSchema,
  /** Values of indexed parameters by their names. */
  args: z._default(argumentTextsSchema, {}),
  /** Which end of the range is read first. */
  order: z._default(logOrderSchema, 'newestFirst'),
});

export type QueryForm = Readonly<z.infer<typeof queryFormSchema>>;

/**
 * The filter of a form, or the error of each invalid field. A blank field means any value, and all blocks.
 * Arguments count if the event declares an indexed parameter of that name.
 *
 * @example parseQueryForm({ ...form, event: 'Transfer(address,address,uint256)' }).filter?.topics;
 */
export function parseQueryForm(form: QueryForm): ParsedQuery {
  const topicTexts = [form.topic1, form.topic2, form.topic3].map(splitList);
  const query: QueryInput = {
    addresses: splitList(form.address),
    topics: [splitTopic0(form.event), ...topicTexts].map((texts) => (texts.length === 0 ? null : texts)),
    event: isHex(form.event) ? undefined : form.event,
    args: listOwnArguments(form),
    fromBlock: form.fromBlock.trim() || undefined,
    toBlock: form.toBlock.trim() || undefined,
  };
  return parseQuery(query, 'typed');
}

/**
 * The form that a query fills in, as typed, valid or not. A filter survives the round trip through its form if its
 * block numbers are below 10^19.
 *
 * @example toQueryForm({ addresses: ['0x12', '0x34'], topics: [], fromBlock: 16n }).address // '0x12, 0x34'
 */
export function toQueryForm(query: QueryInput): QueryForm {
  const [first = '', topic1 = '', topic2 = '', topic3 = ''] = query.topics.map((texts) =>
    joinTexts(texts ?? []),
  );
  return {
    address: joinTexts(query.addresses),
    event: query.event || first,
    topic1,
    topic2,
    topic3,
    fromBlock: query.fromBlock?.toString() ?? '',
    toBlock: query.toBlock?.toString() ?? '',
    args: joinArguments(query.args ?? {}),
    order: query.order ?? 'newestFirst',
  };
}

/** A field of the form, or that of an indexed parameter. */
export type FormField = Exclude<keyof QueryForm, 'args' | 'order'> | `args.${string}`;

export const emptyForm: QueryForm = toQueryForm({ addresses: [], topics: [] });

/**
 * Whether it is the name of a field.
 *
 * @example isFormField('args.to') // true
 */
export function isFormField(name: string): name is FormField {
  return isArgumentField(name) || (name !== 'args' && name !== 'order' && Object.hasOwn(emptyForm, name));
}

/** @example getFieldText({ ...emptyForm, args: { to: '0x12' } }, 'args.to') // '0x12' */
export function getFieldText(form: QueryForm, field: FormField): string {
  if (!isArgumentField(field)) return form[field];
  const key = getArgumentKey(field);
  return Object.hasOwn(form.args, key) ? (form.args[key] ?? '') : '';
}

/**
 * The form with another text in one field.
 *
 * @example withFieldText(emptyForm, 'fromBlock', '16').fromBlock // '16'
 */
export function withFieldText(form: QueryForm, field: FormField, text: string): QueryForm {
  return isArgumentField(field)
    ? { ...form, args: { ...form.args, [getArgumentKey(field)]: text } }
    : { ...form, [field]: text };
}

/** Values of the event's own parameters; the form may also have values of other events. */
function listOwnArguments({ event, args }: QueryForm): ArgumentTexts {
  const declared = parseDeclaredEvent(event);
  const declaredArguments = declared ? listEventArguments(declared) : [];
  return Object.fromEntries(
    declaredArguments.flatMap(({ key, parameter }) => {
      const text = Object.hasOwn(args, key) ? args[key] : undefined;
      return text === undefined ? [] : [[key, splitArgument(parameter.type, text)]];
    }),
  );
}

function joinArguments(args: ArgumentTexts): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(args).map(([name, values]) => [name, joinValues(values)]));
}

/** One or several topic0 values; none if the field has an event declaration. */
function splitTopic0(text: string): readonly string[] {
  return isHex(text) ? splitList(text) : [];
}

function isHex(text: string): boolean {
  return /^\s*0x/i.test(text);
}

function joinTexts(texts: readonly string[]): string {
  return texts.join(', ');
}

function isArgumentField(field: string): field is `args.${string}` {
  return field.startsWith('args.');
}

function getArgumentKey(field: `args.${string}`): string {
  return field.slice('args.'.length);
}
