import { toPortalItem } from '../logs/engine/portalLogs.ts';
import { toStreamBody } from '../portal/portalMessages.ts';
import {
  type CopyBlocks,
  type CopyEndpoint,
  type CopyQuery,
  type CopyResult,
  describeQuery,
  formatComment,
  toCopyBlocks,
  toCopyEndpoint,
  toCopyPortal,
  toRpcFilter,
} from './copyQuery.ts';
import { getHyperSyncUrl } from './datasets.ts';

/** A command of cast. Several addresses, or several values of a topic, require `cast rpc`. */
export function copyAsCast(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  if (!blocks) return { error: 'blocks' };
  const endpoint = toCopyEndpoint(query);
  const { addresses, topics } = query.filter;
  const isSingleValued =
    addresses.length <= 1 && topics.every((values) => values === null || values.length === 1);
  return formatShellCommand(
    [describeQuery(query), ...endpoint.notes],
    [
      `cast ${isSingleValued ? 'logs --json' : 'rpc'} --rpc-url ${formatShellUrl(endpoint)}`,
      ...(endpoint.header ? [`--rpc-headers ${formatShellHeader(endpoint.header)}`] : []),
      ...(isSingleValued ? formatCastFilter(query, blocks) : [formatCastRpc(query, blocks)]),
    ],
  );
}

function formatCastFilter({ filter }: CopyQuery, { from, to }: CopyBlocks): readonly string[] {
  const [address] = filter.addresses;
  const topics = filter.topics.map((values) => quoteForShell(values?.[0] ?? ''));
  return [
    `--from-block ${from} --to-block ${to}`,
    ...(address === undefined ? [] : [`--address ${quoteForShell(address)}`]),
    ...(topics.length === 0 ? [] : [topics.join(' ')]),
  ];
}

function formatCastRpc({ filter }: CopyQuery, blocks: CopyBlocks): string {
  return `eth_getLogs ${quoteForShell(JSON.stringify(toRpcFilter(filter, blocks)))}`;
}

/**
 * A command of cryo, which writes Parquet files. The end of its range is exclusive. It sends a separate request for
 * each of several values at one position. https://github.com/paradigmxyz/cryo
 */
export function copyAsCryo(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  const endpoint = toCopyEndpoint(query);
  if (!blocks) return { error: 'blocks' };
  if (endpoint.header) return { error: 'header' };
  const { addresses, topics } = query.filter;
  const end = blocks.to === 'latest' ? blocks.to : blocks.to + 1n;
  const formatOption = (name: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`${name} ${values.map(quoteForShell).join(' ')}`];
  return formatShellCommand(
    [describeQuery(query), ...endpoint.notes],
    [
      `cryo logs --rpc ${formatShellUrl(endpoint)}`,
      `--blocks ${blocks.from}:${end} --inner-request-size ${CRYO_BLOCKS_PER_REQUEST} --hex`,
      ...formatOption('--contract', addresses),
      ...topics.flatMap((values, position) => formatOption(`--topic${position}`, values ?? [])),
    ],
  );
}

const CRYO_BLOCKS_PER_REQUEST = 1000;

/** `eth_getLogs` with curl. */
export function copyAsCurl(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  if (!blocks) return { error: 'blocks' };
  const endpoint = toCopyEndpoint(query);
  const params = [toRpcFilter(query.filter, blocks)];
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params };
  return formatShellCommand(
    [describeQuery(query), ...endpoint.notes],
    formatJsonPost(formatShellUrl(endpoint), body, endpoint.header && formatShellHeader(endpoint.header)),
  );
}

/**
 * A query of HyperSync with curl. The end of its range is exclusive; an empty list of topics matches any.
 * https://docs.envio.dev/docs/HyperSync/hypersync-query
 */
export function copyAsHyperSync(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  const url = getHyperSyncUrl(query.network.chainId);
  if (url === undefined) return { error: 'chain' };
  if (!blocks) return { error: 'blocks' };
  const { addresses, topics } = query.filter;
  const log = {
    ...(addresses.length > 0 && { address: addresses }),
    ...(topics.length > 0 && { topics: topics.map((values) => values ?? []) }),
  };
  const body = {
    from_block: Number(blocks.from),
    ...(blocks.to !== 'latest' && { to_block: Number(blocks.to) + 1 }),
    logs: [log],
    field_selection: HYPERSYNC_FIELDS,
  };
  const end = blocks.to === 'latest' ? 'archive_height' : 'to_block';
  return formatShellCommand(
    [
      describeQuery(query),
      `A response may end early. Repeat the request with its next_block as from_block until that reaches ${end}.`,
      'ENVIO_API_TOKEN: your token for HyperSync.',
    ],
    formatJsonPost(quoteForShell(url), body, `'authorization: Bearer '"$ENVIO_API_TOKEN"`),
  );
}

const HYPERSYNC_FIELDS = {
  block: ['number', 'timestamp', 'hash'],
  log: [
    ...['block_number', 'block_hash', 'transaction_hash', 'transaction_index', 'log_index'],
    ...['address', 'topic0', 'topic1', 'topic2', 'topic3', 'data'],
  ],
};

/** A stream request to an SQD Portal with curl. */
export function copyAsSqdPortal(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  const portal = toCopyPortal(query.network);
  if (!portal) return { error: 'chain' };
  if (!blocks) return { error: 'blocks' };
  const { addresses, topics } = query.filter;
  const toBlock = blocks.to === 'latest' ? undefined : blocks.to;
  const end = toBlock === undefined ? 'the newest block' : `block ${toBlock}`;
  const logs = [toPortalItem({ ...(addresses.length > 0 && { address: addresses }), topics })];
  return formatShellCommand(
    [
      describeQuery(query),
      `Each line is a block. If a response ends before ${end}, repeat the request from the block after its last line.`,
      ...portal.notes,
    ],
    [
      ...formatJsonPost(
        formatShellUrl(portal),
        toStreamBody({ fromBlock: blocks.from, toBlock, logs }),
        portal.header && formatShellHeader(portal.header),
      ),
      '--compressed',
    ],
  );
}

/** The parts of a curl command that posts JSON; `url` and `header` are quoted for the shell. */
function formatJsonPost(url: string, body: unknown, header?: string): readonly string[] {
  return [
    `curl -sS --globoff ${url}`,
    `-H 'content-type: application/json'`,
    ...(header === undefined ? [] : [`-H ${header}`]),
    `--data-raw ${quoteForShell(JSON.stringify(body))}`,
  ];
}

/** A command, one part a line, with comments above it. */
export function formatShellCommand(notes: readonly string[], parts: readonly string[]): CopyResult {
  const text = `${notes.map((note) => `# ${formatComment(note)}\n`).join('')}${parts.join(' \\\n  ')}\n`;
  return text.length > MAX_COMMAND_CHARS ? { error: 'tooLong' } : { text };
}

/** The maximum length of an argument on Linux, less a margin. */
const MAX_COMMAND_CHARS = 120_000;

/**
 * A text as one word of a POSIX shell.
 *
 * @example quoteForShell("it's") // "'it'\\''s'"
 */
export function quoteForShell(text: string): string {
  return /^[A-Za-z0-9_./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function formatShellUrl({ url }: CopyEndpoint): string {
  return url === undefined ? '"$RPC_URL"' : quoteForShell(url);
}

/** The secret is in a variable; the name is a valid HTTP header name. */
export function formatShellHeader({ name, prefix }: NonNullable<CopyEndpoint['header']>): string {
  return `${quoteForShell(`${name}: ${prefix}`)}"$RPC_KEY"`;
}
