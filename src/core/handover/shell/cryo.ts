import { aboutQuery } from '../handed/comments.ts';
import { endpointOf } from '../handed/endpoint.ts';
import { blocksOf, type Handed, type HandedQuery } from '../handed/handover.ts';
import { shellCommand, shellQuote, shellUrl } from './shellText.ts';

const BLOCKS_AT_ONCE = 1000;

/**
 * A command of cryo, which writes Parquet files: its ranges end before their last block, and of several values in one
 * place it asks for each by itself. https://github.com/paradigmxyz/cryo
 */
export function handToCryo(query: HandedQuery): Handed {
  const blocks = blocksOf(query);
  const endpoint = endpointOf(query);
  if (!blocks) return { refused: 'blocks' };
  if (endpoint.header) return { refused: 'header' };
  const { addresses, topics } = query.filter;
  const end = blocks.to === 'latest' ? blocks.to : blocks.to + 1n;
  const option = (name: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`${name} ${values.map(shellQuote).join(' ')}`];
  return shellCommand(
    [aboutQuery(query), ...endpoint.notes],
    [
      `cryo logs --rpc ${shellUrl(endpoint)}`,
      `--blocks ${blocks.from}:${end} --inner-request-size ${BLOCKS_AT_ONCE} --hex`,
      ...option('--contract', addresses),
      ...topics.flatMap((values, position) => option(`--topic${position}`, values ?? [])),
    ],
  );
}
