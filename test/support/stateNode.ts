import type { FetchLike } from '../../src/core/index.ts';

/** What sets a node apart from one that has the state of every block, and refuses blocks that it does not have. */
export interface StateNodeTraits {
  readonly head?: number;
  /** The first block of the contract. */
  readonly createdAt?: number;
  /** What it says of a block that it has not seen; `null`: it returns null. */
  readonly unseen?: RpcError | null;
  /** These methods return the state of now for any block, or, if it refuses what it has not seen, for any old block. */
  readonly ignores?: readonly string[];
  readonly refusesUnseen?: boolean;
  /** It takes a block above its head for the latest one. */
  readonly clamps?: boolean;
  /** It takes `latest` in place of any number, and says this of numbers. */
  readonly latestOnly?: RpcError;
  /** It keeps so many states, and says this of older blocks. */
  readonly keeps?: { readonly states: number; readonly error: RpcError };
  /** The head of the replica that responds to a request, by its number. */
  readonly headAt?: (request: number) => number;
  readonly batches?: boolean;
  /** Any request fails with a block above its head. */
  readonly failsAbove?: boolean;
  /** The number that code sees where a block was requested; undefined: the endpoint calls no code without an address. */
  readonly numberIn?: (block: number, requested: number) => number | undefined;
  /** The name of the fork that a request sees. */
  readonly forkAt?: (request: number) => number;
  /** Whether the slots of proxies hold `IMPLEMENTATION`. */
  readonly isProxy?: boolean;
  /** Seconds since the Unix epoch. */
  readonly timeOf?: (block: number) => number;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export const CONTRACT = `0x${'11'.repeat(20)}` as const;
export const IMPLEMENTATION = `0x${'22'.repeat(20)}` as const;
/** `totalSupply()`: it is the number of the block, so that each block has another one. */
export const TOTAL_SUPPLY = '0x18160ddd';

/** What the supply has more in each next fork. */
export const FORKED_SUPPLY = 1_000_000;

const quantity = (value: number) => `0x${value.toString(16)}`;
const word = (value: number | string) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const DELEGATING = `0x60${'00'.repeat(4)}f4`;

/** A `fetch` that reaches a node with a contract; `asked` lists the methods with the blocks of their calls. */
export function createStateNode(traits: StateNodeTraits = {}) {
  const {
    head: newest = 1000,
    createdAt = 10,
    batches = true,
    timeOf = (block) => 1_600_000_000 + block,
  } = traits;
  const { unseen = { code: -32000, message: 'header not found' } } = traits;
  const asked: string[] = [];
  let requests = 0;

  /** The block whose state is returned, or why it is none. */
  function findState(
    method: string,
    tag: unknown,
    head: number,
  ): number | { readonly error: RpcError | null } {
    if (tag === 'latest') return head;
    if (traits.latestOnly) return { error: traits.latestOnly };
    const block = Number(tag);
    if (traits.ignores?.includes(method) && !(traits.refusesUnseen && block > head)) return head;
    if (block > head) return traits.clamps ? head : { error: unseen };
    const { keeps } = traits;
    return keeps && block <= head - keeps.states ? { error: keeps.error } : block;
  }

  function readState(method: string, params: readonly unknown[], head: number): object {
    const tag = params.at(-1);
    asked.push(`${method} ${String(tag)}`);
    const block = findState(method, tag, head);
    if (typeof block === 'object') return block.error === null ? { result: null } : block;
    const isThere = block >= createdAt;
    const [first, second] = params;
    switch (method) {
      case 'eth_getCode':
        return {
          result: isThere ? (traits.isProxy && first === CONTRACT ? DELEGATING : '0x6001600055') : '0x',
        };
      case 'eth_getStorageAt':
        return {
          result:
            traits.isProxy && isThere && String(second).startsWith('0x3608') ? word(IMPLEMENTATION) : word(0),
        };
      case 'eth_getBalance':
        return { result: isThere ? '0x1' : '0x0' };
      default: {
        const { data, to } = first as { readonly data: string; readonly to?: string };
        if (to === undefined) {
          const seen = traits.numberIn
            ? traits.numberIn(block, tag === 'latest' ? head : Number(tag))
            : block;
          return seen === undefined
            ? { error: { code: -32602, message: 'missing field `to`' } }
            : { result: word(seen) };
        }
        if (!isThere) return { result: '0x' };
        return data.startsWith(TOTAL_SUPPLY)
          ? { result: word(block + FORKED_SUPPLY * (traits.forkAt?.(requests) ?? 0)) }
          : { error: { code: 3, message: 'execution reverted', data: '0x' } };
      }
    }
  }

  function answer({ id, method, params }: RpcCall): object {
    const head = traits.headAt?.(requests) ?? newest;
    const reply = (body: object) => ({ jsonrpc: '2.0', id, ...body });
    switch (method) {
      case 'eth_blockNumber':
        return reply({ result: quantity(head) });
      case 'eth_chainId':
        return reply({ result: '0x7a69' });
      case 'eth_getBlockByNumber': {
        const block = String(params[0]).startsWith('0x') ? Number(params[0]) : head;
        const fork = traits.forkAt?.(requests) ?? 0;
        return reply({
          result:
            block > head
              ? null
              : {
                  ...{ number: quantity(block), hash: word(block + 1e9 * fork), parentHash: word(0) },
                  ...{
                    timestamp: quantity(timeOf(block)),
                    logsBloom: `0x${'0'.repeat(512)}`,
                    transactions: [],
                  },
                },
        });
      }
      case 'eth_getLogs':
        return reply({ result: [] });
      case 'eth_call':
      case 'eth_getBalance':
      case 'eth_getCode':
      case 'eth_getStorageAt':
        return reply(readState(method, params, head));
      default:
        return reply({ error: { code: -32601, message: `the method ${method} does not exist` } });
    }
  }

  const fetch: FetchLike = async (_url, { body = '' }) => {
    requests++;
    const calls = JSON.parse(body);
    const isAbove = ({ params }: RpcCall) => Number(params.at(-1)) > newest;
    if (traits.failsAbove && [calls].flat().some(isAbove)) return new Response('overloaded', { status: 500 });
    if (!Array.isArray(calls)) return Response.json(answer(calls));
    const refusal = {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'batches are not supported' },
    };
    return Response.json(batches ? calls.map(answer) : refusal);
  };
  return { fetch, asked, requests: () => requests };
}

interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}
