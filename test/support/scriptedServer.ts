import type { FetchLike } from '../../src/core/index.ts';

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
