import { aboutQuery } from '../handed/comments.ts';
import { endpointOf } from '../handed/endpoint.ts';
import { blocksOf, type Handed, type HandedBlocks, type HandedQuery } from '../handed/handover.ts';
import { rpcFilter } from '../handed/rpcFilter.ts';
import { shellCommand, shellHeader, shellQuote, shellUrl } from './shellText.ts';

/** A command of cast; several addresses, or values of a topic, only `cast rpc` takes. */
export function handToCast(query: HandedQuery): Handed {
  const blocks = blocksOf(query);
  if (!blocks) return { refused: 'blocks' };
  const endpoint = endpointOf(query);
  const { addresses, topics } = query.filter;
  const isPlain = addresses.length <= 1 && topics.every((values) => values === null || values.length === 1);
  return shellCommand(
    [aboutQuery(query), ...endpoint.notes],
    [
      `cast ${isPlain ? 'logs --json' : 'rpc'} --rpc-url ${shellUrl(endpoint)}`,
      ...(endpoint.header ? [`--rpc-headers ${shellHeader(endpoint.header)}`] : []),
      ...(isPlain ? placesOf(query, blocks) : [rpcOf(query, blocks)]),
    ],
  );
}

function placesOf({ filter }: HandedQuery, { from, to }: HandedBlocks): readonly string[] {
  const [address] = filter.addresses;
  const topics = filter.topics.map((values) => shellQuote(values?.[0] ?? ''));
  return [
    `--from-block ${from} --to-block ${to}`,
    ...(address === undefined ? [] : [`--address ${shellQuote(address)}`]),
    ...(topics.length === 0 ? [] : [topics.join(' ')]),
  ];
}

function rpcOf({ filter }: HandedQuery, blocks: HandedBlocks): string {
  return `eth_getLogs ${shellQuote(JSON.stringify(rpcFilter(filter, blocks)))}`;
}
