import type { FetchLike } from '../../src/core/index.ts';

/** A `fetch` that notes what it asks: the methods of each JSON-RPC request, or the path of a GET. */
export function createRecordingFetch(fetchIt: FetchLike = fetch as FetchLike) {
  const asked: (readonly string[])[] = [];
  const counted: FetchLike = (url, init) => {
    const calls = init.body === undefined ? [] : [JSON.parse(init.body)].flat();
    const methods = calls.map(({ method }: { method: string }) => method);
    asked.push(init.body === undefined ? [new URL(url).pathname] : methods);
    return fetchIt(url, init);
  };
  return { fetch: counted, asked };
}
