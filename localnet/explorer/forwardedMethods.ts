import { castAddress, castData, castHash, parseHexDigits } from './casts.ts';
import type { Method, MethodContext } from './dialect.ts';
import { InvalidParam } from './failures.ts';

/** The node's own error, passed on as it came. */
export class NodeRefused extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super('refused by the node');
    this.error = error;
  }
}

export class ForwardFailed extends Error {}

type Check = (param: unknown) => void;

const address: Check = (param) => check(castAddress(param), 'Invalid address');
const hash: Check = (param) => check(castHash(param), 'Invalid hash');
const hexData: Check = (param) => check(castData(param), 'Invalid hex data');
const integer: Check = (param) => check(castInteger(param), 'Invalid integer');
const block: Check = (param) => {
  const isTag = param === 'latest' || param === 'earliest' || param === 'pending';
  if (!isTag) check(castInteger(param), 'Invalid block number');
};
const bool: Check = (param) => check(typeof param === 'boolean' ? param : undefined, 'Invalid bool');
const call: Check = (param) => {
  const fields = (typeof param === 'object' && param !== null ? param : {}) as Record<string, unknown>;
  check(fields.to, 'Missed `to` address');
  check(castAddress(fields.to), 'Invalid `to` address');
  checkOptional(fields.from, castAddress, 'Invalid `from` address');
  for (const name of ['gas', 'gasPrice', 'value']) {
    checkOptional(fields[name], castInteger, `Invalid \`${name}\` quantity`);
  }
  checkOptional(fields.input, castData, 'Invalid `input` data');
};

/** What every Blockscout since v6.3.0 answers beyond its three first methods. */
export const commonMethods: Readonly<Record<string, Method>> = {
  eth_chainId: ownData('eth_chainId', 0),
  eth_gasPrice: ownData('eth_gasPrice', 0),
  eth_maxPriorityFeePerGas: ownData('eth_maxPriorityFeePerGas', 0),
  eth_getTransactionByHash: ownData('eth_getTransactionByHash', 1),
  eth_getTransactionReceipt: ownData('eth_getTransactionReceipt', 1),
  eth_getTransactionCount: forwarded('eth_getTransactionCount', [address, block]),
  eth_getCode: forwarded('eth_getCode', [address, block]),
  eth_getStorageAt: forwarded('eth_getStorageAt', [address, integer, block]),
  eth_estimateGas: forwarded('eth_estimateGas', [call, block]),
  eth_getBlockByNumber: forwarded('eth_getBlockByNumber', [block, bool]),
  eth_getBlockByHash: forwarded('eth_getBlockByHash', [hash, bool]),
  eth_sendRawTransaction: forwarded('eth_sendRawTransaction', [hexData]),
  eth_call: forwarded('eth_call', [call, block]),
};

/** A few of the methods that an operator of v12 can switch on. */
export const extendedMethods: Readonly<Record<string, Method>> = {
  net_version: forwarded('net_version', []),
  web3_clientVersion: forwarded('web3_clientVersion', []),
  eth_syncing: forwarded('eth_syncing', []),
  eth_blobBaseFee: forwarded('eth_blobBaseFee', []),
  eth_getBlockReceipts: forwarded('eth_getBlockReceipts', [block]),
  eth_getProof: forwarded('eth_getProof', [address, () => undefined, block]),
};

function forwarded(name: string, checks: readonly Check[]): Method {
  return {
    ...ownData(name, checks.length),
    needsParams: true,
    run: (params, context) => {
      for (const [position, checkParam] of checks.entries()) checkParam(params[position]);
      return forward(name, params, context);
    },
  };
}

// Blockscout answers these from its own database; here the node knows the same.
function ownData(name: string, params: number): Method {
  return {
    minParams: params,
    maxParams: params,
    run: (given, context) => forward(name, given, context),
  };
}

async function forward(name: string, params: readonly unknown[], context: MethodContext): Promise<unknown> {
  const answer = await context.forward(name, params);
  if ('failed' in answer) throw new ForwardFailed(answer.failed);
  if ('error' in answer) throw new NodeRefused(answer.error);
  return answer.result;
}

function check(value: unknown, text: string): void {
  if (value === undefined) throw new InvalidParam(text);
}

function checkOptional(value: unknown, cast: (value: unknown) => unknown, text: string): void {
  if (value !== undefined && value !== null) check(cast(value), text);
}

function castInteger(value: unknown): number | undefined {
  if (typeof value !== 'string' || !value.startsWith('0x')) return undefined;
  return value === '0x' ? 0 : parseHexDigits(value.slice(2));
}
