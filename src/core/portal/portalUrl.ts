import { withoutTrailingSlashes } from '../values/trailingSlashes.ts';
import { urlBelow } from '../values/urlBelow.ts';

/** What a person may paste: the dataset, or one of the routes below it. */
const ROUTES = ['', 'stream', 'finalized-stream', 'head', 'finalized-head', 'metadata'];
const NAME = /^[\w-]{1,64}$/;

/**
 * The URL of an SQD Portal's dataset, without a slash at its end; undefined for what is none by its form. A query that
 * `url` has stays.
 *
 * @example datasetUrl('https://portal.example/datasets/base-mainnet/stream') // 'https://portal.example/datasets/base-mainnet'
 * @example datasetUrl('https://rpc.example/v1') // undefined
 */
export function datasetUrl(url: string): string | undefined {
  const { origin, pathname, search } = new URL(url);
  const parts = withoutTrailingSlashes(pathname).split('/');
  const place = parts.lastIndexOf('datasets');
  const [name = '', route = '', ...others] = parts.slice(place + 1);
  if (place < 1 || !NAME.test(name) || !ROUTES.includes(route) || others.length > 0) return undefined;
  return `${origin}${parts.slice(0, place + 2).join('/')}${search}`;
}

/** What a portal answers below the URL of a dataset. */
export type PortalRoute = 'finalized-head' | 'head' | 'metadata' | 'stream';

/**
 * Where a portal answers `route`.
 *
 * @example portalRoute('https://portal.example/datasets/base-mainnet', 'head') // 'https://portal.example/datasets/base-mainnet/head'
 */
export function portalRoute(
  dataset: string,
  route: PortalRoute,
  query: Readonly<Record<string, string>> = {},
): string {
  return urlBelow(dataset, route, query).href;
}
