import * as z from 'zod/mini';
import { badInput } from '../../../core/index.ts';
import { emptyForm, type QueryForm } from './queryForm.ts';

const block = z.union([z.string(), z.int().check(z.minimum(0)), z.bigint().check(z.minimum(0n))]);
const oneOrSeveral = z.union([z.string(), z.array(z.string())]);

/** `topics` go by position as in JSON-RPC: null is any topic, a list any of its values. `event` is position 0. */
const queryArguments = z.strictObject({
  address: z.optional(oneOrSeveral),
  event: z.optional(z.string()),
  topics: z.optional(z.array(z.nullable(oneOrSeveral)).check(z.maxLength(4))),
  fromBlock: z.optional(block),
  toBlock: z.optional(block),
  run: z.optional(z.boolean()),
});

export type QueryLogsArguments = Readonly<z.infer<typeof queryArguments>>;

/**
 * The form that the arguments of `chainside.queryLogs` fill in, and whether to run it at once. A value that no query
 * can use, such as a malformed address, is kept as it is: the form says so at its field.
 *
 * @throws AppError `badInput` when an argument has the wrong type, is not known, or `event` and the first of
 *   `topics` are both given.
 */
export function readQueryLogsArguments(value: unknown): { readonly form: QueryForm; readonly run: boolean } {
  const parsed = queryArguments.safeParse(value ?? {});
  if (!parsed.success) throw describeShape(parsed.error);
  const { address, event, topics = [], fromBlock, toBlock, run = false } = parsed.data;
  const [topic0, topic1, topic2, topic3] = topics.map(joined);
  if (event && topic0) throw badInput('topics', 'Give either event or the first of topics: both are topic0.');
  const form: QueryForm = {
    address: joined(address ?? null),
    event: event ?? topic0 ?? '',
    topic1: topic1 ?? '',
    topic2: topic2 ?? '',
    topic3: topic3 ?? '',
    fromBlock: fromBlock?.toString() ?? emptyForm.fromBlock,
    toBlock: toBlock?.toString() ?? emptyForm.toBlock,
  };
  return { form, run };
}

function joined(value: string | readonly string[] | null): string {
  return value === null ? '' : typeof value === 'string' ? value : value.join(', ');
}

function describeShape(error: z.core.$ZodError) {
  const issue = error.issues[0];
  const field = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0];
  return badInput(
    String(field ?? 'query'),
    `Query Logs takes {address?, event?, topics?, fromBlock?, toBlock?, run?}; ${String(field ?? 'this')} does not fit.`,
  );
}
