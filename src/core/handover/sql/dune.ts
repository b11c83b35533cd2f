import { duneTable } from '../handed/chains.ts';
import { aboutQuery } from '../handed/comments.ts';
import { blocksOf, type Handed, type HandedQuery } from '../handed/handover.ts';
import { oneOf, plainHex, timeBounds, UNBOUNDED } from './sqlText.ts';

/**
 * SQL of Trino for Dune: hex is a varbinary without quotes, and the day of the block is the partition.
 * https://docs.dune.com/data-catalog/evm/ethereum/raw/logs
 */
export function handToDune(query: HandedQuery): Handed {
  const blocks = blocksOf(query);
  const table = duneTable(query.network.chainId);
  if (table === undefined) return { refused: 'chain' };
  if (!blocks) return { refused: 'blocks' };
  const { addresses, topics } = query.filter;
  const { from, until, before } = timeBounds(query);
  const conditions = [
    ...(from === undefined
      ? []
      : [`block_date >= date '${from.slice(0, 10)}'`, `block_time >= timestamp '${from}'`]),
    ...(until === undefined || before === undefined
      ? []
      : [`block_date <= date '${until.slice(0, 10)}'`, `block_time < timestamp '${before}'`]),
    `block_number >= ${blocks.from}`,
    ...(blocks.to === 'latest' ? [] : [`block_number <= ${blocks.to}`]),
    ...(addresses.length === 0 ? [] : [oneOf('contract_address', addresses.map(plainHex))]),
    ...topics.flatMap((values, position) =>
      values ? [oneOf(`topic${position}`, values.map(plainHex))] : [],
    ),
  ];
  const isBounded = from !== undefined && (before !== undefined || blocks.to === 'latest');
  const notes = [aboutQuery(query), ...(isBounded ? [] : [UNBOUNDED])];
  const columns = ['block_time', 'block_number', 'tx_hash', 'tx_index', 'index', 'contract_address'];
  const text = `${notes.map((note) => `-- ${note}\n`).join('')}SELECT ${columns.join(', ')},
  topic0, topic1, topic2, topic3, data
FROM ${table}
WHERE ${conditions.join('\n  AND ')}
ORDER BY block_number, index
`;
  return { text };
}
