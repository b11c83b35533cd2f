import { isRecord } from '../base/values.ts';
import { findSecretPlaceholder, isHttpUrl } from '../networks/network.ts';
import { parseFoundryToml } from './layout.ts';

/** An entry of `[rpc_endpoints]` as it is written, with `${NAME}` where the environment has a part of the URL. */
export interface FoundryEndpoint {
  readonly alias: string;
  readonly template: string;
}

/** Of one file; real ones have up to thirty. */
const MAX_ENDPOINTS = 200;
const MAX_ALIAS_CHARS = 64;
const MAX_URL_CHARS = 2048;

/**
 * The endpoints that a `foundry.toml` names: `alias = "URL"`, or a table with `endpoint` or `url`.
 * https://getfoundry.sh/config/reference/etherscan
 *
 * @throws AppError `badInput` for text that is no TOML.
 * @example parseFoundryEndpoints('[rpc_endpoints]\nlocal = "http://127.0.0.1:8545"').length // 1
 */
export function parseFoundryEndpoints(text: string): readonly FoundryEndpoint[] {
  const { rpc_endpoints: table } = parseFoundryToml(text);
  if (!isRecord(table)) return [];
  return Object.entries(table)
    .slice(0, MAX_ENDPOINTS)
    .flatMap(([alias, value]) => {
      const template = isRecord(value) ? (value.endpoint ?? value.url) : value;
      const fits = typeof template === 'string' && template.length <= MAX_URL_CHARS;
      return fits && isAlias(alias) ? { alias, template } : [];
    });
}

/** A URL, the variables that it lacks, or `notHttp` where it is no address that can be asked. */
export type ResolvedEndpoint =
  | { readonly url: string }
  | { readonly missing: readonly string[] }
  | { readonly fault: 'notHttp' };

/**
 * The URL of an endpoint with every `${NAME}` in place. It may hold a secret then: it is to be written nowhere.
 *
 * @param variable the value of an environment variable; undefined or empty where there is none.
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
  // A file of a workspace has no say in where a secret of the user goes: a mark that is left is of no use.
  return isHttpUrl(url.trim()) && findSecretPlaceholder(url.trim()) === undefined
    ? { url: url.trim() }
    : { fault: 'notHttp' };
}

function isAlias(text: string): boolean {
  return text.length <= MAX_ALIAS_CHARS && /^[\w.-]+$/.test(text);
}
