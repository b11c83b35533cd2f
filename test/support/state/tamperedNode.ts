import { json } from 'node:stream/consumers';
import { isRecord } from '../../../src/core/index.ts';
import { type LoopbackServer, type RpcRequest, startLoopbackServer } from '../loopbackServer.ts';

interface RpcResponse {
  readonly id: number;
  readonly result?: unknown;
}

/** What a node makes of a result, by the method of the request. */
export type Tamper = (result: unknown, request: RpcRequest) => unknown;

/** A server that forwards to the node at `url`, and changes its results. */
export function startTamperedNode(url: string, tamper: () => Tamper): Promise<LoopbackServer> {
  return startLoopbackServer(async (incoming, response) => {
    const body = (await json(incoming)) as RpcRequest | readonly RpcRequest[];
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const received = (await answer.json()) as RpcResponse | readonly RpcResponse[];
    const requests = [body].flat();
    const change = (one: RpcResponse): RpcResponse => {
      const request = requests.find(({ id }) => id === one.id);
      return request && 'result' in one ? { ...one, result: tamper()(one.result, request) } : one;
    };
    const changed = Array.isArray(received) ? received.map(change) : change(received as RpcResponse);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(changed));
  });
}

/** Leaves out the logs that `isDropped` names, from `eth_getLogs` and, if wanted, from the receipts. */
export function dropLogs(
  isDropped: (log: Readonly<Record<string, unknown>>) => boolean,
  { receipts = false } = {},
): Tamper {
  const keep = (logs: unknown) =>
    Array.isArray(logs) ? logs.filter((log) => !(isRecord(log) && isDropped(log))) : logs;
  const cutReceipt = (receipt: unknown) =>
    isRecord(receipt) ? { ...receipt, logs: keep(receipt.logs) } : receipt;
  return (result, { method }) => {
    if (method === 'eth_getLogs') return keep(result);
    if (!receipts) return result;
    if (method === 'eth_getBlockReceipts') return Array.isArray(result) ? result.map(cutReceipt) : result;
    return method === 'eth_getTransactionReceipt' ? cutReceipt(result) : result;
  };
}
