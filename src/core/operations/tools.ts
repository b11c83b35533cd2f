import type { ZodMiniType } from 'zod/mini';
import * as z from 'zod/mini';
import { isRecord } from '../base/values.ts';
import { createArgumentsSchema } from '../logs/query/queryJson.ts';

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
  z.int().check(z.minimum(-Number.MAX_SAFE_INTEGER), z.maximum(Number.MAX_SAFE_INTEGER)),
]);

/** Of what reads the state after a block. */
const stateBlockField = z.optional(
  withDescription(
    blockField,
    'State after this block: number, latest-1000, finalized, safe, or a time. Default: latest.',
  ),
);

export const MAX_ROWS = 100;
export const MAX_CURSOR_CHARS = 6000;

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
      'Name of an event of the contract (Transfer), its declaration: Transfer(address indexed from, address indexed to, uint256 value), or its topic0.',
    ),
  ),
  args: z.optional(
    withDescription(
      createArgumentsSchema(
        z.union([valueField, z.array(valueField).check(z.minLength(1), z.maxLength(50))]),
        textField(100),
      ).check(z.refine((args) => Object.keys(args).length <= 8)),
      'Values of indexed parameters by name; a list means any of them. Addresses may be names, enums their members. Large integers as strings.',
    ),
  ),
  from: z.optional(
    withDescription(
      blockField,
      'First block: number, earliest, latest-1000, -1000 (the last thousand), or a time: 2026-11-01, 2026-11-01T12:30Z, -7d. Default: the deployment of the contract, else the first block.',
    ),
  ),
  to: z.optional(withDescription(blockField, 'Last block or time, as in from. Default: latest.')),
  order: z.optional(
    withDescription(z.enum(['oldestFirst', 'newestFirst']), 'For sample (newestFirst), rows (oldestFirst).'),
  ),
};

/** The parts of a query, which a cursor repeats. */
export const eventQueryInput = z.strictObject(queryFields);

const queryEventsInput = z.strictObject({
  ...queryFields,
  mode: z._default(
    withDescription(
      z.enum(['count', 'groups', 'sample', 'rows', 'file']),
      'count: exact number, first and last row. groups: counts and sums by group_by. sample: 5 rows. rows: decoded rows, page by page. file: all rows to a file.',
    ),
    'count',
  ),
  group_by: z.optional(
    withDescription(
      z.union([textField(120), z.array(textField(120)).check(z.minLength(1), z.maxLength(2))]),
      'In mode groups: one or two of: a parameter by name, address, event, block, day (UTC).',
    ),
  ),
  sum: z.optional(
    withDescription(
      textField(120),
      'In mode groups: a parameter that is a number. The largest sum is first.',
    ),
  ),
  limit: z.optional(
    withDescription(
      z.int().check(z.minimum(1), z.maximum(MAX_ROWS)),
      'Rows per page of mode rows (20), groups of mode groups (20).',
    ),
  ),
  cursor: z.optional(
    withDescription(
      textField(MAX_CURSOR_CHARS),
      'From next_call of the previous page. It contains the query: leave out the rest.',
    ),
  ),
  format: z.optional(withDescription(z.enum(['ndjson', 'parquet']), 'In mode file (ndjson).')),
  file: z.optional(
    withDescription(
      z.string().check(z.regex(/^[A-Za-z0-9][\w-]{0,79}$/)),
      'Name of the new file without extension. No file is overwritten.',
    ),
  ),
  confirm: z.optional(
    withDescription(z.boolean(), 'Only after an estimate: send as many requests as the result takes.'),
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
    z.string().check(z.maxLength(100_000, { abort: true }), z.regex(/^0x(?:[0-9a-fA-F]{2})+$/)),
    'Calldata, revert data, selector, topic0 or encoded values, with 0x.',
  ),
  address: z.optional(
    withDescription(accountField, 'The contract that was called, reverted or emitted: address or name.'),
  ),
});

const getTransactionInput = z.strictObject({
  hash: withDescription(z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)), 'Hash of the transaction.'),
  trace: z.optional(
    withDescription(
      z.boolean(),
      'Also returns its calls as a tree and, if it failed, the line of the project that failed with the calls above it.',
    ),
  ),
});

/** A list or a struct may be JSON, as a value or as text. */
const argumentField = z.union([
  z.string().check(z.maxLength(20_000)),
  z.boolean(),
  z.int(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);

const readContractInput = z.strictObject({
  contract: withDescription(accountField, '0x address, or the name of a deployment or label.'),
  function: withDescription(
    textField(2000),
    'Name of a function of the contract (balanceOf), or its declaration: balanceOf(address) view returns (uint256).',
  ),
  arguments: z._default(
    withDescription(
      z.array(argumentField).check(z.maxLength(32)),
      'Arguments in order. Addresses may be names, enums their members; large integers as strings, also 1.5 ether; structs as objects.',
    ),
    [],
  ),
  block: stateBlockField,
  from: z.optional(withDescription(accountField, 'Sender (msg.sender): address or name.')),
});
export type ReadContractInput = z.infer<typeof readContractInput>;

const compareCodeInput = z.strictObject({
  address: withDescription(accountField, '0x address, or the name of a deployment or label.'),
  contract: z.optional(
    withDescription(
      textField(300),
      'Contract of the project: Vault, or src/Vault.sol:Vault. Default: what the project says is deployed there, else the contract with this code.',
    ),
  ),
  block: stateBlockField,
});
export type CompareCodeInput = z.infer<typeof compareCodeInput>;

const getStateInput = z.strictObject({
  kind: withDescription(
    z.enum(['holders', 'roles', 'allowances']),
    'holders of a token (ERC-20, ERC-721, ERC-1155). roles: members of AccessControl roles, owners, and who may upgrade a proxy. allowances of a token or of an account.',
  ),
  address: withDescription(accountField, '0x address, or the name of a deployment or label.'),
  owner: z.optional(withDescription(accountField, 'Of allowances of a token: only those of this owner.')),
  block: stateBlockField,
  limit: z.optional(
    withDescription(z.int().check(z.minimum(1), z.maximum(MAX_ROWS)), 'Rows of a page (50).'),
  ),
  cursor: z.optional(
    withDescription(textField(MAX_CURSOR_CHARS), 'From next_call, with its other arguments.'),
  ),
});
export type GetStateInput = z.infer<typeof getStateInput>;

/** Input of a tool that only the editor has. */
export const openQueryInput = z.strictObject({
  what: z._default(
    withDescription(
      z.enum(['query', 'selection', 'openFile']),
      'query: open the query below in a panel. selection: decode the hex selected in the editor. openFile: contracts of the open file, with events and deployments. The last two take nothing else.',
    ),
    'query',
  ),
  ...queryFields,
  run: z._default(withDescription(z.boolean(), 'Whether to read the first page at once.'), true),
});
export type OpenQueryInput = z.infer<typeof openQueryInput>;

/** An operation as a tool for a model. All operations only read. */
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
      'The active chain: chain ID, endpoint, latest block and its age, what the endpoint supports, and how many contracts and deployments of the project are known. Sends two or three requests. Use it once at the start, or if a result seems to be from another chain. Do NOT use it to wait for a block or to poll.',
    input: getNetworkInput,
    idempotent: true,
  },
  {
    name: 'resolve_contract',
    title: 'Contract by Name or Address',
    description:
      'What a name of the project or an address refers to: deployments by chain with block and file, source file and line, event declarations (for query_events), number of functions, labels. For an address on this chain, also what is there: token, proxy and implementation, creation. Use it before query_events if you do not know the events of a contract. Do NOT use it for balances (get_address), or for contracts that are neither in the project nor at an address that you know.',
    input: resolveContractInput,
    idempotent: true,
  },
  {
    name: 'get_address',
    title: 'Address',
    description:
      'What is at an address now: exact native balance in wei, token balances (at most 20, the rest counted), its names, and whether it is an account, a contract or a delegated account. Amounts are decimal strings in smallest units. Each state is known, zero, unknown or failed: "unknown" is never zero. Do NOT use it for history (query_events), for past blocks, or to sum the balances of many holders.',
    input: getAddressInput,
    idempotent: true,
  },
  {
    name: 'query_events',
    title: 'Event Logs',
    description:
      'Event logs, with a verdict on whether they are complete. Mode count (default) returns the exact number, the first block and the decoded last row: use it for "how many" and "when last". groups returns counts, and sums of a parameter, by one or two fields: use it for "who got what". sample returns 5 rows. rows returns pages of decoded rows, with next_call for the next page. file writes all rows as NDJSON or Parquet and returns path and SHA-256: use it for hundreds of rows or more. Names of deployments and events of the project work as they are. An expensive query returns an estimate instead: narrow it or confirm. Do NOT page through rows to count or to find the last one. Do NOT use it for one known transaction (get_transaction) or for balances (get_address). If complete is not true, say so and state the reasons.',
    input: queryEventsInput,
    idempotent: true,
  },
  {
    name: 'decode_data',
    title: 'Decode Hex',
    description:
      'What hex may mean: calldata, revert data, a function or error selector, a topic0, encoded values. Uses the project, standards, and providers that the user allowed. Returns candidates with their origin, the most trusted first: if there are several, none is certain. Sends no request unless providers are allowed. Do NOT use it for a transaction hash (get_transaction) or for rows of query_events, which are already decoded.',
    input: decodeDataInput,
    idempotent: true,
  },
  {
    name: 'get_transaction',
    title: 'Transaction',
    description:
      'One transaction by its hash: status, block, time, sender, receiver, value and fee in wei, decoded call and logs, token transfers. If it failed: why, with lines of the project that may have reverted. With trace also each call that it made (contract, function, arguments, error) and in failedAt the exact line, or, if certain is false, lines that may be it. Do NOT use it in a loop over many hashes: query_events returns rows of many transactions at once.',
    input: getTransactionInput,
    idempotent: true,
  },
  {
    name: 'read_contract',
    title: 'Read Contract',
    description:
      'What a view function or public variable of a contract returns, now or in the state after an earlier block. Works with names of deployments, functions and enum members of the project; a proxy is read with the code that it runs in that block. Sends a few requests and changes nothing: no transaction is sent. If the call reverts, the error says why. Do NOT use it for native or token balances of many tokens (get_address), or in a loop over blocks or accounts to build a history (query_events).',
    input: readContractInput,
    idempotent: true,
  },
  {
    name: 'get_state',
    title: 'Holders, Roles, Allowances',
    description:
      'Who holds a token and how much, who has which role of a contract, or who may spend what: rebuilt from all logs up to a block and compared with calls at that block. Returns the count, the largest rows (more by next_call), and a verdict: confirmed is true only if the logs are complete and every row equals a call. Otherwise the reasons say what does not fit, as that the token rebases: then do NOT present the rows as the holders. Tell what restsOn names. May take many requests for a token with many transfers. Do NOT use it for one balance or one role (read_contract), or for transfers over time (query_events).',
    input: getStateInput,
    idempotent: true,
  },
  {
    name: 'compare_code',
    title: 'Compare Code',
    description:
      'Whether the code deployed at an address is that of a contract of the project, as it is compiled now. match is exact, metadata (only comments or paths differ), immutables (filled in by the deployment: listed with values), settings (same sources, other compiler settings: listed), different (with functions and selectors that differ; isPartial: others may differ too), none (no code there) or unknown; same is true for the first three. A proxy is compared by the code that it runs. The reasons say what was not compared. If a source changed since the build, nothing is complete: then say so and compile first. Sends one to a few requests and changes nothing. Do NOT use it to find out what a contract does (resolve_contract), or as an audit: values of immutables and storage are not judged.',
    input: compareCodeInput,
    idempotent: true,
  },
] as const satisfies readonly OperationTool[];
