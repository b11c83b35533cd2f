import type { Intercept, RecordedRequest } from '../http/faults.ts';
import { type RecordingServer, type Reply, startRecordingServer } from '../http/recordingServer.ts';
import { findProxy } from '../verified/proxies.ts';
import type { VerifiedRecord, VerifiedRegistry } from '../verified/registry.ts';
import { answerChainModules } from './chainModules.ts';

// Facts are those of https://docs.etherscan.io: "Get Contract Source Code", "Common error messages".

export type EtherscanServer = RecordingServer & {
  /** In place of `https://api.etherscan.io/v2/api`. */
  readonly url: string;
};

export type EtherscanOptions = {
  readonly registry: VerifiedRegistry;
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>;
  /** Chains that are served, beside Ethereum. */
  readonly chainIds: readonly number[];
  /** Chains of which only source code is free. */
  readonly paidChainIds?: readonly number[];
  readonly intercept?: Intercept | undefined;
};

/** A key that the server accepts. */
export const etherscanKey = 'L0CALNET1ETHERSCAN2KEY3456789ABCDE';

/** Etherscan's API V2: verified contracts, over what the registry has, and the chain, over a node. */
export async function startEtherscan(options: EtherscanOptions): Promise<EtherscanServer> {
  const server = await startRecordingServer({
    port: 0,
    intercept: options.intercept,
    handle: (request) => answer(request, options),
  });
  return Object.assign(server, { url: `${server.origin}/v2/api` });
}

async function answer(request: RecordedRequest, options: EtherscanOptions): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url, 'http://etherscan');
  if (request.method !== 'GET' || pathname !== '/v2/api') return { status: 404, body: 'Page not found' };
  const chainId = Number(searchParams.get('chainid'));
  const { chainIds, paidChainIds = [] } = options;
  if (![1, ...chainIds, ...paidChainIds].includes(chainId)) {
    return refused('Missing or unsupported chainid parameter (required for v2 api)');
  }
  const key = searchParams.get('apikey') ?? '';
  if (key === '') return refused('Missing/Invalid API Key');
  if (key !== etherscanKey) return refused('Invalid API Key (#err2)|1-');
  const action = `${searchParams.get('module')}/${searchParams.get('action')}`;
  if (action === 'contract/getsourcecode') {
    const record = options.registry.find(chainId, searchParams.get('address') ?? '');
    return json({ status: '1', message: 'OK', result: [await sourceCode(record, options)] });
  }
  if (paidChainIds.includes(chainId)) {
    return refused('Free API access is not supported for this chain. Please upgrade your api plan');
  }
  const body = await answerChainModules(searchParams, options.ask);
  return body === undefined ? refused('Error! Missing Or invalid Action name') : json(body);
}

/** All values are text. Of what is not verified, all but the ABI are empty. */
async function sourceCode(record: VerifiedRecord | undefined, { ask }: EtherscanOptions) {
  const proxy = record && (await findProxy(ask, record.address).catch(() => undefined));
  const [implementation = ''] = proxy?.leads ?? [];
  const { abi, name = '', compilerVersion = '', sources = {} } = record?.contract ?? {};
  return {
    SourceCode: record ? `{${JSON.stringify({ language: 'Solidity', sources })}}` : '',
    ABI: abi ? JSON.stringify(abi) : 'Contract source code not verified',
    ...{ ContractName: name, CompilerVersion: compilerVersion, OptimizationUsed: record ? '1' : '' },
    ...{ Proxy: proxy ? '1' : '0', Implementation: implementation, SimilarMatch: '' },
  };
}

function refused(result: string): Reply {
  return json({ status: '0', message: 'NOTOK', result });
}

function json(value: unknown): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  };
}
