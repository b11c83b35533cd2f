import * as z from 'zod/mini';
import { requireTopic } from '../../abi/declaration.ts';
import { type AppError, badInput, toMessage } from '../../base/errors.ts';
import { createMessage, foreign, type Message } from '../../base/text.ts';
import { isRecord } from '../../base/values.ts';
import { toQuantity } from '../../eth/hex.ts';
import { parseGrouping } from '../groups/grouping.ts';
import { findChecksumErrors } from './addressNames.ts';
import {
  listEventArguments,
  parseDeclaredEvent,
  splitArgument,
  validateArguments,
} from './eventArguments.ts';
import { isOneItem, joinList, joinValues, splitList, splitValues } from './fieldValues.ts';
import type { BlockTag, LogFilter } from './filter.ts';
import { isTopic0List, logOrderSchema, type QueryForm } from './form.ts';
import { parseQueryForm } from './parseQuery.ts';

/** A blank text would match anything: a wider query than was meant. */
const textSchema = z.string().check(z.regex(/\S/));
/** A text is a list as people write it, with at least one value and no blank one. */
const listTextSchema = z.string().check(z.refine(hasValuesOnly));
const oneOrSeveralSchema = z.union([listTextSchema, z.array(textSchema).check(z.minLength(1))]);

function hasValuesOnly(text: string): boolean {
  const values = splitList(text);
  return values.length > 0 && values.every((value) => value.trim() !== '');
}

/** A value as JSON has it; large integers are strings there. */
const valueSchema = z.union([z.string(), z.boolean(), z.int(), z.bigint()]);
const blockSchema = z.union([textSchema, z.int(), z.bigint()]);

/**
 * The schema of values by the names of parameters. A key `__proto__`, which zod drops, stays under a name that no
 * parameter has: without it, the query would be a wider one.
 */
export const createArgumentsSchema = <Values extends z.ZodMiniType>(
  values: Values,
  name: z.ZodMiniString<string> = z.string(),
) => z.pipe(z.transform(keepEveryKey), z.record(name, values));

function keepEveryKey(value: unknown): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, '__proto__')) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key === '__proto__' ? `"${key}"` : key, item]),
  );
}

/** The parts of a query as JSON, wherever one is read. */
export const queryPartsSchema = {
  address: z.nullish(z.union([listTextSchema, z.array(textSchema)])),
  event: z.nullish(z.string()),
  args: z.nullish(createArgumentsSchema(z.union([valueSchema, z.array(valueSchema).check(z.minLength(1))]))),
  topics: z.nullish(z.array(z.nullable(oneOrSeveralSchema)).check(z.maxLength(4))),
  fromBlock: z.nullish(blockSchema),
  toBlock: z.nullish(blockSchema),
  order: z.nullish(logOrderSchema),
};

const QueryParts = z.strictObject(queryPartsSchema);
/** A filter has no order. */
const { order: _order, ...filterSchema } = queryPartsSchema;
const FilterJson = z.strictObject(filterSchema);

/**
 * The query of parts that are checked by {@link queryPartsSchema}.
 *
 * @throws AppError `badInput` if both `event` and the first of `topics` have a value.
 * @example toQueryForm({ address: ['0x12', '0x34'], fromBlock: 16n }).address // '0x12, 0x34'
 */
export function toQueryForm(parts: z.infer<typeof QueryParts>): QueryForm {
  const topics = (parts.topics ?? []).map(toFieldText);
  const [topic0 = '', topic1 = '', topic2 = '', topic3 = ''] = topics;
  if (parts.event && topic0 !== '') {
    throw badInput('topics', 'Both event and the first of topics set topic0. Leave one of them out.');
  }
  return {
    address: toFieldText(parts.address),
    event: parts.event || topic0,
    topic1,
    topic2,
    topic3,
    fromBlock: parts.fromBlock?.toString() ?? '',
    toBlock: parts.toBlock?.toString() ?? '',
    args: Object.fromEntries(
      Object.entries(parts.args ?? {}).map(([name, values]) => [
        name,
        joinValues((Array.isArray(values) ? values : [values]).map(String)),
      ]),
    ),
    order: parts.order ?? 'newestFirst',
  };
}

function toFieldText(values: string | readonly string[] | null | undefined): string {
  return typeof values === 'string' ? values : joinList(values ?? []);
}

function toList(values: string | readonly string[] | null | undefined): readonly string[] {
  return typeof values === 'string' ? [values] : (values ?? []);
}

/**
 * Parses a filter from the JSON form that `eth_getLogs` takes: `address` is one or several, `topics` are 32 bytes by
 * position (null is any), `fromBlock` and `toBlock` are a tag, decimal or `0x` hex, or `latest-1000`; `fromBlock`
 * may also be `-1000`, which is the first of the last thousand. Missing bounds mean `earliest` and `latest`.
 * `event`, a Solidity declaration or a topic0, replaces the first of `topics`. `args` has values of its indexed
 * parameters by their names, one or several each: `{ event: 'Paid(address indexed by, uint amount)', args: { by:
 * '0x…' } }`.
 *
 * @throws AppError `badInput` with the field; also for an unknown key, so that a typo does not go unnoticed.
 * @example
 * parseLogFilter({ fromBlock: '0x10' })
 * // { addresses: [], topics: [], fromBlock: 16n, toBlock: 'latest' }
 */
export function parseLogFilter(json: unknown): LogFilter {
  const parsed = FilterJson.safeParse(json);
  if (!parsed.success) throw toSchemaError(parsed.error);
  for (const text of (parsed.data.topics ?? []).flatMap(toList)) requireTopic(text);
  const form = toQueryForm(parsed.data);
  validateArguments(form);
  const { filter, errors = [] } = parseQueryForm(form);
  const [error] = [...errors, ...findChecksumErrors(form)];
  if (filter && !error) return filter;
  const isTopic = error?.details.field?.startsWith('topic');
  throw error && isTopic ? badInput('topics', toMessage(error)) : error;
}

function toSchemaError(cause: z.core.$ZodError): AppError {
  const { field, isField } = findInvalidField(cause);
  const form = FORMS[field] ?? createMessage('an object');
  const message = isField
    ? createMessage('{0} is not valid here. A log query takes {1}.', foreign(field), form)
    : createMessage(
        'A log query has no {0}. It takes {1}.',
        foreign(field),
        foreign(Object.keys(filterSchema).join(', ')),
      );
  return badInput(field, message, { cause });
}

const FORMS: Readonly<Record<string, Message>> = {
  address: createMessage('an address or a list of addresses'),
  event: createMessage('an event declaration or a topic0'),
  args: createMessage('an object of values by parameter name'),
  topics: createMessage('a list of at most four topics, each null, a topic or a list of topics'),
  fromBlock: createMessage('a block number, a tag or a time'),
  toBlock: createMessage('a block number, a tag or a time'),
};

const QueryArguments = z.strictObject({
  ...queryPartsSchema,
  chainId: z.optional(z.int().check(z.positive())),
  run: z.optional(z.boolean()),
  reuse: z.optional(z.boolean()),
  groupBy: z.optional(z.union([z.string(), z.array(z.string())])),
  sum: z.optional(z.string()),
});

/**
 * The arguments of `chainside.queryLogs`: a query for a form, its chain (undefined: that of the active network),
 * whether to `run` it at once, whether to `reuse` a panel that has this query, and how its logs are grouped
 * (`groupBy` and `sum`, as {@link parseGrouping} takes them). The parts of the query are those of
 * {@link parseLogFilter}; `order` sets which end of the range is read first. Checks types and names only: the form
 * shows the errors of malformed values.
 *
 * @throws AppError `badInput` if an argument has the wrong type or is unknown, if both `event` and the first of
 *   `topics` have a value, or if a name in `args` is not an indexed parameter of the event.
 * @example parseQueryArguments({ event: 'Paused()', run: true }).form.event // 'Paused()'
 */
export function parseQueryArguments(value: unknown) {
  const parsed = QueryArguments.safeParse(value ?? {});
  if (!parsed.success) {
    const { field } = findInvalidField(parsed.error);
    const keys = Object.keys(QueryArguments.shape).join(', ');
    throw badInput(
      field,
      createMessage(
        '{0} is not valid here. Query Logs takes an object with any of {1}.',
        foreign(field),
        foreign(keys),
      ),
    );
  }
  const { run = false, reuse = false, chainId, groupBy = [], sum, ...parts } = parsed.data;
  const form = toQueryForm(parts);
  validateArguments(form);
  return { form, run, chainId, reuse, grouping: parseGrouping({ by: [groupBy].flat(), sum }) };
}

/**
 * A filter as JSON that {@link parseLogFilter} parses to the same filter; block numbers are `0x` quantities.
 * `eth_getLogs` takes it too, unless a bound is relative to the latest block. The file beside an export stores its
 * query in this form.
 *
 * @example logFilterToJson(parseLogFilter({ fromBlock: 16 })).fromBlock // '0x10'
 */
export function logFilterToJson({ addresses, topics, fromBlock, toBlock }: LogFilter) {
  return { address: addresses, topics, fromBlock: blockToJson(fromBlock), toBlock: blockToJson(toBlock) };
}

function blockToJson(block: BlockTag): string {
  return typeof block === 'bigint' ? toQuantity(block) : block;
}

/**
 * A query as JSON, with keys in a fixed order and without empty ones, so that it is easy to compare. {@link
 * toQueryForm} makes the same query of it.
 *
 * @example queryFormToJson({ ...emptyForm, address: 'Vault', event: 'Paused()' })
 * // { address: 'Vault', event: 'Paused()' }
 */
export function queryFormToJson(form: QueryForm): Readonly<Record<string, unknown>> {
  const addresses = splitList(form.address);
  const topic0 = isTopic0List(form.event) ? splitList(form.event) : [];
  const event = topic0.length > 0 ? '' : form.event.trim();
  const topics = [topic0, ...[form.topic1, form.topic2, form.topic3].map(splitList)];
  const lastTopic = topics.findLastIndex((texts) => texts.length > 0);
  const args = listArguments(form);
  const [fromBlock, toBlock] = [form.fromBlock.trim(), form.toBlock.trim()];
  return {
    ...(addresses.length > 0 && { address: fromList(addresses) }),
    ...(event !== '' && { event }),
    ...(args.length > 0 && {
      args: Object.fromEntries(args.map(([name, values]) => [name, unwrapSingle(values)])),
    }),
    ...(lastTopic >= 0 && {
      topics: topics.slice(0, lastTopic + 1).map((texts) => (texts.length > 0 ? fromList(texts) : null)),
    }),
    ...(fromBlock !== '' && { fromBlock: toNumberIfExact(fromBlock) }),
    ...(toBlock !== '' && { toBlock: toNumberIfExact(toBlock) }),
    // `newestFirst` is the default everywhere.
    ...(form.order === 'oldestFirst' && { order: form.order }),
  };
}

/** Values by name: those of the event's own parameters, or all if the event is not declared. */
function listArguments({ event, args }: QueryForm): readonly (readonly [string, readonly string[]])[] {
  const declared = parseDeclaredEvent(event);
  const split = declared
    ? listEventArguments(declared).map(({ key, parameter }) => {
        const text = Object.hasOwn(args, key) ? (args[key] ?? '') : '';
        return [key, splitArgument(parameter.type, text)] as const;
      })
    : Object.entries(args).map(([name, text]) => [name, splitValues(text)] as const);
  return split.filter(([, values]) => values.length > 0);
}

/** One value as a text, if that text parses to one value. */
function fromList(texts: readonly string[]): string | readonly string[] {
  return texts.every(isOneItem) ? unwrapSingle(texts) : texts;
}

function unwrapSingle(texts: readonly string[]): string | readonly string[] {
  const [only, ...others] = texts;
  return only !== undefined && others.length === 0 ? only : texts;
}

/** A number if JSON has it exactly. */
function toNumberIfExact(block: string): string | number {
  const number = Number(block);
  return /^\d+$/.test(block) && Number.isSafeInteger(number) ? number : block;
}

/** The invalid field, and whether such a field exists. */
function findInvalidField(error: z.core.$ZodError): { readonly field: string; readonly isField: boolean } {
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') return { field: issue.keys[0] ?? 'query', isField: false };
  return { field: String(issue?.path[0] ?? 'query'), isField: true };
}
