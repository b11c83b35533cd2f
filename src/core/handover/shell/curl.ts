import { aboutQuery } from '../handed/comments.ts';
import { endpointOf } from '../handed/endpoint.ts';
import { blocksOf, type Handed, type HandedQuery } from '../handed/handover.ts';
import { rpcFilter } from '../handed/rpcFilter.ts';
import { shellCommand, shellHeader, shellQuote, shellUrl } from './shellText.ts';

/** `eth_getLogs` as a command of curl. */
export function handToCurl(query: HandedQuery): Handed {
  const blocks = blocksOf(query);
  if (!blocks) return { refused: 'blocks' };
  const endpoint = endpointOf(query);
  const params = [rpcFilter(query.filter, blocks)];
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params };
  return shellCommand(
    [aboutQuery(query), ...endpoint.notes],
    postJson(shellUrl(endpoint), body, endpoint.header && shellHeader(endpoint.header)),
  );
}

/** The parts of a command that posts JSON; `url` and `header` are words of a shell. */
export function postJson(url: string, body: unknown, header?: string): readonly string[] {
  return [
    `curl -sS --globoff ${url}`,
    `-H 'content-type: application/json'`,
    ...(header === undefined ? [] : [`-H ${header}`]),
    `--data-raw ${shellQuote(JSON.stringify(body))}`,
  ];
}
