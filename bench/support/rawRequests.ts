import { fetch } from 'undici';
import { type Recorded, recordedPath } from './countingServer.ts';

/** The least that a client in this process can do: `fetch`, and `JSON.parse` of the body. */
export async function fetchAndParse(url: string, body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  return JSON.parse(await response.text());
}

/** The request for the first logs of an address. */
export function bodyOfTheFirstPage(address: string): string {
  const query = { address, fromBlock: 'earliest', toBlock: 'latest' };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [query] });
}

/** Sends the same requests again, so many at once. */
export async function replay(url: string, bodies: readonly string[], atOnce: number): Promise<void> {
  const queue = bodies.values();
  const worker = async () => {
    for (const body of queue) await fetchAndParse(url, body);
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, worker));
}

/** What the front at `url` has been asked since this was last called. */
export async function takeRecorded(url: string): Promise<Recorded> {
  const response = await fetch(new URL(recordedPath, url));
  return (await response.json()) as Recorded;
}

interface WireRow {
  readonly blockNumber: string;
  readonly logIndex: string;
  readonly transactionIndex: string;
}

/** Reads every log of an address by the server's cursor, one page after another. */
export async function pageByCursor(url: string, address: string): Promise<void> {
  let after: WireRow | undefined;
  do {
    const query = {
      ...{ address, fromBlock: 'earliest', toBlock: 'latest' },
      ...(after && {
        paging_options: {
          blockNumber: after.blockNumber.slice(2),
          logIndex: after.logIndex.slice(2),
          transactionIndex: Number(after.transactionIndex),
        },
      }),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [query] });
    const { result } = (await fetchAndParse(url, body)) as { readonly result: readonly WireRow[] };
    after = result.length < 1000 ? undefined : result.at(-1);
  } while (after);
}
