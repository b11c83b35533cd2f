import { isRecord } from '../base/values.ts';
import {
  explorerApiUrl,
  findSecretPlaceholder,
  isHttpUrl,
  toVariablePlaceholder,
} from '../networks/network.ts';
import { parseDatasetUrl } from '../networks/portalDatasets.ts';
import { type FoundryToml, parseFoundryToml } from './layout.ts';

/** An endpoint in the configuration of a project, with `${NAME}` for parts of its URL that are environment variables. */
export interface ProjectEndpoint {
  readonly alias: string;
  readonly template: string;
  /** The template of the URL while a variable of `template` is not set. */
  readonly fallback?: string;
  /** As the file says; the endpoint itself may serve another chain. */
  readonly chainId?: number;
}

/** Per file; real ones have up to thirty. */
export const MAX_ENDPOINTS = 200;
const MAX_ALIAS_CHARS = 64;
export const MAX_URL_CHARS = 2048;

/**
 * The endpoints of a `foundry.toml`: `alias = "URL"`, or a table with `endpoint` or `url`.
 * https://getfoundry.sh/config/reference/etherscan
 *
 * @throws AppError `badInput` for text that is not TOML.
 * @example parseFoundryEndpoints('[rpc_endpoints]\nlocal = "http://127.0.0.1:8545"').length // 1
 */
export function parseFoundryEndpoints(text: FoundryToml): readonly ProjectEndpoint[] {
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

export function isAlias(text: string): boolean {
  return text.length <= MAX_ALIAS_CHARS && /^[\w.-]+$/.test(text);
}

/**
 * The URL of an endpoint, without any value of the environment that may be secret; the variables that are not set; or
 * why it is unusable. `notHttp`: it is not an HTTP URL. `variableInOrigin`: a variable is in its host, port or user
 * name, so that the value would be a part of the address.
 */
export type ResolvedEndpoint =
  | ResolvedUrl
  | { readonly missing: readonly string[] }
  | { readonly error: 'notHttp' | 'variableInOrigin' };

export interface ResolvedUrl {
  /** With `${env:NAME}` where the value of a variable is inserted when a request is sent. */
  readonly url: string;
  /** The variables that the URL is made of. Parts of their values are sent to its origin, or one names the origin. */
  readonly variables: readonly string[];
}

/**
 * Resolves the URL of an endpoint. A variable may be in the path or the query. One at the start may hold the whole URL
 * or its beginning, so that its value goes to the origin that it names itself.
 *
 * @param variable the value of an environment variable; undefined or empty if it is not set.
 * @example resolveEndpoint('https://rpc.example/${KEY}', () => undefined) // { missing: ['KEY'] }
 * @example
 * resolveEndpoint('https://rpc.example/${KEY}', () => 'abc')
 * // { url: 'https://rpc.example/${env:KEY}', variables: ['KEY'] }
 */
export function resolveEndpoint(
  template: string,
  variable: (name: string) => string | undefined,
): ResolvedEndpoint {
  const parts = splitTemplate(template.trim());
  const names = listTemplateVariables(template);
  const missing = names.filter((name) => !variable(name)?.trim());
  if (missing.length > 0) return { missing };
  const [first, ...rest] = parts;
  const base = first && 'name' in first ? (variable(first.name) ?? '').trim() : undefined;
  const write = (start: string, writeVariable: (name: string) => string) =>
    [...(base === undefined ? parts : [{ text: start }, ...rest])]
      .map((part) => ('name' in part ? writeVariable(part.name) : part.text))
      .join('');
  // Two different values lead to the same origin if and only if no variable is a part of it.
  const [a, b] = ['a', 'b'].map((value) => write(base ?? '', () => value)) as [string, string];
  const start = base ?? a;
  // A workspace file must not decide where a stored key of the user goes.
  if (findSecretPlaceholder(a) !== undefined) return { error: 'notHttp' };
  if (!isHttpUrl(a))
    return { error: names.length > 0 && /^https?:/i.test(start) ? 'variableInOrigin' : 'notHttp' };
  const isFixed =
    isHttpUrl(b) &&
    [b, ...(base === undefined ? [] : [base])].every((url) => isSameOrigin(url, a)) &&
    new URL(a).hash === new URL(b).hash;
  if (!isFixed) return { error: 'variableInOrigin' };
  const masked = base !== undefined && first && 'name' in first ? maskUrl(base, first.name) : '';
  const url = write(masked, toVariablePlaceholder);
  return { url, variables: names };
}

/** The variables of a template, each once. @example listTemplateVariables('${ROOT}/v3/$KEY') // ['ROOT', 'KEY'] */
export function listTemplateVariables(template: string): readonly string[] {
  return [...new Set(splitTemplate(template).flatMap((part) => ('name' in part ? part.name : [])))];
}

function isSameOrigin(url: string, other: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(other).origin;
}

type TemplatePart = { readonly text: string } | { readonly name: string };

/**
 * The template that applies now: the fallback while a variable of the first one is not set.
 *
 * @param variable the value of an environment variable; undefined or empty if it is not set.
 */
export function selectTemplate(
  { template, fallback }: ProjectEndpoint,
  variable: (name: string) => string | undefined,
): string {
  return fallback !== undefined && 'missing' in resolveEndpoint(template, variable) ? fallback : template;
}

/** The only reader of variables in a template: what is shown is what is resolved. */
function splitTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let done = 0;
  for (const { 0: written, 1: inBraces, 2: bare, index } of template.matchAll(VARIABLE)) {
    if (index > done) parts.push({ text: template.slice(done, index) });
    parts.push({ name: inBraces ?? bare ?? '' });
    done = index + written.length;
  }
  return done < template.length ? [...parts, { text: template.slice(done) }] : parts;
}

/** Foundry allows white space inside the braces. */
const VARIABLE = /\$\{\s*([A-Za-z_][A-Za-z0-9_]{0,127})\s*\}|\$([A-Za-z_][A-Za-z0-9_]{0,127})/g;

/**
 * The URL in a variable, with the placeholder of the variable for its path and query. The path stays if it is that of
 * an explorer or a portal, which holds no key.
 */
function maskUrl(text: string, name: string): string {
  const { origin, pathname, search } = new URL(text);
  const placeholder = toVariablePlaceholder(name);
  const isPublicPath =
    pathname === '/' || explorerApiUrl(text, '') !== undefined || parseDatasetUrl(text) !== undefined;
  if (!isPublicPath) return `${origin}/${placeholder}`;
  if (search !== '')
    return `${origin}${pathname}${search.slice(0, search.indexOf('=') + 1) || '?'}${placeholder}`;
  return text.endsWith('/') || pathname !== '/' ? `${origin}${pathname}` : origin;
}

/**
 * Reads the variables of a `.env` file as forge and dotenv do: `NAME=value`, with or without `export`, quotes and
 * comments. In values without single quotes, `$NAME` and `${NAME}` stand for other variables. The first of two lines
 * with the same name counts.
 *
 * @param variable the value of a variable of the environment, which comes before those of the file.
 * @example parseDotenv('KEY=abc # of the team\nURL="https://rpc.example/${KEY}"', () => undefined).get('URL')
 * // 'https://rpc.example/abc'
 */
export function parseDotenv(
  text: string,
  variable: (name: string) => string | undefined,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const expand = (value: string) =>
    value.replace(REFERENCE, (_, inBraces?: string, bare?: string) => {
      const name = inBraces ?? bare ?? '';
      return variable(name) ?? values.get(name) ?? '';
    });
  for (const line of text.split('\n')) {
    const [, name, single, double, plain = ''] = ASSIGNMENT.exec(line) ?? [];
    if (name === undefined || values.has(name)) continue;
    values.set(name, single ?? expand(double ?? plain.replace(COMMENT, '').trim()));
  }
  return values;
}

/** A line with a name, and its value in single quotes, in double quotes, or plain. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:'([^']*)'|"([^"]*)"|(.*))/s;
const REFERENCE = /\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g;
const COMMENT = /(?:^|\s)#[\s\S]*/;
