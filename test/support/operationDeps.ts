import {
  type ContractIndex,
  createChainClient,
  createLogDecoder,
  type FetchLike,
  loadStandardLookup,
  type OperationDeps,
  type OperationKnowledge,
  systemClock,
} from '../../src/core/index.ts';

export interface ServedLog {
  readonly block: number;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data?: string;
}

interface LogParams {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const quantity = (value: number) => `0x${value.toString(16)}`;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

/** A node with these logs, which filters them as nodes do. `other` answers before it; what it throws is an error. */
export function createNodeFetch(
  logs: readonly ServedLog[],
  { head = 20, other = () => undefined }: NodeOptions = {},
): { readonly fetch: FetchLike; readonly filters: LogParams[] } {
  const filters: LogParams[] = [];

  function answer({ method, params }: Call): unknown {
    const special = other(method, params);
    if (special !== undefined) return special;
    switch (method) {
      case 'eth_blockNumber':
        return quantity(head);
      case 'eth_chainId':
        return quantity(31337);
      case 'eth_getBalance':
        return '0x0';
      case 'eth_getBlockByNumber': {
        const number = params[0] === 'latest' ? head : Number(params[0]);
        if (number > head) return null;
        return {
          ...{
            number: quantity(number),
            hash: word(number),
            timestamp: quantity(1_700_000_000 + 12 * number),
          },
          ...{
            parentHash: word(Math.max(0, number - 1)),
            logsBloom: `0x${'0'.repeat(512)}`,
            transactions: [],
          },
        };
      }
      case 'eth_getLogs': {
        const filter = params[0] as LogParams;
        filters.push(filter);
        return logs.filter((log) => fits(log, filter, head)).map((log) => toRow(log, logs.indexOf(log)));
      }
      default:
        throw { code: -32601, message: `the method ${method} does not exist/is not available` };
    }
  }

  function respond(call: Call): object {
    try {
      return { jsonrpc: '2.0', id: call.id, result: answer(call) };
    } catch (error) {
      return { jsonrpc: '2.0', id: call.id, error };
    }
  }

  return {
    filters,
    fetch: async (_url, { body, signal }) => {
      signal.throwIfAborted();
      const calls: Call | readonly Call[] = JSON.parse(String(body));
      return Response.json(Array.isArray(calls) ? calls.map(respond) : respond(calls as Call));
    },
  };
}

interface NodeOptions {
  readonly head?: number;
  readonly other?: (method: string, params: readonly unknown[]) => unknown;
}

function fits(
  log: ServedLog,
  { fromBlock, toBlock, address, topics = [] }: LogParams,
  head: number,
): boolean {
  const blockOf = (tag: string) => (tag.startsWith('0x') ? Number(tag) : tag === 'earliest' ? 0 : head);
  const addresses = address === undefined ? [] : [address].flat();
  return (
    log.block >= blockOf(fromBlock) &&
    log.block <= blockOf(toBlock) &&
    (addresses.length === 0 || addresses.includes(log.address)) &&
    topics.every((slot, at) => slot === null || [slot].flat().includes(log.topics[at] ?? ''))
  );
}

function toRow({ block, address, topics, data = '0x' }: ServedLog, index: number): object {
  return {
    ...{ address, topics, data, blockNumber: quantity(block), blockHash: word(block), removed: false },
    ...{ transactionHash: word(1000 + index), transactionIndex: '0x0', logIndex: quantity(index) },
  };
}

/** What operations need, over `fetch`, with nothing known but standards. */
export async function createTestDeps(
  fetch: FetchLike,
  {
    names = [],
    index,
    url = 'http://127.0.0.1:1',
    ...more
  }: Partial<OperationDeps> & {
    readonly names?: OperationKnowledge['names'];
    readonly index?: ContractIndex;
    readonly url?: string;
  } = {},
): Promise<OperationDeps> {
  const lookup = await loadStandardLookup();
  const { decode } = createLogDecoder({ lookup, chainId: 31337 });
  return {
    network: { name: undefined, rpcUrl: url, symbol: 'ETH', decimals: 18 },
    client: createChainClient({ fetch, clock: systemClock, url }),
    chainId: async () => 31337,
    knowledge: async () => ({
      ...{ index, names, lookup, decode, code: { abiAt: () => undefined } },
      ...{ prepare: async () => undefined, prefetchAbis: async () => undefined },
    }),
    provider: async () => undefined,
    files: undefined,
    clock: systemClock,
    version: '1',
    ...more,
  };
}
