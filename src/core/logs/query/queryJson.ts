import * as z from 'zod/mini';
import { AppError, badInput } from '../../base/errors.ts';
import { toQuantity } from '../../eth/hex.ts';
import { validateArguments } from './eventArguments.ts';
import type { BlockTag, LogFilter } from './filter.ts';
import { logOrderSchema } from './form.ts';
import { parseQuery, type QueryInput } from './parseQuery.ts';

const oneOrSeveral = z.union([z.string(), z.array(z.string())]);
const positions = z.array(z.nullable(oneOrSeveral));

/** A value as JSON has it; large integers are strings there. */
const value = z.union([z.string(), z.boolean(), z.int(), z.bigint()]);
const argumentValues = z.record(z.string(), z.union([value, z.array(value)]));

const filterParts = {
  address: z.nullish(oneOrSeveral),
  event: z.nullish(z.string()),
  args: z.nullish(argumentValues),
  topics: z.nullish(positions),
  fromBlock: z.nullish(z.union([z.string(), z.number(), z.bigint()])),
  toBlock: z.nullish(z.union([z.string(), z.number(), z.bigint()])),
};
/** As `eth_getLogs` takes it, but for block numbers, which programs and people write in more ways, and for events. */
const QueryJson = z.strictObject(filterParts);

const block = z.union([z.string(), z.int(), z.bigint()]);

/** What a query is written with wherever it has an order too. */
export const queryPartsSchema = {
  address: z.optional(oneOrSeveral),
  event: z.optional(z.string()),
  args: z.optional(argumentValues),
  topics: z.optional(positions.check(z.maxLength(4))),
  fromBlock: z.optional(block),
  toBlock: z.optional(block),
  order: z.optional(logOrderSchema),
};
const QueryParts = z.strictObject(queryPartsSchema);
const QueryArguments = z.strictObject({
  ...queryPartsSchema,
  chainId: z.optional(z.int().check(z.positive())),
  run: z.optional(z.boolean()),
  reuse: z.optional(z.boolean()),
});

/** What `chainside.queryLogs` is to do. */
interface QueryArguments {
  readonly query: QueryInput;
  /** Whether to run the query at once. */
  readonly run: boolean;
  /** The chain to ask; undefined: that of the active network. */
  readonly chainId: number | undefined;
  /** Whether a panel that has this query is to be taken in place of a new one. */
  readonly reuse: boolean;
}

/**
 * The query of checked parts.
 *
 * @throws AppError `badInput` when `event` and the first of `topics` are both given.
 * @example parseQueryParts({ address: 'Vault' }).addresses // ['Vault']
 */
export function parseQueryParts({ order, ...given }: z.infer<typeof QueryParts>): QueryInput {
  return { ...written(given), order };
}

/**
 * A filter out of the JSON form that `eth_getLogs` takes: `address` one or several, `topics` by position (null is
 * any), `fromBlock` and `toBlock` as a tag, decimal or `0x` hex, or `latest-1000`; `fromBlock` also as `-1000`, which is
 * the first of the last thousand. An absent bound means `earliest` and `latest`: all.
 * `event`, as Solidity declares it or as topic0, stands for the first of `topics`; `args` has values of its indexed
 * parameters by their names, one or several each: `{ event: 'Paid(address indexed by, uint amount)', args: { by: '0x…' } }`.
 *
 * @throws AppError `badInput` naming the field; also for a key that is not known, so that a slip is not lost.
 * @example
 * parseLogFilter({ fromBlock: '0x10' })
 * // { addresses: [], topics: [], fromBlock: 16n, toBlock: 'latest' }
 */
export function parseLogFilter(json: unknown): LogFilter {
  const parsed = QueryJson.safeParse(json);
  if (!parsed.success) {
    const { field, known } = wrongField(parsed.error);
    const message = known
      ? `${field} is not of the form that a log query takes.`
      : `${field} is not a part of a log query. It takes address, event, args, topics, fromBlock and toBlock.`;
    throw new AppError('badInput', message, { field, cause: parsed.error });
  }
  const query = written(parsed.data);
  validateArguments(query.event, query.args ?? {});
  const { filter, errors } = parseQuery(query, 'exact');
  if (filter) return filter;
  throw errors[0];
}

/**
 * The arguments of `chainside.queryLogs`: a query for a form, on which chain, and whether to run it at once. `event` is the first of
 * `topics`, `args` as in {@link parseLogFilter}, `order` which end of the range is read first. Only types and names are checked here: a malformed value is kept, and the
 * form that it fills in says what is wrong.
 *
 * @throws AppError `badInput` when an argument has the wrong type, is not known, or `event` and the first of `topics`
 *   are both given; when `args` has a name that is none of the event's indexed parameters.
 * @example parseQueryArguments({ event: 'Paused()', run: true }).query.event // 'Paused()'
 */
export function parseQueryArguments(value: unknown): QueryArguments {
  const parsed = QueryArguments.safeParse(value ?? {});
  if (!parsed.success) {
    const { field } = wrongField(parsed.error);
    const takes =
      'Query Logs takes {address?, event?, args?, topics?, fromBlock?, toBlock?, order?, chainId?, run?, reuse?}';
    throw badInput(field, `${takes}; ${field === 'query' ? 'this' : field} does not fit.`);
  }
  const { run = false, reuse = false, chainId, ...given } = parsed.data;
  const query = parseQueryParts(given);
  validateArguments(query.event, query.args ?? {});
  return { query, run, chainId, reuse };
}

/**
 * A filter as JSON that {@link parseLogFilter} reads as the same filter: block numbers are `0x` quantities. `eth_getLogs`
 * takes it too where no bound counts from the latest block. The record beside an export holds its query in this form.
 *
 * @example logFilterToJson(parseLogFilter({ fromBlock: 16 })).fromBlock // '0x10'
 */
export function logFilterToJson({ addresses, topics, fromBlock, toBlock }: LogFilter) {
  return { address: addresses, topics, fromBlock: blockToJson(fromBlock), toBlock: blockToJson(toBlock) };
}

function blockToJson(block: BlockTag): string {
  return typeof block === 'bigint' ? toQuantity(block) : block;
}

function written({
  address,
  event,
  args,
  topics,
  fromBlock,
  toBlock,
}: z.infer<typeof QueryJson>): QueryInput {
  const positions = (topics ?? []).map((position) => (position === null ? null : listOf(position)));
  if (event && positions[0] && positions[0].join(', ') !== '') {
    throw badInput('topics', 'Give either event or the first of topics: both are topic0.');
  }
  return {
    addresses: listOf(address ?? []),
    topics: positions,
    event: event || undefined,
    args: Object.fromEntries(
      Object.entries(args ?? {}).map(([name, given]) => [
        name,
        (Array.isArray(given) ? given : [given]).map(String),
      ]),
    ),
    fromBlock: fromBlock ?? undefined,
    toBlock: toBlock ?? undefined,
  };
}

function listOf(given: string | readonly string[]): readonly string[] {
  return typeof given === 'string' ? [given] : given;
}

/** The field at fault, and whether there is such a field. */
function wrongField(error: z.core.$ZodError): { readonly field: string; readonly known: boolean } {
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') return { field: issue.keys[0] ?? 'query', known: false };
  return { field: String(issue?.path[0] ?? 'query'), known: true };
}
