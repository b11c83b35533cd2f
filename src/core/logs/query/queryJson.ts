import * as z from 'zod/mini';
import { AppError, badInput } from '../../base/errors.ts';
import { toQuantity } from '../../eth/hex.ts';
import { validateArguments } from './eventArguments.ts';
import type { BlockTag, LogFilter } from './filter.ts';
import { logOrderSchema } from './form.ts';
import { parseQuery, type QueryInput } from './parseQuery.ts';

const oneOrSeveralSchema = z.union([z.string(), z.array(z.string())]);
const topicsSchema = z.array(z.nullable(oneOrSeveralSchema));

/** A value as JSON has it; large integers are strings there. */
const valueSchema = z.union([z.string(), z.boolean(), z.int(), z.bigint()]);
const argumentsSchema = z.record(z.string(), z.union([valueSchema, z.array(valueSchema)]));

const filterSchema = {
  address: z.nullish(oneOrSeveralSchema),
  event: z.nullish(z.string()),
  args: z.nullish(argumentsSchema),
  topics: z.nullish(topicsSchema),
  fromBlock: z.nullish(z.union([z.string(), z.number(), z.bigint()])),
  toBlock: z.nullish(z.union([z.string(), z.number(), z.bigint()])),
};
/** As `eth_getLogs` takes it, with more forms of block numbers, and with events. */
const QueryJson = z.strictObject(filterSchema);

const blockSchema = z.union([z.string(), z.int(), z.bigint()]);

/** A query together with an order. */
export const queryPartsSchema = {
  address: z.optional(oneOrSeveralSchema),
  event: z.optional(z.string()),
  args: z.optional(argumentsSchema),
  topics: z.optional(topicsSchema.check(z.maxLength(4))),
  fromBlock: z.optional(blockSchema),
  toBlock: z.optional(blockSchema),
  order: z.optional(logOrderSchema),
};

const QueryParts = z.strictObject(queryPartsSchema);
const QueryArguments = z.strictObject({
  ...queryPartsSchema,
  chainId: z.optional(z.int().check(z.positive())),
  run: z.optional(z.boolean()),
  reuse: z.optional(z.boolean()),
});

/** The arguments of `chainside.queryLogs`, parsed. */
interface QueryArguments {
  readonly query: QueryInput;
  /** Whether to run the query at once. */
  readonly run: boolean;
  /** Undefined: the chain of the active network. */
  readonly chainId: number | undefined;
  /** Whether to reveal a panel that has this query instead of opening a new one. */
  readonly reuse: boolean;
}

/**
 * @throws AppError `badInput` if both `event` and the first of `topics` have a value.
 * @example parseQueryParts({ address: 'Vault' }).addresses // ['Vault']
 */
export function parseQueryParts({ order, ...parts }: z.infer<typeof QueryParts>): QueryInput {
  return { ...toQueryInput(parts), order };
}

/**
 * Parses a filter from the JSON form that `eth_getLogs` takes: `address` is one or several, `topics` are by
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
  const parsed = QueryJson.safeParse(json);
  if (!parsed.success) {
    const { field, isField } = findInvalidField(parsed.error);
    const message = isField
      ? `${field} is not of the form that a log query takes.`
      : `${field} is not a part of a log query. It takes address, event, args, topics, fromBlock and toBlock.`;
    throw new AppError('badInput', message, { field, cause: parsed.error });
  }
  const query = toQueryInput(parsed.data);
  validateArguments(query.event, query.args ?? {});
  const { filter, errors } = parseQuery(query, 'exact');
  if (filter) return filter;
  throw errors[0];
}

/**
 * The arguments of `chainside.queryLogs`: a query for a form, its chain, and whether to run it at once. `event`
 * replaces the first of `topics`, `args` is as in {@link parseLogFilter}, `order` says which end of the range is
 * read first. Checks types and names only: the form shows the errors of malformed values.
 *
 * @throws AppError `badInput` if an argument has the wrong type or is unknown, if both `event` and the first of
 * `topics` have a value, or if a name in `args` is not an indexed parameter of the event.
 * @example parseQueryArguments({ event: 'Paused()', run: true }).query.event // 'Paused()'
 */
export function parseQueryArguments(value: unknown): QueryArguments {
  const parsed = QueryArguments.safeParse(value ?? {});
  if (!parsed.success) {
    const { field } = findInvalidField(parsed.error);
    const usage =
      'Query Logs takes {address?, event?, args?, topics?, fromBlock?, toBlock?, order?, chainId?, run?, reuse?}';
    throw badInput(field, `${usage}; ${field === 'query' ? 'this' : field} does not fit.`);
  }
  const { run = false, reuse = false, chainId, ...parts } = parsed.data;
  const query = parseQueryParts(parts);
  validateArguments(query.event, query.args ?? {});
  return { query, run, chainId, reuse };
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

function toQueryInput({
  address,
  event,
  args,
  topics,
  fromBlock,
  toBlock,
}: z.infer<typeof QueryJson>): QueryInput {
  const positions = (topics ?? []).map((position) => (position === null ? null : toList(position)));
  if (event && positions[0] && positions[0].join(', ') !== '') {
    throw badInput('topics', 'Give either event or the first of topics: both are topic0.');
  }
  return {
    addresses: toList(address ?? []),
    topics: positions,
    event: event || undefined,
    args: Object.fromEntries(
      Object.entries(args ?? {}).map(([name, values]) => [
        name,
        (Array.isArray(values) ? values : [values]).map(String),
      ]),
    ),
    fromBlock: fromBlock ?? undefined,
    toBlock: toBlock ?? undefined,
  };
}

function toList(values: string | readonly string[]): readonly string[] {
  return typeof values === 'string' ? [values] : values;
}

/** The invalid field, and whether such a field exists. */
function findInvalidField(error: z.core.$ZodError): { readonly field: string; readonly isField: boolean } {
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') return { field: issue.keys[0] ?? 'query', isField: false };
  return { field: String(issue?.path[0] ?? 'query'), isField: true };
}
