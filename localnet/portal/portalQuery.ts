import * as z from 'zod/mini';

/** What the server says of a request that it does not take. */
export class RefusedByPortal extends Error {}

const height = z.int().check(z.minimum(0));
const hex = z.string().check(z.regex(/^0x[0-9a-f]*$/));
const values = z.nullish(z.array(hex));
const flags = (...names: readonly string[]) =>
  z.optional(z.strictObject(Object.fromEntries(names.map((name) => [name, z.optional(z.boolean())]))));

/** One selection of logs: all of it holds for each; a field that is left out or null is any, an empty list none. */
const logItem = z.strictObject({
  ...{ address: values, topic0: values, topic1: values, topic2: values, topic3: values },
});
const querySchema = z.strictObject({
  type: z.literal('evm'),
  fromBlock: height,
  toBlock: z.nullish(height),
  parentBlockHash: z.nullish(z.string()),
  includeAllBlocks: z.optional(z.boolean()),
  fields: z.optional(
    z.strictObject({
      block: flags('number', 'hash', 'parentHash', 'timestamp', 'gasUsed', 'miner'),
      log: flags('logIndex', 'transactionIndex', 'transactionHash', 'address', 'data', 'topics'),
    }),
  ),
  logs: z.optional(z.array(logItem)),
});

export type LogItem = z.infer<typeof logItem>;
export type PortalQuery = z.infer<typeof querySchema>;

const largestBody = 256 * 1024;

/** Reads the body of a stream request. @throws RefusedByPortal with the words of the server. */
export function readPortalQuery(body: string, mostItems: number): PortalQuery {
  if (body.length > largestBody) throw refused('length limit exceeded');
  const parsed = querySchema.safeParse(parsedJson(body));
  if (!parsed.success) throw refused(`unknown or malformed field: ${parsed.error.issues[0]?.path.join('.')}`);
  const { fromBlock, toBlock, logs = [] } = parsed.data;
  if (logs.length > mostItems) {
    throw refused(`query contains ${logs.length} item requests, but only ${mostItems} is allowed`);
  }
  if (typeof toBlock === 'number' && toBlock < fromBlock) throw refused('got "toBlock" < "fromBlock"');
  return parsed.data;
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw refused('not a JSON object');
  }
}

function refused(why: string): RefusedByPortal {
  return new RefusedByPortal(`Couldn't parse query: ${why}`);
}
