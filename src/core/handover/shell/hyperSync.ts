import { hyperSyncUrl } from '../handed/chains.ts';
import { aboutQuery } from '../handed/comments.ts';
import { blocksOf, type Handed, type HandedQuery } from '../handed/handover.ts';
import { postJson } from './curl.ts';
import { shellCommand, shellQuote } from './shellText.ts';

const FIELDS = {
  block: ['number', 'timestamp', 'hash'],
  log: [
    ...['block_number', 'block_hash', 'transaction_hash', 'transaction_index', 'log_index'],
    ...['address', 'topic0', 'topic1', 'topic2', 'topic3', 'data'],
  ],
};

/**
 * A query of HyperSync as a command of curl: its ranges end before their last block, an empty list of topics is any.
 * https://docs.envio.dev/docs/HyperSync/hypersync-query
 */
export function handToHyperSync(query: HandedQuery): Handed {
  const blocks = blocksOf(query);
  const url = hyperSyncUrl(query.network.chainId);
  if (url === undefined) return { refused: 'chain' };
  if (!blocks) return { refused: 'blocks' };
  const { addresses, topics } = query.filter;
  const log = {
    ...(addresses.length > 0 && { address: addresses }),
    ...(topics.length > 0 && { topics: topics.map((values) => values ?? []) }),
  };
  const body = {
    from_block: Number(blocks.from),
    ...(blocks.to !== 'latest' && { to_block: Number(blocks.to) + 1 }),
    logs: [log],
    field_selection: FIELDS,
  };
  const end = blocks.to === 'latest' ? 'archive_height' : 'to_block';
  return shellCommand(
    [
      aboutQuery(query),
      `An answer may end early: ask again with its next_block as from_block until that reaches ${end}.`,
      'ENVIO_API_TOKEN: your token for HyperSync.',
    ],
    postJson(shellQuote(url), body, `'authorization: Bearer '"$ENVIO_API_TOKEN"`),
  );
}
