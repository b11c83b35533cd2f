import { createBudget } from '../base/timeSlices.ts';
import { isRecord } from '../base/values.ts';
import {
  explorerApiUrl,
  findSecretPlaceholder,
  getInsertedText,
  insertSecret,
  isHttpUrl,
  requiresSecret,
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
/** Also of a value in a `.env`. */
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
 * The URL of an endpoint, without any value of the environment that may be secret; the variables that are not set; those
 * with which the URL is too long; or why it is unusable. `notHttp`: it is not an HTTP URL. `variableInOrigin`: a variable
 * is in its host, port or user name, so that the value would be a part of the address.
 */
export type ResolvedEndpoint =
  | ResolvedUrl
  | { readonly missing: readonly string[] }
  | { readonly tooLong: readonly string[] }
  | { readonly error: 'notHttp' | 'variableInOrigin' };

export interface ResolvedUrl {
  /** With `${env:NAME}` where the value of a variable is inserted when a request is sent. */
  readonly url: string;
  /** The variables that the URL is made of. Parts of their values are sent to its origin, or one names the origin. */
  readonly variables: readonly string[];
}

/**
 * Resolves the URL of an endpoint. A variable may be in the path or the query. One at the start may hold the whole URL
 * or its beginning, so that its value goes to the origin that it names itself. Never throws: what cannot be sent exactly
 * as it is written has no URL.
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
  const values = new Map(names.map((name) => [name, variable(name)?.trim() ?? '']));
  const missing = names.filter((name) => !values.get(name));
  if (missing.length > 0) return { missing };
  const [first, ...rest] = parts;
  const base = first && 'name' in first ? values.get(first.name) : undefined;
  const write = (start: string | undefined, writeVariable: (name: string) => string) =>
    [...(base === undefined ? parts : [{ text: start ?? '' }, ...rest])]
      .map((part) => ('name' in part ? writeVariable(part.name) : part.text))
      .join('');
  const getValue = (name: string) => values.get(name) ?? '';
  const chars = parts.reduce(
    (sum, part) => sum + ('name' in part ? getValue(part.name) : part.text).length,
    0,
  );
  if (chars > MAX_URL_CHARS) return names.length > 0 ? { tooLong: names } : { error: 'notHttp' };
  // Two different values lead to the same origin if and only if no variable is a part of it.
  const [a, b] = ['a', 'b'].map((value) => write(base, () => value)) as [string, string];
  // A workspace file must not decide where a stored key of the user goes.
  if (findSecretPlaceholder(a) !== undefined) return { error: 'notHttp' };
  if (!isHttpUrl(a))
    return { error: names.length > 0 && /^https?:/i.test(base ?? a) ? 'variableInOrigin' : 'notHttp' };
  const isFixed =
    isHttpUrl(b) &&
    [b, ...(base === undefined ? [] : [base])].every((url) => isSameOrigin(url, a)) &&
    new URL(a).hash === new URL(b).hash;
  if (!isFixed) return { error: 'variableInOrigin' };
  const shownBase = base !== undefined && first && 'name' in first ? maskUrl(base, first.name) : undefined;
  const url = write(shownBase, toVariablePlaceholder);
  return isSentAs(url, write(base, getValue), getValue)
    ? { url, variables: names }
    : { error: 'variableInOrigin' };
}

/** Whether a request to `url` goes to exactly the URL `whole`, once the values of its variables are inserted. */
function isSentAs(url: string, whole: string, getValue: (name: string) => string): boolean {
  if (!isHttpUrl(url) || !isHttpUrl(whole) || !isSameOrigin(url, whole) || requiresSecret({ rpcUrl: url }))
    return false;
  const sent = new URL(insertSecret(url, '', (name) => getInsertedText(url, name, getValue(name))));
  const meant = new URL(whole);
  // No request has a fragment.
  return sent.pathname === meant.pathname && sent.search === meant.search;
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
 * Resolves the template that applies now: the fallback while a variable of the first one is not set.
 *
 * @param variable the value of an environment variable; undefined or empty if it is not set.
 * @param isTooLong whether a variable is not set only because its value is too long: it has no fallback.
 * @returns the template as well, as the file has it.
 * @example
 * resolveProjectEndpoint({ alias: 'x', template: '${URL}', fallback: 'http://127.0.0.1:1' }, () => undefined).template
 * // 'http://127.0.0.1:1'
 */
export function resolveProjectEndpoint(
  { template, fallback }: ProjectEndpoint,
  variable: (name: string) => string | undefined,
  isTooLong: (name: string) => boolean = () => false,
): { readonly template: string; readonly resolved: ResolvedEndpoint } {
  const resolved = resolveEndpoint(template, variable);
  if (!('missing' in resolved)) return { template, resolved };
  const tooLong = resolved.missing.filter(isTooLong);
  if (tooLong.length > 0) return { template, resolved: { tooLong } };
  if (fallback === undefined) return { template, resolved };
  return { template: fallback, resolved: resolveEndpoint(fallback, variable) };
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
  if (text.endsWith('?')) return `${origin}${pathname}?`;
  return text.endsWith('/') || pathname !== '/' ? `${origin}${pathname}` : origin;
}

/** Characters that values of a file take from other variables, in all. */
const MAX_EXPANDED_CHARS = 64 * 1024;
/** Characters. A larger file was not written by hand, and its end is not read. */
const MAX_DOTENV_CHARS = 256 * 1024;

/** The variables of a `.env` file. */
export interface Dotenv {
  readonly values: ReadonlyMap<string, string>;
  /** Whether a variable is not set because its value is too long, or one that it is made of, or the file up to it. */
  isTooLong(name: string): boolean;
}

/**
 * Reads the variables of a `.env` file as forge and dotenv do: `NAME=value`, with or without `export`, quotes and
 * comments. In values without single quotes, `$NAME` and `${NAME}` stand for other variables. The first of two lines
 * with the same name counts. The first 256 Ki characters are read; a value has up to {@link MAX_URL_CHARS}, and what all
 * values take from other variables is up to 64 Ki.
 *
 * @param variable the value of a variable of the environment, which comes before those of the file.
 * @example parseDotenv('KEY=abc # of the team\nURL="https://rpc.example/${KEY}"', () => undefined).values.get('URL')
 * // 'https://rpc.example/abc'
 */
export function parseDotenv(text: string, variable: (name: string) => string | undefined): Dotenv {
  const values = new Map<string, string>();
  const tooLong = new Set<string>();
  const environment = new Map<string, string | undefined>();
  const budget = createBudget(MAX_EXPANDED_CHARS);

  /** Undefined for a variable that is too long. */
  function lookUp(name: string): string | undefined {
    if (!environment.has(name)) environment.set(name, variable(name));
    return environment.get(name) ?? (tooLong.has(name) ? undefined : (values.get(name) ?? ''));
  }

  /** Undefined if the value gets too long. */
  function expand(written: string): string | undefined {
    let expanded = '';
    let done = 0;
    for (const { 0: reference, 1: inBraces, 2: bare, index } of written.matchAll(REFERENCE)) {
      const value = lookUp(inBraces ?? bare ?? '');
      // Also an empty value costs something.
      if (value === undefined || !budget.pay(value.length + 1)) return undefined;
      expanded += written.slice(done, index) + value;
      if (expanded.length > MAX_URL_CHARS) return undefined;
      done = index + reference.length;
    }
    return expanded + written.slice(done);
  }

  for (const line of text.slice(0, MAX_DOTENV_CHARS).split('\n')) {
    const [, name, single, double, plain = ''] = ASSIGNMENT.exec(line) ?? [];
    if (name === undefined || values.has(name) || tooLong.has(name)) continue;
    const written = single ?? double ?? plain.replace(COMMENT, '').trim();
    const fits = written.length <= MAX_URL_CHARS;
    const value = fits && single === undefined ? expand(written) : written;
    if (fits && value !== undefined && value.length <= MAX_URL_CHARS) values.set(name, value);
    else tooLong.add(name);
  }
  const isCut = text.length > MAX_DOTENV_CHARS;
  return { values, isTooLong: (name) => tooLong.has(name) || (isCut && !values.has(name)) };
}

/** A line with a name, and its value in single quotes, in double quotes, or plain. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:'([^']*)'|"([^"]*)"|(.*))/s;
const REFERENCE = /\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g;
const COMMENT = /(?:^|\s)#[\s\S]*/;
