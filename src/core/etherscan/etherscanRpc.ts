import { AppError } from '../base/errors.ts';
import { isRecord } from '../base/values.ts';
import { type Hex, parseQuantity, toQuantity } from '../eth/hex.ts';
import { callOneByOne, type RpcCallOptions, type RpcClient } from '../rpc/rpcClient.ts';
import { createEtherscanApi, type EtherscanApiOptions, type EtherscanParams } from './etherscanApi.ts';

/**
 * The chain that an endpoint of Etherscan's API V2 serves; undefined for any other URL. The key belongs in the parameter
 * `apikey`. https://docs.etherscan.io/introduction
 *
 * @example parseEtherscanChain('https://api.etherscan.io/v2/api?chainid=10&apikey=${key}') // 10
 * @example parseEtherscanChain('https://node.example/v2/api') // undefined
 */
export function parseEtherscanChain(url: string): number | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname, searchParams } = new URL(url);
  const chainId = searchParams.get('chainid') ?? '';
  return pathname === '/v2/api' && /^[1-9]\d{0,14}$/.test(chainId) ? Number(chainId) : undefined;
}

interface EtherscanRpcOptions extends EtherscanApiOptions {
  readonly chainId: number;
  /** Blocks by which the newest block is reported later than it comes, so that the logs below it are indexed; default 0. */
  readonly lagBlocks?: bigint;
}

/**
 * The JSON-RPC methods that Etherscan's API V2 can serve: those of its `proxy` module, balances, and `eth_getLogs` by
 * its `logs` module. https://docs.etherscan.io/api-reference
 *
 * `eth_getLogs` takes one address and one value for each topic. It fails as a node does that returns no more than 1,000
 * logs, so that fewer blocks are requested; of a single block it reads 10,000.
 *
 * @returns a client that throws AppError `notServed` for every other method.
 */
export function createEtherscanRpc(options: EtherscanRpcOptions): RpcClient {
  const { url, chainId, lagBlocks = 0n } = options;
  const { origin, get } = createEtherscanApi(options);

  async function getLogs([filter]: readonly unknown[], options?: RpcCallOptions): Promise<unknown> {
    const params = toLogParams(filter);
    const isOneBlock = params.fromBlock === params.toBlock;
    const rows: unknown[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const part = await get({ ...params, page: `${page}`, offset: `${MAX_ROWS}` }, options);
      if (!Array.isArray(part)) {
        throw new AppError('badResponse', `${origin} returned no list of logs.`);
      }
      for (const row of part) rows.push(toLogRow(row));
      if (part.length < MAX_ROWS) return rows;
      if (!isOneBlock) break;
    }
    const serverMessage = `more than ${rows.length} logs in these blocks`;
    throw new AppError('rpc', `${origin} has ${serverMessage}.`, { serverMessage });
  }

  async function fetchHead(options?: RpcCallOptions): Promise<Hex> {
    const head = parseQuantity(await get(toProxyQuery('eth_blockNumber', {}), options));
    if (head === undefined) throw new AppError('badResponse', `${origin} did not return its newest block.`);
    return toQuantity(head > lagBlocks ? head - lagBlocks : 0n);
  }

  async function call(method: string, params: readonly unknown[], options?: RpcCallOptions) {
    if (method === 'eth_chainId') return toQuantity(chainId);
    if (method === 'eth_getLogs') return getLogs(params, options);
    if (method === 'eth_blockNumber') return fetchHead(options);
    if (method === 'eth_getBalance' && params[1] === 'latest') {
      const query = { module: 'account', action: 'balance', address: `${params[0]}`, tag: 'latest' };
      return parseWei(await get(query, options), origin);
    }
    const query = toProxyParams(method, params);
    if (query) return get(toProxyQuery(method, query), options);
    throw new AppError('notServed', `Etherscan's API cannot serve ${method}. Use a node or an explorer.`);
  }

  return {
    url,
    call,
    callBatch: callOneByOne(call),
  };
}

/** Records of one response on the free plan, since July 2026. */
const MAX_ROWS = 1000;
/** `page` times `offset` may be 10,000. */
const MAX_PAGES = 10;

function toProxyQuery(method: string, params: EtherscanParams): EtherscanParams {
  return { module: 'proxy', action: method, ...params };
}

/** The parameters of the `proxy` module, by name; undefined for a method or parameters that it does not take. */
function toProxyParams(
  method: string,
  [first, second, third]: readonly unknown[],
): EtherscanParams | undefined {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const tag = text(second) ?? 'latest';
  switch (method) {
    case 'eth_gasPrice':
      return {};
    case 'eth_getBlockByNumber':
      return { tag: `${first}`, boolean: `${second === true}` };
    case 'eth_getTransactionByHash':
    case 'eth_getTransactionReceipt':
      return { txhash: `${first}` };
    case 'eth_getCode':
    case 'eth_getTransactionCount':
      return { address: `${first}`, tag };
    case 'eth_getStorageAt':
      return { address: `${first}`, position: `${second}`, tag: text(third) ?? 'latest' };
    case 'eth_call': {
      const { to, data, input, ...others } = isRecord(first) ? first : {};
      const calldata = text(data) ?? text(input);
      const isPlain = Object.keys(others).length === 0 && third === undefined && typeof second !== 'object';
      return isPlain && text(to) && calldata ? { to: `${to}`, data: calldata, tag } : undefined;
    }
    default:
      return undefined;
  }
}

function parseWei(result: unknown, origin: string): Hex {
  if (typeof result !== 'string' || !/^\d{1,78}$/.test(result))
    throw new AppError('badResponse', `${origin} returned no balance.`);
  return toQuantity(BigInt(result));
}

/** @throws AppError `notServed` for a filter that the API cannot express. */
function toLogParams(filter: unknown): EtherscanParams {
  const { address, topics = [], fromBlock, toBlock } = isRecord(filter) ? filter : {};
  const [from, to] = [parseQuantity(fromBlock), parseQuantity(toBlock)];
  const values = Array.isArray(topics) ? topics : [];
  const used = values.flatMap((topic, place) => (topic === null ? [] : [place]));
  const isExpressible = [address ?? '', ...values].every(
    (value) => value === null || typeof value === 'string',
  );
  if (from === undefined || to === undefined || !isExpressible)
    throw new AppError('notServed', "Etherscan's API cannot serve this filter. Use a node or an explorer.");
  return {
    ...{ module: 'logs', action: 'getLogs', fromBlock: `${from}`, toBlock: `${to}` },
    ...(typeof address === 'string' && { address }),
    ...Object.fromEntries(used.map((place) => [`topic${place}`, `${values[place]}`])),
    ...Object.fromEntries(
      used.flatMap((first, at) =>
        used.slice(at + 1).map((second) => [`topic${first}_${second}_opr`, 'and'] as const),
      ),
    ),
  };
}

/** A row as `eth_getLogs` returns it. Zero is written as `0x`, and topics may end with null. */
function toLogRow(row: unknown): unknown {
  if (!isRecord(row)) return row;
  const toNumber = (value: unknown) => (value === '0x' ? '0x0' : value);
  const { topics, logIndex, transactionIndex, timeStamp, gasPrice: _price, gasUsed: _gas, ...others } = row;
  return {
    ...others,
    topics: Array.isArray(topics) ? topics.filter((topic) => topic !== null && topic !== '') : topics,
    logIndex: toNumber(logIndex),
    transactionIndex: toNumber(transactionIndex),
    ...(timeStamp === undefined ? {} : { blockTimestamp: toNumber(timeStamp) }),
  };
}
