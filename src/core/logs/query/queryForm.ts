import * as z from 'zod/mini';
import { type ReadQuery, readQuery, type WrittenQuery } from './readQuery.ts';

const text = z.string().check(z.maxLength(100_000));

/** A log query as the texts of a form: what people type, and what a panel keeps and sends. */
export const queryFormSchema = z.object({
  address: text,
  event: text,
  topic1: text,
  topic2: text,
  topic3: text,
  fromBlock: text,
  toBlock: text,
});

export type QueryForm = Readonly<z.infer<typeof queryFormSchema>>;

/**
 * The filter that a form stands for, or what is wrong with each of its fields. A blank field is any, and all blocks.
 *
 * @example readQueryForm({ ...form, event: 'Transfer(address,address,uint256)' }).filter?.topics;
 */
export function readQueryForm(form: QueryForm): ReadQuery {
  const further = [form.topic1, form.topic2, form.topic3].map(splitTexts);
  const query: WrittenQuery = {
    addresses: splitTexts(form.address),
    topics: [eventTexts(form.event), ...further].map((texts) => (texts.length === 0 ? null : texts)),
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
export function queryFormOf({ addresses, topics, fromBlock, toBlock }: WrittenQuery): QueryForm {
  const [event = '', topic1 = '', topic2 = '', topic3 = ''] = topics.map((texts) => joined(texts ?? []));
  return {
    ...{ address: joined(addresses), event, topic1, topic2, topic3 },
    fromBlock: fromBlock?.toString() ?? 'earliest',
    toBlock: toBlock?.toString() ?? 'latest',
  };
}

/**
 * The values in a field that takes several, separated by spaces, commas, semicolons or line breaks.
 *
 * @example splitTexts('0x12, 0x34') // ['0x12', '0x34']
 */
export function splitTexts(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((item) => item !== '');
}

/** One event signature, whose spaces and commas are part of it, or one or several topic0 values. */
function eventTexts(text: string): readonly string[] {
  const typed = text.trim();
  return typed === '' || /^0x/i.test(typed) ? splitTexts(typed) : [typed];
}

function joined(texts: readonly string[]): string {
  return texts.join(', ');
}
