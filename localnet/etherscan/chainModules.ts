// Facts are those of https://docs.etherscan.io: "Get Event Logs", "Geth/Parity Proxy", "Get Contract Creator and Creation Tx
// Hash", "Common error messages".

import * as z from 'zod/mini';
import { listTransfers, pageTransfers, transferActions } from './transfers.ts';

export type NodeCall = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Records of a response on the free plan. */
const MAX_RECORDS = 1000;
/** `page` times `offset`. */
const MAX_RECORD = 10_000;

type Get = (name: string) => string | undefined;
type NodeLog = Readonly<Record<string, string>> & { readonly topics: readonly string[] };

/**
 * The response of the modules of Etherscan's API V2 that speak of the chain, over a node: logs, the balance of an
 * account, the creation of contracts, transfers of tokens, and JSON-RPC by `proxy`. Undefined for other modules.
 */
export async function answerChainModules(
  query: URLSearchParams,
  call: NodeCall,
): Promise<object | undefined> {
  const get: Get = (name) => query.get(name) ?? undefined;
  const action = get('action') ?? '';
  if (get('module') === 'proxy') return answerProxy(action, get, call);
  if (get('module') === 'account' && action === 'balance') {
    const wei = await call('eth_getBalance', [get('address'), get('tag') ?? 'latest']);
    return success(BigInt(`${wei}`).toString());
  }
  const standard = get('module') === 'account' ? transferActions[action] : undefined;
  if (standard) {
    const rows = pageTransfers(await listTransfers(standard, get, call), get);
    if (typeof rows === 'string') return refusal(rows);
    return rows.length === 0 ? { status: '0', message: 'No transactions found', result: [] } : success(rows);
  }
  if (get('module') === 'contract' && action === 'getcontractcreation') return answerCreation(get, call);
  return get('module') === 'logs' && action === 'getLogs' ? answerLogs(get, call) : undefined;
}

async function answerLogs(get: Get, call: NodeCall): Promise<object> {
  const topics = [0, 1, 2, 3].map((place) => get(`topic${place}`)?.toLowerCase() ?? null);
  const address = get('address')?.toLowerCase();
  const places = topics.flatMap((topic, place) => (topic === null ? [] : [place]));
  if (address === undefined && places.length === 0) return refusal('Error! Missing address or topics');
  for (const [at, first] of places.entries()) {
    for (const second of places.slice(at + 1)) {
      const operator = `topic${first}_${second}_opr`;
      if (get(operator) !== 'and') return refusal(`Error! Invalid ${operator}`);
    }
  }
  const blocks = [get('fromBlock') ?? '', get('toBlock') ?? ''];
  if (!blocks.every((block) => /^\d+$/.test(block))) return refusal('Error! Invalid block number');
  const [page, offset] = [Number(get('page') ?? 1), Math.min(Number(get('offset') ?? 1000), MAX_RECORDS)];
  if (page * offset > MAX_RECORD) {
    const rule = `PageNo x Offset size must be less than or equal to ${MAX_RECORD}`;
    return refusal(`Result window is too large, ${rule}`);
  }
  const [fromBlock, toBlock] = blocks.map((block) => `0x${Number(block).toString(16)}`);
  const filter = {
    ...{ fromBlock, toBlock, topics: topics.slice(0, (places.at(-1) ?? -1) + 1) },
    ...(address !== undefined && { address }),
  };
  const logs = (await call('eth_getLogs', [filter])) as readonly NodeLog[];
  const rows = logs.slice((page - 1) * offset, page * offset).map(renderLog);
  return rows.length === 0 ? { status: '0', message: 'No records found', result: [] } : success(rows);
}

const creatorSchema = z.object({ hash: z.string(), creator: z.string() });
const minedSchema = z.object({ blockNumber: z.string() });

/** Of up to five addresses. What has no code has no entry. */
async function answerCreation(get: Get, call: NodeCall): Promise<object> {
  const addresses = (get('contractaddresses') ?? '').split(',');
  if (addresses.length > 5) return refusal('Error! Maximum 5 contract addresses');
  const rows: object[] = [];
  for (const address of addresses) {
    const created = creatorSchema.safeParse(await call('ots_getContractCreator', [address])).data;
    if (!created) continue;
    const mined = minedSchema.parse(await call('eth_getTransactionByHash', [created.hash]));
    rows.push({
      ...{ contractAddress: address, contractCreator: created.creator, txHash: created.hash },
      ...{ blockNumber: `${Number(mined.blockNumber)}`, contractFactory: '', creationBytecode: '0x' },
    });
  }
  return rows.length === 0 ? { status: '0', message: 'No data found', result: null } : success(rows);
}

/** Zero is written as `0x`. */
function renderLog({ removed: _, blockTimestamp, ...log }: NodeLog) {
  const number = (value: string | undefined) => (value === '0x0' ? '0x' : value);
  return {
    ...log,
    logIndex: number(log.logIndex),
    transactionIndex: number(log.transactionIndex),
    ...(blockTimestamp !== undefined && { timeStamp: blockTimestamp }),
    ...{ gasPrice: '0x3b9aca00', gasUsed: '0x5208' },
  };
}

async function answerProxy(action: string, get: Get, call: NodeCall): Promise<object> {
  const params = readProxyParams(action, get);
  if (!params) return refusal('Error! Missing Or invalid Action name');
  return call(action, params).then(
    (result) => ({ jsonrpc: '2.0', id: 1, result }),
    (error: unknown) => ({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: `${error}` } }),
  );
}

function readProxyParams(action: string, get: Get): readonly unknown[] | undefined {
  const tag = get('tag') ?? 'latest';
  switch (action) {
    case 'eth_blockNumber':
    case 'eth_gasPrice':
      return [];
    case 'eth_getBlockByNumber':
      return [tag, get('boolean') === 'true'];
    case 'eth_getTransactionByHash':
    case 'eth_getTransactionReceipt':
      return [get('txhash')];
    case 'eth_getCode':
    case 'eth_getTransactionCount':
      return [get('address'), tag];
    case 'eth_getStorageAt':
      return [get('address'), get('position'), tag];
    case 'eth_call':
      return [{ to: get('to'), data: get('data') }, tag];
    default:
      return undefined;
  }
}

function success(result: unknown): object {
  return { status: '1', message: 'OK', result };
}

function refusal(result: string): object {
  return { status: '0', message: 'NOTOK', result };
}
