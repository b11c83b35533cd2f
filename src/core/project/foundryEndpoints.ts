import { isRecord } from '../base/values.ts';
import { findSecretPlaceholder, isHttpUrl } from '../networks/network.ts';
import { type FoundryToml, parseFoundryToml } from './layout.ts';

/** An entry of `[rpc_endpoints]` as written, with `${NAME}` for parts of the URL that are environment variables. */
export interface FoundryEndpoint {
  readonly alias: string;
  readonly template: string;
}

/** Per file; real ones have up to thirty. */
const MAX_ENDPOINTS = 200;
const MAX_ALIAS_CHARS = 64;
const MAX_URL_CHARS = 2048;

/**
 * The endpoints of a `foundry.toml`: `alias = "URL"`, or a table with `endpoint` or `url`.
 * https://getfoundry.sh/config/reference/etherscan
 *
 * @throws AppError `badInput` for text that is not TOML.
 * @example parseFoundryEndpoints('[rpc_endpoints]\nlocal = "http://127.0.0.1:8545"').length // 1
 */
export function parseFoundryEndpoints(text: FoundryToml): readonly FoundryEndpoint[] {
  const { rpc_endpoints: endpoints } = parseFoundryToml(text);
  if (!isRecord(endpoints)) return [];
  return Object.entries(endpoints)
    .slice(0, MAX_ENDPOINTS)
    .flatMap(([alias, value]) => {
      const template = isRecord(value) ? (value.endpoint ?? value.url) : value;
      const fits = typeof template === 'string' && template.length <= MAX_URL_CHARS;
      return fits && isAlias(alias) ? { alias, template } : [];
    });
}

function isAlias(text: string): boolean {
  return text.length <= MAX_ALIAS_CHARS && /^[\w.-]+$/.test(text);
}

/** A URL, the variables that are not set, or `notHttp` if the result is not an HTTP URL. */
export type ResolvedEndpoint =
  | { readonly url: string }
  | { readonly missing: readonly string[] }
  | { readonly error: 'notHttp' };

/**
 * Replaces every `${NAME}` in the URL of an endpoint. The result may contain a secret: never write it anywhere.
 *
 * @param variable the value of an environment variable; undefined or empty if it is not set.
 * @example resolveEndpoint('https://rpc.example/${KEY}', () => undefined) // { missing: ['KEY'] }
 */
export function resolveEndpoint(
  template: string,
  variable: (name: string) => string | undefined,
): ResolvedEndpoint {
  const missing = new Set<string>();
  const url = template.replaceAll(/\$\{\s*([A-Za-z_][A-Za-z0-9_]{0,127})\s*\}/g, (written, name: string) => {
    const value = variable(name);
    if (value) return value;
    missing.add(name);
    return written;
  });
  if (missing.size > 0) return { missing: [...missing] };
  // A workspace file must not decide where a secret of the user goes: a URL with a secret placeholder is rejected.
  return isHttpUrl(url.trim()) && findSecretPlaceholder(url.trim()) === undefined
    ? { url: url.trim() }
    : { error: 'notHttp' };
}
