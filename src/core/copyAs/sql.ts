import { badInput } from '../base/errors.ts';
import { formatIsoTime } from '../eth/time.ts';
import { type CopyQuery, type CopyResult, describeQuery, toCopyBlocks } from './copyQuery.ts';
import { getBigQueryTable, getDuneTable } from './datasets.ts';

/**
 * SQL for the public data sets of BigQuery: hex is lower-case text, topics are an array, and tables are partitioned by
 * the time of the block. https://github.com/blockchain-etl/ethereum-etl-airflow
 */
export function copyAsBigQuery(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  const table = getBigQueryTable(query.network.chainId);
  if (table === undefined) return { error: 'chain' };
  if (!blocks) return { error: 'blocks' };
  const { addresses, topics } = query.filter;
  const { from, before } = formatTimeBounds(query);
  const conditions = [
    ...(from === undefined ? [] : [`block_timestamp >= TIMESTAMP '${from} UTC'`]),
    ...(before === undefined ? [] : [`block_timestamp < TIMESTAMP '${before} UTC'`]),
    `block_number >= ${blocks.from}`,
    ...(blocks.to === 'latest' ? [] : [`block_number <= ${blocks.to}`]),
    ...(addresses.length === 0 ? [] : [formatOneOf('address', addresses.map(formatTextLiteral))]),
    ...topics.flatMap((values, position) =>
      values ? [formatOneOf(`topics[SAFE_OFFSET(${position})]`, values.map(formatTextLiteral))] : [],
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

/**
 * Trino SQL for Dune: hex is an unquoted varbinary, and tables are partitioned by the day of the block.
 * https://docs.dune.com/data-catalog/evm/ethereum/raw/logs
 */
export function copyAsDune(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  const table = getDuneTable(query.network.chainId);
  if (table === undefined) return { error: 'chain' };
  if (!blocks) return { error: 'blocks' };
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

const UNBOUNDED_NOTE =
  'Add bounds for the times of the first and the last block. Without them, all partitions are read.';

function formatTextLiteral(hex: string): string {
  return `'${sanitizeHex(hex)}'`;
}

/** Hex that cannot break out of a literal. */
function sanitizeHex(text: string): string {
  if (!/^0x[0-9a-f]*$/.test(text)) throw badInput('filter', 'Not hex in lower case.');
  return text;
}

function formatOneOf(column: string, literals: readonly string[]): string {
  const [first, ...others] = literals;
  return others.length === 0 ? `${column} = ${first}` : `${column} IN (${literals.join(', ')})`;
}

/**
 * The time bounds of a query, in UTC: `2026-11-01 12:30:00`. `until` is the second of its last block, `before` the next
 * one: a data set may have fractions of seconds, which nodes do not.
 */
function formatTimeBounds({ times }: Pick<CopyQuery, 'times'>) {
  const { from, to } = times ?? {};
  const until = formatTimestamp(to);
  return { from: formatTimestamp(from), until, before: until && formatTimestamp((to ?? 0) + 1000) };
}

function formatTimestamp(time: number | undefined): string | undefined {
  const iso = formatIsoTime(time);
  // Years beyond four digits have a sign.
  return iso?.length === 20 ? iso.replace('T', ' ').replace('Z', '') : undefined;
}
