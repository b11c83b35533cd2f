import { withoutTrailingSlashes } from './trailingSlashes.ts';

/**
 * The URL of a path below another, which may end with slashes; its query stays, with `query` beside it.
 *
 * @example urlBelow('https://a.example/api/', 'v2/stats', { of: 'day' }).href // 'https://a.example/api/v2/stats?of=day'
 */
export function urlBelow(base: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base);
  url.pathname = `${withoutTrailingSlashes(url.pathname)}/${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
