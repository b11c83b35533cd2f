import { joinUrl, trimTrailingSlashes } from '../base/urls.ts';
import { findWellKnownChain } from './chains.ts';
import type { Network } from './network.ts';

/**
 * The chain ID of a well-known dataset of the public portal, which may not return it. Dataset names of other portals do
 * not identify a chain.
 *
 * @example getDatasetChain('https://portal.sqd.dev/datasets/base-mainnet') // 8453
 */
export function getDatasetChain(url: string): number | undefined {
  const { origin, pathname } = new URL(url);
  const name = /^\/datasets\/([\w-]{1,64})/.exec(pathname)?.[1];
  if (origin !== PUBLIC_PORTAL || name === undefined) return undefined;
  return Object.hasOwn(chainsByDataset, name) ? chainsByDataset[name] : undefined;
}

/**
 * The dataset of a chain at the public portal; undefined if none is well known.
 *
 * @example getPortalUrl(8453) // 'https://portal.sqd.dev/datasets/base-mainnet'
 */
export function getPortalUrl(chainId: number): string | undefined {
  const name = Object.keys(chainsByDataset).find((candidate) => chainsByDataset[candidate] === chainId);
  return name === undefined ? undefined : `${PUBLIC_PORTAL}/datasets/${name}`;
}

/**
 * The public portal's dataset of a chain, as a network of its own; undefined if none is well known. It has logs and
 * blocks, but supports neither balances nor calls.
 *
 * @example getPublicPortal(8453)?.rpcUrl // 'https://portal.sqd.dev/datasets/base-mainnet'
 */
export function getPublicPortal(chainId: number): Network | undefined {
  const rpcUrl = getPortalUrl(chainId);
  const chain = findWellKnownChain(chainId);
  if (rpcUrl === undefined || !chain) return undefined;
  const { name, symbol } = chain;
  const id = `portal-${rpcUrl.slice(rpcUrl.lastIndexOf('/') + 1)}`;
  return { id, name: `${name} (SQD Portal)`, chainId, rpcUrl, symbol, decimals: 18 };
}

const PUBLIC_PORTAL = 'https://portal.sqd.dev';

/** Datasets of the public portal, from https://docs.sqd.dev and the SDKs of github.com/subsquid. */
const chainsByDataset: Readonly<Record<string, number>> = {
  'ethereum-mainnet': 1,
  'optimism-mainnet': 10,
  'cronos-mainnet': 25,
  'binance-mainnet': 56,
  'gnosis-mainnet': 100,
  'unichain-mainnet': 130,
  'polygon-mainnet': 137,
  'sonic-mainnet': 146,
  'zksync-mainnet': 324,
  'polygon-zkevm-mainnet': 1101,
  'moonbeam-mainnet': 1284,
  'moonriver-mainnet': 1285,
  'mantle-mainnet': 5000,
  'base-mainnet': 8453,
  'arbitrum-one': 42161,
  'arbitrum-nova': 42170,
  'celo-mainnet': 42220,
  'avalanche-mainnet': 43114,
  'linea-mainnet': 59144,
  'polygon-amoy-testnet': 80002,
  'base-sepolia': 84532,
  'arbitrum-sepolia': 421614,
  'scroll-sepolia': 534351,
  'scroll-mainnet': 534352,
  'zora-mainnet': 7777777,
  'ethereum-sepolia': 11155111,
  'optimism-sepolia': 11155420,
};

/**
 * The URL of a dataset of an SQD Portal, without a slash at its end; undefined for any other URL. The query of `url`
 * stays.
 *
 * @example parseDatasetUrl('https://portal.example/datasets/base-mainnet/stream') // 'https://portal.example/datasets/base-mainnet'
 * @example parseDatasetUrl('https://rpc.example/v1') // undefined
 */
export function parseDatasetUrl(url: string): string | undefined {
  const { origin, pathname, search } = new URL(url);
  const parts = trimTrailingSlashes(pathname).split('/');
  const index = parts.lastIndexOf('datasets');
  const [name = '', route = '', ...others] = parts.slice(index + 1);
  if (index < 1 || !NAME.test(name) || !ROUTES.includes(route) || others.length > 0) return undefined;
  return `${origin}${parts.slice(0, index + 2).join('/')}${search}`;
}

/** A person may paste the dataset, or one of the routes below it. */
const ROUTES = ['', 'stream', 'finalized-stream', 'head', 'finalized-head', 'metadata'];
const NAME = /^[\w-]{1,64}$/;

export type PortalRoute = 'finalized-head' | 'head' | 'metadata' | 'stream';

/**
 * @example getPortalRouteUrl('https://portal.example/datasets/base-mainnet', 'head') // 'https://portal.example/datasets/base-mainnet/head'
 */
export function getPortalRouteUrl(
  dataset: string,
  route: PortalRoute,
  query: Readonly<Record<string, string>> = {},
): string {
  return joinUrl(dataset, route, query).href;
}
