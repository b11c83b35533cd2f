import { badInput } from '../base/errors.ts';
import { formatIsoTime } from '../eth/time.ts';
import { type CopyQuery, type CopyResult, describeQuery, toCopyBlocks } from './copyQuery.ts';
import { getBigQueryTable, getDuneTable } from './datasets.ts';

/**
 * SQL for the public data sets of BigQuery: hex is text in lower case, topics are an array, and the time of the block is
 * the partition. https://github.com/blockchain-etl/ethereum-etl-airflow
 */
export function copyAsBigQuery(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  const table = getBigQueryTable(query.network.chainId);
  if (table === undefined) return { refused: 'chain' };
  if (!blocks) return { refused: 'blocks' };
  const { addresses, topics } = query.filter;
  const { from, before } = formatTimeBounds(query);
  const conditions = [
    ...(from === undefined ? [] : [`block_timestamp >= TIMESTAMP '${from} UTC'`]),
    ...(before === undefined ? [] : [`block_timestamp < TIMESTAMP '${before} UTC'`]),
    `block_number >= ${blocks.from}`,
    ...(blocks.to === 'latest' ? [] : [`block_number <= ${blocks.to}`]),
    ...(addresses.length === 0 ? [] : [formatOneOf('address', addresses.map(textLiteral))]),
    ...topics.flatMap((values, position) =>
      values ? [formatOneOf(`topics[SAFE_OFFSET(${position})]`, values.map(textLiteral))] : [],
    ),
  ];
  const isBounded = from !== undefined && (before !== undefined || blocks.to === 'latest');
  const notes = [describeQuery(query), ...(isBounded ? [] : [UNBOUNDED_NOTE])];
  const text = `${notes.map((note) => `-- ${note}\n`).join('')}SELECT block_timestamp, block_number, transaction_hash, transaction_index, log_index, address, topics, data
FROM \`${table}\`
WHERE ${conditions.join('\n  AND ')}
ORDER BY block_number, log_index
`;
  return { text };
}

function textLiteral(hex: string): string {
  return `'${sanitizeHex(hex)}'`;
}

/**
 * SQL of Trino for Dune: hex is a varbinary without quotes, and the day of the block is the partition.
 * https://docs.dune.com/data-catalog/evm/ethereum/raw/logs
 */
export function copyAsDune(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  const table = getDuneTable(query.network.chainId);
  if (table === undefined) return { refused: 'chain' };
  if (!blocks) return { refused: 'blocks' };
  const { addresses, topics } = query.filter;
  const { from, until, before } = formatTimeBounds(query);
  const conditions = [
    ...(from === undefined
      ? []
      : [`block_date >= date '${from.slice(0, 10)}'`, `block_time >= timestamp '${from}'`]),
    ...(until === undefined || before === undefined
      ? []
      : [`block_date <= date '${until.slice(0, 10)}'`, `block_time < timestamp '${before}'`]),
    `block_number >= ${blocks.from}`,
    ...(blocks.to === 'latest' ? [] : [`block_number <= ${blocks.to}`]),
    ...(addresses.length === 0 ? [] : [formatOneOf('contract_address', addresses.map(sanitizeHex))]),
    ...topics.flatMap((values, position) =>
      values ? [formatOneOf(`topic${position}`, values.map(sanitizeHex))] : [],
    ),
  ];
  const isBounded = from !== undefined && (before !== undefined || blocks.to === 'latest');
  const notes = [describeQuery(query), ...(isBounded ? [] : [UNBOUNDED_NOTE])];
  const columns = ['block_time', 'block_number', 'tx_hash', 'tx_index', 'index', 'contract_address'];
  const text = `${notes.map((note) => `-- ${note}\n`).join('')}SELECT ${columns.join(', ')},
  topic0, topic1, topic2, topic3, data
FROM ${table}
WHERE ${conditions.join('\n  AND ')}
ORDER BY block_number, index
`;
  return { text };
}

/** Hex that can break out of no literal. */
function sanitizeHex(text: string): string {
  if (!/^0x[0-9a-f]*$/.test(text)) throw badInput('filter', 'Not hex in lower case.');
  return text;
}

/** A column that has one of these values. */
function formatOneOf(column: string, literals: readonly string[]): string {
  const [first, ...others] = literals;
  return others.length === 0 ? `${column} = ${first}` : `${column} IN (${literals.join(', ')})`;
}

/**
 * The bounds of a query in time, by the seconds of UTC: `2026-11-01 12:30:00`. `before` is the second after that of its last
 * block, `until` is that: a place may have parts of seconds that a node does not tell.
 */
function formatTimeBounds({ times }: Pick<CopyQuery, 'times'>) {
  const { from, to } = times ?? {};
  const until = timestampOf(to);
  return { from: timestampOf(from), until, before: until && timestampOf((to ?? 0) + 1000) };
}

function timestampOf(time: number | undefined): string | undefined {
  const iso = formatIsoTime(time);
  // Years beyond four digits have a sign.
  return iso?.length === 20 ? iso.replace('T', ' ').replace('Z', '') : undefined;
}

/** What stands above a query whose partitions are not bounded on both sides. */
const UNBOUNDED_NOTE =
  'Add a bound for the time of the first block, and for that of the last: without one all partitions are read.';
