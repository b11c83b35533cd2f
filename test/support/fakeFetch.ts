import type { FetchLike } from '../../src/core/index.ts';
import type { LogDataSet } from './logDataSets.ts';

/** An answer as a test writes it: JSON under status 200, or a whole response. */
export type ScriptedAnswer = Response | object | string | null;

/**
 * A `fetch` whose answers `answer` gives by path and query; what it throws is a failure of the network. Notes what was
 * asked.
 */
export function scriptedFetch(answer: (path: string, url: URL) => ScriptedAnswer): {
  readonly fetch: FetchLike;
  readonly asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (target, { signal }) => {
      signal.throwIfAborted();
      const url = new URL(target);
      asked.push(url.pathname + url.search);
      const given = answer(url.pathname, url);
      return given instanceof Response ? given : Response.json(given);
    },
  };
}

/** What a server that is made up for one test is asked for, in numbers. */
export interface RequestedLogs {
  readonly from: number;
  readonly to: number;
  readonly address: string | undefined;
  /** The place behind which a cursor asks to go on. */
  readonly after: { readonly block: number; readonly index: number } | undefined;
}

export interface ScriptedServer {
  readonly head: number;
  /** A Blockscout release or the name of a node; nothing is said by default. */
  readonly says?: { readonly release: string } | { readonly name: string };
  /** The rows of an answer, or the `error` of one. */
  readonly logs: (asked: RequestedLogs) => readonly object[] | { readonly error: unknown };
}

interface LogParams {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly address?: string;
  readonly paging_options?: { readonly blockNumber: string; readonly logIndex: string };
}

interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [LogParams];
}

const hex = (value: number, bytes: number) => `0x${value.toString(16).padStart(bytes * 2, '0')}`;

/** A log as a node writes it. */
export function createRow(block: number, index: number, more: object = {}): object {
  return {
    address: hex(0xa1, 20),
    topics: [],
    data: '0x',
    blockNumber: `0x${block.toString(16)}`,
    blockHash: hex(block + 1, 32),
    transactionHash: hex(block + 1, 32),
    transactionIndex: '0x0',
    logIndex: `0x${index.toString(16)}`,
    removed: false,
    ...more,
  };
}

/** A `fetch` that reaches such a server, and how many requests for logs have come. */
export function createScriptedFetch({ head, says, logs }: ScriptedServer) {
  let asked = 0;
  const fetch: FetchLike = async (_url, { body }) => {
    if (body === undefined) {
      if (!says || !('release' in says)) return Response.json('Page not found', { status: 404 });
      return Response.json({ backend_version: says.release });
    }
    const calls = JSON.parse(body);
    return Response.json(Array.isArray(calls) ? calls.map(answerCall) : answerCall(calls));
  };

  function answerCall({ id, method, params }: RpcCall): object {
    const reply = (answer: object) => ({ jsonrpc: '2.0', id, ...answer });
    if (method === 'eth_blockNumber') return reply({ result: hex(head, 1) });
    if (method === 'web3_clientVersion' && says && 'name' in says) return reply({ result: says.name });
    if (method === 'eth_getBlockByNumber')
      return reply({ error: { code: -32601, message: 'the method does not exist' } });
    if (method !== 'eth_getLogs') return reply({ error: { code: -32000, message: 'not here' } });
    asked++;
    const { fromBlock, toBlock, address, paging_options: cursor } = params[0];
    const answer = logs({
      from: Number(fromBlock),
      to: Number(toBlock),
      address,
      after: cursor && {
        block: Number.parseInt(cursor.blockNumber, 16),
        index: Number.parseInt(cursor.logIndex, 16),
      },
    });
    return reply('error' in answer ? answer : { result: answer });
  }

  return { fetch, asked: () => asked };
}

/** What sets a server apart from one that answers `eth_getLogs` whole and to the letter. */
export interface Quirks {
  /** What it says of itself: a Blockscout release, a node by its name, or nothing. Default nothing. */
  readonly says?: { readonly release: string } | { readonly name: string };
  /** The most rows that it gives, without a word of more. */
  readonly limit?: number;
  /** Which rows those are. Default the first. */
  readonly keeps?: 'first' | 'last';
  /** Parts of the question that it does not read. */
  readonly ignores?: readonly ('address' | 'topics' | 'range' | 'cursor')[];
  /** Changes the rows of an answer. */
  readonly change?: (rows: readonly Row[]) => readonly unknown[];
}

export type Row = Readonly<Record<string, unknown>> & { readonly blockNumber: string };

interface Filter {
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly paging_options?: { readonly blockNumber: string; readonly logIndex: string };
}

interface QuirkyCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [Filter];
}

const toQuantity = (value: number) => `0x${value.toString(16)}`;

/** A `fetch` that reaches a server with such quirks, at any address. */
export function createQuirkyFetch(set: LogDataSet, quirks: Quirks): FetchLike {
  const { says = {} } = quirks;
  const answers = new Map<string, string>();
  /** The rows of an answer as JSON: the same question gets the same. */
  const rowsFor = (filter: Filter): string => {
    const question = JSON.stringify(filter);
    const rows = answers.get(question) ?? JSON.stringify(answerLogs(set, quirks, filter));
    answers.set(question, rows);
    return rows;
  };
  return async (_url, { body }) => {
    if (body === undefined) {
      if (!('release' in says)) return Response.json('Page not found', { status: 404 });
      return Response.json({ backend_version: says.release });
    }
    const calls = JSON.parse(body);
    return jsonResponse(Array.isArray(calls) ? `[${calls.map(answerCall).join(',')}]` : answerCall(calls));
  };

  function answerCall({ id, method, params }: QuirkyCall): string {
    const reply = (answer: object) => JSON.stringify({ jsonrpc: '2.0', id, ...answer });
    if (method === 'eth_blockNumber') return reply({ result: toQuantity(set.head) });
    if (method === 'web3_clientVersion' && 'name' in says) return reply({ result: says.name });
    if (method !== 'eth_getLogs') return reply({ error: { code: -32000, message: 'not here' } });
    return `{"jsonrpc":"2.0","id":${id},"result":${rowsFor(params[0])}}`;
  }
}

function jsonResponse(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

function answerLogs(set: LogDataSet, quirks: Quirks, filter: Filter): readonly unknown[] {
  const { limit = Number.POSITIVE_INFINITY, keeps = 'first', ignores = [], change } = quirks;
  const range = ignores.includes('range')
    ? { from: 0, to: set.head }
    : { from: Number(filter.fromBlock), to: Number(filter.toBlock) };
  const addresses =
    filter.address === undefined || ignores.includes('address') ? [] : [filter.address].flat();
  const topics = ignores.includes('topics') ? [] : (filter.topics ?? []);
  const cursor = ignores.includes('cursor') ? undefined : filter.paging_options;
  const found = [...set.index.logs(range)].filter(
    (log) =>
      (addresses.length === 0 || addresses.includes(log.address)) &&
      topics.every((topic, slot) => topic === null || [topic].flat().includes(log.topics[slot] ?? '')) &&
      (cursor === undefined || isBeyond(cursor, log)),
  );
  const kept = keeps === 'first' ? found.slice(0, limit) : found.slice(-limit);
  const rows = kept.map(({ blockNumber, logIndex, ...log }): Row => {
    const transactionIndex = toQuantity(set.index.transaction(log.transactionHash)?.index ?? 0);
    return {
      ...log,
      blockNumber: toQuantity(blockNumber),
      logIndex: toQuantity(logIndex),
      transactionIndex,
      removed: false,
    };
  });
  return change ? change(rows) : rows;
}

function isBeyond(
  cursor: NonNullable<Filter['paging_options']>,
  log: { blockNumber: number; logIndex: number },
): boolean {
  const block = Number.parseInt(cursor.blockNumber, 16);
  return (
    log.blockNumber > block ||
    (log.blockNumber === block && log.logIndex > Number.parseInt(cursor.logIndex, 16))
  );
}

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
