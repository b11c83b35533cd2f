import { publicExplorers } from './chains.ts';
import { getPortalUrl } from './portalDatasets.ts';

/**
 * An endpoint of a chain that takes no key, according to its operator or a list of chains at `reference`.
 *
 * - `explorer`: the JSON-RPC of a Blockscout instance.
 * - `node`: the JSON-RPC of a node, or of a node provider.
 * - `portal`: a dataset of SQD Portal, which streams logs and has no JSON-RPC.
 */
export interface PublicEndpoint {
  readonly kind: 'explorer' | 'node' | 'portal';
  readonly url: string;
  readonly reference: string;
  /** Whether it is known to allow requests of web pages from any origin (CORS). False: unknown. */
  readonly allowsPages: boolean;
}

/**
 * The public endpoints of a chain that take no key, in the order to try: its explorer, which searches the logs of all
 * blocks, then nodes, then the portal. Empty for a chain that is not well known. With `pagesFirst`, the nodes that are
 * known to allow web pages come before the others.
 *
 * @example listPublicEndpoints(61).map(({ kind }) => kind) // ['explorer', 'node']
 */
export function listPublicEndpoints(
  chainId: number,
  { pagesFirst = false }: { readonly pagesFirst?: boolean } = {},
): readonly PublicEndpoint[] {
  const explorers = publicExplorers.filter((explorer) => explorer.chainId === chainId);
  const portal = getPortalUrl(chainId);
  const nodes = (nodesByChain[chainId] ?? []).map(([host, reference]) =>
    createEndpoint('node', `https://${host}`, reference, pageHosts.test(host)),
  );
  if (pagesFirst) nodes.sort((a, b) => Number(b.allowsPages) - Number(a.allowsPages));
  return [
    ...explorers.map(({ rpcUrl }) => createEndpoint('explorer', rpcUrl, CHAINSCOUT, true)),
    ...nodes,
    ...(portal === undefined ? [] : [createEndpoint('portal', portal, PORTAL, true)]),
  ];
}

/**
 * Explorers and portals allow pages in their source code: `CORSPlug` in Blockscout's `block_scout_web/endpoint.ex`,
 * `CorsLayer` in `http_server.rs` of subsquid/sqd-portal. These nodes are requested by a page of gmx-io/gmx-interface
 * (`src/config/chains.ts`). Of others no public document was found; docs/browser.md says how to check one.
 */
const pageHosts = /(?:^|\.)publicnode\.com$|^arb1\.arbitrum\.io\//;

function createEndpoint(
  kind: PublicEndpoint['kind'],
  url: string,
  reference: string,
  allowsPages: boolean,
): PublicEndpoint {
  return { kind, url, reference, allowsPages };
}

const CHAINS = 'https://github.com/ethereum-lists/chains';
const CHAINSCOUT = 'https://github.com/blockscout/chainscout';
const PUBLICNODE = 'https://www.publicnode.com';
const DRPC = 'https://drpc.org/chainlist';
const PORTAL = 'https://docs.sqd.dev';

type Node = readonly [host: string, source: string];

/** In addition to {@link publicExplorers}. The chain's own endpoint is first. */
const nodesByChain: Readonly<Record<number, readonly Node[]>> = {
  1: [
    ['ethereum-rpc.publicnode.com', PUBLICNODE],
    ['eth.drpc.org', DRPC],
    ['cloudflare-eth.com', CHAINS],
  ],
  10: [
    ['mainnet.optimism.io', CHAINS],
    ['optimism-rpc.publicnode.com', PUBLICNODE],
    ['optimism.drpc.org', DRPC],
  ],
  30: [['public-node.rsk.co', CHAINS]],
  61: [['etc.rivet.link', CHAINS]],
  100: [
    ['rpc.gnosischain.com', CHAINS],
    ['gnosis-rpc.publicnode.com', PUBLICNODE],
    ['gnosis.drpc.org', DRPC],
  ],
  122: [
    ['rpc.fuse.io', CHAINS],
    ['fuse.drpc.org', CHAINS],
  ],
  137: [
    ['polygon-bor-rpc.publicnode.com', CHAINS],
    ['polygon.drpc.org', CHAINS],
  ],
  324: [
    ['mainnet.era.zksync.io', 'https://docs.zksync.io'],
    ['zksync.drpc.org', DRPC],
  ],
  8453: [
    ['mainnet.base.org', CHAINS],
    ['base-rpc.publicnode.com', CHAINS],
    ['base.drpc.org', DRPC],
  ],
  10200: [
    ['rpc.chiadochain.net', CHAINS],
    ['gnosis-chiado-rpc.publicnode.com', CHAINS],
    ['gnosis-chiado.drpc.org', CHAINS],
  ],
  42161: [
    ['arb1.arbitrum.io/rpc', CHAINS],
    ['arbitrum-one-rpc.publicnode.com', CHAINS],
    ['arbitrum.drpc.org', CHAINS],
  ],
  42220: [
    ['forno.celo.org', CHAINS],
    ['celo.drpc.org', DRPC],
  ],
  84532: [
    ['sepolia.base.org', CHAINS],
    ['base-sepolia-rpc.publicnode.com', CHAINS],
  ],
  534352: [
    ['rpc.scroll.io', CHAINS],
    ['scroll-rpc.publicnode.com', CHAINS],
  ],
  11155111: [
    ['ethereum-sepolia-rpc.publicnode.com', CHAINS],
    ['sepolia.drpc.org', CHAINS],
  ],
};

/**
 * The JSON-RPC of a chain at Blockscout's gateway, which takes a key as a bearer token and offers the explorer API of
 * every chain that Blockscout hosts. https://docs.blockscout.com/devs/apis/pro-api
 *
 * @example getGatewayUrl(100) // 'https://api.blockscout.com/100/json-rpc'
 */
export function getGatewayUrl(chainId: number): string {
  return `https://api.blockscout.com/${chainId}/json-rpc`;
}
