import { safeUrl } from '../../base/errors.ts';
import { explorerApi } from '../../explorer/explorerUrls.ts';
import { portalOfChain } from '../../networks/portalDatasets.ts';
import { secretMarkIn } from '../../networks/rpcAuth.ts';
import { mayHoldKey } from '../../networks/typedUrl.ts';
import { datasetUrl, portalRoute } from '../../portal/portalUrl.ts';
import type { HandedNetwork, HandedQuery } from './handover.ts';

/** An endpoint without any secret: what is secret is to be in a variable of the environment. */
export interface HandedEndpoint {
  /** Undefined: it is in `RPC_URL`. */
  readonly url: string | undefined;
  /** A header that its secret goes into, which is in `RPC_KEY`. */
  readonly header: { readonly name: string; readonly before: string } | undefined;
  /** What the variables are to hold, and what the server may take otherwise. */
  readonly notes: readonly string[];
}

/** The JSON-RPC endpoint of a query's network as it may stand in a text that is handed on. */
export function endpointOf({ network, filter }: Pick<HandedQuery, 'network' | 'filter'>): HandedEndpoint {
  const { name, chainId, rpcUrl } = network;
  if (datasetUrl(rpcUrl) !== undefined) {
    const note = `RPC_URL: a JSON-RPC endpoint of chain ${chainId}. ${name} is an SQD Portal, which speaks none.`;
    return { url: undefined, header: undefined, notes: [note] };
  }
  const endpoint = withoutSecret(network, rpcUrl, 'endpoint');
  if (explorerApi(rpcUrl, '') === undefined || isPlain(filter)) return endpoint;
  const note = `${name} is an explorer, which may read lists, and null among topics, otherwise than a node does.`;
  return { ...endpoint, notes: [...endpoint.notes, note] };
}

/** The stream of an SQD Portal with the chain: the network's own, else the public one; undefined where there is none. */
export function portalOf(network: HandedNetwork): HandedEndpoint | undefined {
  const own = datasetUrl(network.rpcUrl);
  if (own !== undefined) return withoutSecret(network, portalRoute(own, 'stream'), 'stream route');
  const dataset = portalOfChain(network.chainId);
  return dataset === undefined
    ? undefined
    : { url: portalRoute(dataset, 'stream'), header: undefined, notes: [] };
}

/** A URL in which a key is, or may be, is never handed on. */
function withoutSecret({ name, rpcAuth }: HandedNetwork, url: string, what: string): HandedEndpoint {
  const origin = safeUrl(url);
  const header = headerOf(rpcAuth);
  const isSecret = secretMarkIn(url) !== undefined || mayHoldKey(url);
  return {
    url: isSecret ? undefined : url,
    header,
    notes: [
      ...(isSecret ? [`RPC_URL: the ${what} of ${name} at ${origin}, with its key.`] : []),
      ...(header ? [`RPC_KEY: the key of ${name} at ${origin}.`] : []),
    ],
  };
}

function headerOf(auth: HandedNetwork['rpcAuth']): HandedEndpoint['header'] {
  if (auth === undefined) return undefined;
  if (auth === 'bearer') return { name: 'authorization', before: 'Bearer ' };
  return { name: auth.slice('header:'.length), before: '' };
}

/** What every server understands alike. */
function isPlain({ addresses, topics }: HandedQuery['filter']): boolean {
  return addresses.length <= 1 && topics.every((values) => values?.length === 1);
}
