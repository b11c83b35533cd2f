import type { ZodMiniType } from 'zod/mini';
import * as z from 'zod/mini';
import { badInput } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import { isRecord } from '../base/values.ts';

/**
 * The JSON schema of the input of a tool; undefined if there is no such tool.
 *
 * @example getToolSchema('get_network')?.type // 'object'
 */
export function getToolSchema(name: string): Readonly<Record<string, unknown>> | undefined {
  const input =
    name === 'open_query' ? openQueryInput : operationTools.find((tool) => tool.name === name)?.input;
  if (!input) return undefined;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', target: 'draft-7' });
  return isRecord(schema) ? schema : undefined;
}

const withDescription = <T extends z.ZodMiniType>(schema: T, text: string) => schema.check(z.describe(text));
const textField = (maxChars: number) => z.string().check(z.minLength(1), z.maxLength(maxChars));

/** An address with 0x, or a name. */
const accountField = textField(120);
const valueField = z.union([z.string().check(z.maxLength(2000)), z.boolean(), z.int()]);
const blockField = z.union([
  textField(40),
  z.int().check(z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER)),
]);

export const MAX_ROWS = 100;

const queryFields = {
  address: z.optional(
    withDescription(
      z.union([accountField, z.array(accountField).check(z.minLength(1), z.maxLength(20))]),
      'Contract(s): 0x address, or the name of a deployment or label. Leave out for any contract.',
    ),
  ),
  event: z.optional(
    withDescription(
      textField(1000),
      'Name of an event of the contract (Transfer), or its declaration: Transfer(address indexed from, address indexed to, uint256 value), or a topic0.',
    ),
  ),
  args: z.optional(
    withDescription(
      z
        .record(
          textField(100),
          z.union([valueField, z.array(valueField).check(z.minLength(1), z.maxLength(50))]),
        )
        .check(z.refine((args) => Object.keys(args).length <= 8)),
      'Values of indexed parameters by name; a list means any of them. Addresses may be names. Large integers as strings.',
    ),
  ),
  from: z.optional(
    withDescription(
      blockField,
      'First block: number, earliest, latest-1000, -1000 (the last thousand), or a time: 2026-11-01, 2026-11-01T12:30Z, -7d. Default: where the contract was deployed, else the first block.',
    ),
  ),
  to: z.optional(withDescription(blockField, 'Last block or time, as in from. Default: latest.')),
  order: z.optional(
    withDescription(
      z.enum(['oldestFirst', 'newestFirst']),
      'Of sample (newestFirst) and rows (oldestFirst).',
    ),
  ),
};

const queryEventsInput = z.strictObject({
  ...queryFields,
  mode: z._default(
    withDescription(
      z.enum(['count', 'sample', 'rows', 'file']),
      'count: exact number, first and last row. sample: 5 rows. rows: decoded rows, page by page. file: all rows to a file.',
    ),
    'count',
  ),
  limit: z.optional(
    withDescription(
      z.int().check(z.minimum(1), z.maximum(MAX_ROWS)),
      'Most rows of a page of mode rows (20).',
    ),
  ),
  cursor: z.optional(
    withDescription(
      textField(6000),
      'From next_call of the page before; it holds the whole question, so leave the rest out.',
    ),
  ),
  format: z.optional(withDescription(z.enum(['ndjson', 'parquet']), 'Of mode file (ndjson).')),
  file: z.optional(
    withDescription(
      z.string().check(z.regex(/^[A-Za-z0-9][\w-]{0,79}$/)),
      'Name of the new file without extension; nothing is ever overwritten.',
    ),
  ),
  confirm: z.optional(
    withDescription(
      z.boolean(),
      'Only after an answer with an estimate: read on although it takes many requests.',
    ),
  ),
});
export type QueryEventsInput = z.infer<typeof queryEventsInput>;

const getNetworkInput = z.strictObject({});

const resolveContractInput = z.strictObject({
  contract: withDescription(accountField, 'Name of a contract, deployment or label, or a 0x address.'),
});

const getAddressInput = z.strictObject({
  address: withDescription(accountField, '0x address, or the name of a deployment or label.'),
});

const decodeDataInput = z.strictObject({
  hex: withDescription(
    z.string().check(z.regex(/^0x(?:[0-9a-fA-F]{2})+$/), z.maxLength(100_000)),
    'Calldata, revert data, selector, topic0 or encoded values, with 0x.',
  ),
  address: z.optional(
    withDescription(accountField, 'The contract that was called, reverted or emitted: address or name.'),
  ),
});

const getTransactionInput = z.strictObject({
  hash: withDescription(z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)), 'Hash of the transaction.'),
});

/** Input of a tool that only the editor has. */
export const openQueryInput = z.strictObject({
  what: z._default(
    withDescription(
      z.enum(['query', 'selection', 'openFile']),
      'query: open the question below in a panel. selection: decode the hex selected in the editor. openFile: contracts of the open file, with events and deployments. The last two take nothing else.',
    ),
    'query',
  ),
  ...queryFields,
  run: z._default(withDescription(z.boolean(), 'Whether to read the first page at once.'), true),
});
export type OpenQueryInput = z.infer<typeof openQueryInput>;

/** An operation as a tool shows it to a model. All of them only read. */
export interface OperationTool {
  readonly name: string;
  readonly title: string;
  /** What it does, what it returns, and when not to use it; at most 1,024 characters. */
  readonly description: string;
  readonly input: ZodMiniType;
  /** Whether the same call returns the same result until the chain advances. */
  readonly idempotent: boolean;
}

/** The operations, the recommended first one first. */
export const operationTools = [
  {
    name: 'get_network',
    title: 'Network',
    description:
      'Which chain is asked here: chain id, endpoint, newest block and its age, what the endpoint can tell, and how many contracts and deployments of the project are known. Asks two or three requests. Use it once at the start, or where an answer seems to be of another chain. Do NOT use it to wait for a block or to poll.',
    input: getNetworkInput,
    idempotent: true,
  },
  {
    name: 'resolve_contract',
    title: 'Contract by Name or Address',
    description:
      'What a name of the project, or an address, stands for: deployments by chain with block and file, source file and line, events as they are declared (to be used in query_events), number of functions, labels, and for an address on this chain what is there: token, proxy and what it runs, creation. Use it before query_events where you do not know the events of a contract. Do NOT use it for balances (get_address), nor for contracts that are neither in the project nor at an address that you have.',
    input: resolveContractInput,
    idempotent: true,
  },
  {
    name: 'get_address',
    title: 'Address',
    description:
      'What is at an address now: exact native balance in wei, token balances (at most 20, the rest counted), whether it is an account, a contract or a delegated account, its names. Amounts are decimal strings in smallest units. A state says whether a figure is known, zero or failed: "unknown" is never zero. Do NOT use it for history (query_events), for past blocks, or to sum up balances of many holders.',
    input: getAddressInput,
    idempotent: true,
  },
  {
    name: 'query_events',
    title: 'Event Logs',
    description:
      'Event logs, with a verdict whether the answer is whole. mode count (default) gives the exact number, the first block and the last row decoded, without rows: use it for "how many" and "when last". sample gives 5 rows; rows gives pages of decoded rows with next_call to go on; file writes all rows as NDJSON or Parquet and gives path and SHA-256: use it for more than some hundred rows. Names of deployments and events of the project work as they are. A dear question comes back with an estimate instead: narrow it or confirm. Do NOT page through rows to count or to find the last one, do NOT use it for one known transaction (get_transaction) or for balances (get_address). If complete is not true, say so and give the reasons.',
    input: queryEventsInput,
    idempotent: true,
  },
  {
    name: 'decode_data',
    title: 'Decode Hex',
    description:
      'What hex may mean: calldata, revert data, a function or error selector, a topic0, encoded values; by the project, by standards, and by sources that the user allowed. Gives candidates with their source, the most trusted first: more than one means that it is not sure. Sends no request unless such sources are open. Do NOT use it for a transaction hash (get_transaction) or for rows of query_events, which are decoded already.',
    input: decodeDataInput,
    idempotent: true,
  },
  {
    name: 'get_transaction',
    title: 'Transaction',
    description:
      'One transaction by its hash: status, block, time, sender, receiver, value and fee in wei, call and logs decoded, tokens moved, and of a failed one why, with lines of the project that may have reverted. Do NOT use it in a loop over many hashes: query_events gives rows of many transactions at once.',
    input: getTransactionInput,
    idempotent: true,
  },
] as const satisfies readonly OperationTool[];

/**
 * Validates the input of an operation.
 *
 * @throws AppError `badInput` naming the first invalid parameter, and what it takes.
 * @example const { run } = parseInput(openQueryInput, { event: 'Transfer' });
 */
export function parseInput<T extends z.ZodMiniType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const field = issue.keys[0] ?? 'input';
    throw badInput(field, `${sanitizeText(field)} is no parameter. There are: ${listParameters(schema)}.`);
  }
  const field = issue?.path.map(String).join('.') || 'input';
  throw badInput(field, `${sanitizeText(field)} does not fit: ${describeIssue(issue)}.`);
}

function listParameters(schema: z.ZodMiniType): string {
  const { shape = {} } = schema as { readonly shape?: object };
  return Object.keys(shape).join(', ') || 'none';
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'it is missing' : `it takes ${issue.expected}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'too_small':
      return `at least ${issue.minimum}`;
    case 'invalid_value':
      return `one of ${issue.values.join(', ')}`;
    case 'invalid_format':
      return `it has the form ${issue.pattern ?? issue.format}`;
    default:
      return 'see the schema of this parameter';
  }
}
