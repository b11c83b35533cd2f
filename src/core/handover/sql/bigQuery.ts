import { bigQueryTable } from '../handed/chains.ts';
import { aboutQuery } from '../handed/comments.ts';
import { blocksOf, type Handed, type HandedQuery } from '../handed/handover.ts';
import { oneOf, plainHex, timeBounds, UNBOUNDED } from './sqlText.ts';

/**
 * SQL for the public data sets of BigQuery: hex is text in lower case, topics are an array, and the time of the block is
 * the partition. https://github.com/blockchain-etl/ethereum-etl-airflow
 */
export function handToBigQuery(query: HandedQuery): Handed {
  const blocks = blocksOf(query);
  const table = bigQueryTable(query.network.chainId);
  if (table === undefined) return { refused: 'chain' };
  if (!blocks) return { refused: 'blocks' };
  const { addresses, topics } = query.filter;
  const { from, before } = timeBounds(query);
  const conditions = [
    ...(from === undefined ? [] : [`block_timestamp >= TIMESTAMP '${from} UTC'`]),
    ...(before === undefined ? [] : [`block_timestamp < TIMESTAMP '${before} UTC'`]),
    `block_number >= ${blocks.from}`,
    ...(blocks.to === 'latest' ? [] : [`block_number <= ${blocks.to}`]),
    ...(addresses.length === 0 ? [] : [oneOf('address', addresses.map(textLiteral))]),
    ...topics.flatMap((values, position) =>
      values ? [oneOf(`topics[SAFE_OFFSET(${position})]`, values.map(textLiteral))] : [],
    ),
  ];
  const isBounded = from !== undefined && (before !== undefined || blocks.to === 'latest');
  const notes = [aboutQuery(query), ...(isBounded ? [] : [UNBOUNDED])];
  const text = `${notes.map((note) => `-- ${note}\n`).join('')}SELECT block_timestamp, block_number, transaction_hash, transaction_index, log_index, address, topics, data
FROM \`${table}\`
WHERE ${conditions.join('\n  AND ')}
ORDER BY block_number, log_index
`;
  return { text };
}

function textLiteral(hex: string): string {
  return `'${plainHex(hex)}'`;
}
