import type { RpcAuth } from './rpcAuth.ts';

/** A chain and where to ask about it. Chain ids exceed 2^32 but fit a safe integer. */
export interface Network {
  readonly id: string;
  readonly name: string;
  readonly chainId: number;
  /**
   * JSON-RPC endpoint: an explorer's `…/api/eth-rpc` or a node; or the dataset of an SQD Portal, `…/datasets/NAME`.
   * `${key}` stands in it where its secret goes.
   */
  readonly rpcUrl: string;
  /** Where the secret of the endpoint goes, if not into `rpcUrl`; the secret itself is no part of a network. */
  readonly rpcAuth?: RpcAuth | undefined;
  /** Origin and path before `/v1/…` of the data API; undefined where none serves the chain. */
  readonly dataApiUrl?: string | undefined;
  /** Explorer website, for links. */
  readonly explorerUrl?: string | undefined;
  readonly symbol: string;
  readonly decimals: number;
}

export const builtInNetworks: readonly Network[] = [
  {
    id: 'mainnet',
    name: 'Palm',
    chainId: 11297108109,
    rpcUrl: 'https://explorer.palm.io/api/eth-rpc',
    dataApiUrl: 'https://api.covalenthq.com',
    explorerUrl: 'https://explorer.palm.io',
    symbol: 'PALM',
    decimals: 18,
  },
  {
    id: 'testnet',
    name: 'Palm Testnet',
    chainId: 11297108099,
    rpcUrl: 'https://explorer.palm-uat.xyz/api/eth-rpc',
    dataApiUrl: 'https://api.covalenthq.com',
    explorerUrl: 'https://explorer.palm-uat.xyz',
    symbol: 'PALM',
    decimals: 18,
  },
  {
    id: 'local',
    name: 'Local Node',
    chainId: 31337,
    rpcUrl: 'http://127.0.0.1:8545',
    symbol: 'ETH',
    decimals: 18,
  },
];

/**
 * Whether `text` is an http or https URL that carries no user name or password.
 *
 * @example isHttpUrl('https://user:password@rpc.example') // false
 */
export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === ''
  );
}
