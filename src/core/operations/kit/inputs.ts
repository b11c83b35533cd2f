import * as z from 'zod/mini';

const described = <T extends z.ZodMiniType>(schema: T, text: string) => schema.check(z.describe(text));
const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));

/** An address with 0x, or a name that stands for one. */
const account = text(120);
const value = z.union([z.string().check(z.maxLength(2000)), z.boolean(), z.int()]);
const block = z.union([text(40), z.int().check(z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER))]);

export const MOST_ROWS = 100;

/** The parts of a question about events, as an agent writes them. */
const question = {
  address: z.optional(
    described(
      z.union([account, z.array(account).check(z.minLength(1), z.maxLength(20))]),
      'Contract(s): 0x address, or the name of a deployment or label. Leave out for any contract.',
    ),
  ),
  event: z.optional(
    described(
      text(1000),
      'Name of an event of the contract (Transfer), or its declaration: Transfer(address indexed from, address indexed to, uint256 value), or a topic0.',
    ),
  ),
  args: z.optional(
    described(
      z
        .record(text(100), z.union([value, z.array(value).check(z.minLength(1), z.maxLength(50))]))
        .check(z.refine((args) => Object.keys(args).length <= 8)),
      'Values of indexed parameters by name; a list means any of them. Addresses may be names. Large integers as strings.',
    ),
  ),
  from: z.optional(
    described(
      block,
      'First block: number, earliest, latest-1000, -1000 (the last thousand), or a time: 2026-11-01, 2026-11-01T12:30Z, -7d. Default: where the contract was deployed, else the first block.',
    ),
  ),
  to: z.optional(described(block, 'Last block or time, as in from. Default: latest.')),
  order: z.optional(
    described(z.enum(['oldestFirst', 'newestFirst']), 'Of sample (newestFirst) and rows (oldestFirst).'),
  ),
};

export const queryEventsInput = z.strictObject({
  ...question,
  mode: z._default(
    described(
      z.enum(['count', 'sample', 'rows', 'file']),
      'count: exact number, first and last row. sample: 5 rows. rows: decoded rows, page by page. file: all rows to a file.',
    ),
    'count',
  ),
  limit: z.optional(
    described(z.int().check(z.minimum(1), z.maximum(MOST_ROWS)), 'Most rows of a page of mode rows (20).'),
  ),
  cursor: z.optional(
    described(
      text(6000),
      'From next_call of the page before; it holds the whole question, so leave the rest out.',
    ),
  ),
  format: z.optional(described(z.enum(['ndjson', 'parquet']), 'Of mode file (ndjson).')),
  file: z.optional(
    described(
      z.string().check(z.regex(/^[A-Za-z0-9][\w-]{0,79}$/)),
      'Name of the new file without extension; nothing is ever overwritten.',
    ),
  ),
  confirm: z.optional(
    described(z.boolean(), 'Only after an answer with an estimate: read on although it takes many requests.'),
  ),
});
export type QueryEventsInput = z.infer<typeof queryEventsInput>;

export const getNetworkInput = z.strictObject({});

export const resolveContractInput = z.strictObject({
  contract: described(account, 'Name of a contract, deployment or label, or a 0x address.'),
});

export const getAddressInput = z.strictObject({
  address: described(account, '0x address, or the name of a deployment or label.'),
});

export const decodeDataInput = z.strictObject({
  hex: described(
    z.string().check(z.regex(/^0x(?:[0-9a-fA-F]{2})+$/), z.maxLength(100_000)),
    'Calldata, revert data, selector, topic0 or encoded values, with 0x.',
  ),
  address: z.optional(
    described(account, 'The contract that was called, reverted or emitted: address or name.'),
  ),
});

export const getTransactionInput = z.strictObject({
  hash: described(z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)), 'Hash of the transaction.'),
});

/** Of the tool that only an editor has. */
export const openQueryInput = z.strictObject({
  what: z._default(
    described(
      z.enum(['query', 'selection', 'openFile']),
      'query: open the question below in a panel. selection: decode the hex selected in the editor. openFile: contracts of the open file, with events and deployments. The last two take nothing else.',
    ),
    'query',
  ),
  ...question,
  run: z._default(described(z.boolean(), 'Whether to read the first page at once.'), true),
});
export type OpenQueryInput = z.infer<typeof openQueryInput>;
