import * as z from 'zod/mini';
import { declaredEvent, eventArguments, splitArgument, type WrittenArguments } from './eventArguments.ts';
import { splitTexts } from './listTexts.ts';
import { type ReadQuery, readQuery, type WrittenQuery } from './readQuery.ts';
import { joinValues } from './valueTexts.ts';

const text = z.string().check(z.maxLength(100_000));
/** A log has three topics besides the event's own; the values of a few events are kept while one tries another. */
const MOST_ARGUMENTS = 64;
const byName = z
  .record(z.string().check(z.maxLength(300)), text)
  .check(z.refine((values) => Object.keys(values).length <= MOST_ARGUMENTS));

export const logOrder = z.enum(['newestFirst', 'oldestFirst']);

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
  order: z._default(logOrder, 'newestFirst'),
});

export type QueryForm = Readonly<z.infer<typeof queryFormSchema>>;

/**
 * The filter that a form stands for, or what is wrong with each of its fields. A blank field is any, and all blocks.
 * Values by name count where the event says which of its parameters are indexed and has one of that name.
 *
 * @example readQueryForm({ ...form, event: 'Transfer(address,address,uint256)' }).filter?.topics;
 */
export function readQueryForm(form: QueryForm): ReadQuery {
  const further = [form.topic1, form.topic2, form.topic3].map(splitTexts);
  const query: WrittenQuery = {
    addresses: splitTexts(form.address),
    topics: [topic0Texts(form.event), ...further].map((texts) => (texts.length === 0 ? null : texts)),
    event: isHex(form.event) ? undefined : form.event,
    args: writtenArguments(form),
    fromBlock: form.fromBlock.trim() || undefined,
    toBlock: form.toBlock.trim() || undefined,
  };
  return readQuery(query, 'typed');
}

/**
 * The form that a query fills in, as it was written, valid or not. A filter comes back from its form as the same filter,
 * if its blocks are below 10^19.
 *
 * @example queryFormOf({ addresses: ['0x12', '0x34'], topics: [], fromBlock: 16n }).address // '0x12, 0x34'
 */
export function queryFormOf(query: WrittenQuery): QueryForm {
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
function writtenArguments({ event, args }: QueryForm): WrittenArguments {
  const declared = declaredEvent(event);
  const known = declared ? eventArguments(declared) : [];
  return Object.fromEntries(
    known.flatMap(({ key, parameter }) => {
      const text = Object.hasOwn(args, key) ? args[key] : undefined;
      return text === undefined ? [] : [[key, splitArgument(parameter.type, text)]];
    }),
  );
}

function formArguments(args: WrittenArguments): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(args).map(([name, values]) => [name, joinValues(values)]));
}

/** One or several topic0 values; none where an event is written. */
function topic0Texts(text: string): readonly string[] {
  return isHex(text) ? splitTexts(text) : [];
}

function isHex(text: string): boolean {
  return /^\s*0x/i.test(text);
}

function joined(texts: readonly string[]): string {
  return texts.join(', ');
}
