import * as z from 'zod/mini';
import { AppError, badInput } from '../base/errors.ts';
import { isRecord } from '../base/values.ts';
import type { QueryInput } from '../logs/query/parseQuery.ts';
import { parseQueryParts, queryPartsSchema } from '../logs/query/queryJson.ts';

/** What the answer to a question is held against. */
export interface Expectation {
  /** Logs of the whole answer. */
  readonly count?: number | undefined;
  /** The {@link digestRows} of the whole answer, in lower-case hex without `0x`. */
  readonly sha256?: string | undefined;
}

/**
 * A log query as people keep it beside their code: of which chain, with addresses or names of what is deployed there, the
 * event as Solidity writes it and its arguments by name, blocks or times. Not yet held against what is known.
 */
export interface QueryDefinition {
  /** What it is called; undefined where it has no name of its own. */
  readonly title?: string | undefined;
  /** Undefined where any chain may be asked. */
  readonly chainId?: number | undefined;
  readonly query: QueryInput;
  readonly expect?: Expectation | undefined;
}

const MAX_CHAIN_ID = Number.MAX_SAFE_INTEGER;
const SHA256 = /^(?:0x)?[0-9a-f]{64}$/i;

const QueryDefinitionJson = z.strictObject({
  $schema: z.optional(z.string()),
  title: z.optional(z.string().check(z.maxLength(200))),
  chainId: z.optional(z.int().check(z.positive(), z.maximum(MAX_CHAIN_ID))),
  ...queryPartsSchema,
  expect: z.optional(
    z.strictObject({
      count: z.optional(z.int().check(z.nonnegative())),
      sha256: z.optional(z.string().check(z.regex(SHA256))),
    }),
  ),
});

const KEYS = Object.keys(QueryDefinitionJson.shape).filter((key) => key !== '$schema');

/**
 * A question out of its JSON form: what {@link parseLogFilter} takes, with names where it has addresses, and with
 * `title`, `chainId`, `order` (`newestFirst` or `oldestFirst`) and `expect` (`count`, `sha256`). Values are read later, by
 * {@link resolveQuery}, which knows what names stand for.
 *
 * @throws AppError `badInput` naming the field by its path, such as `expect.count`; also for a key that is not known.
 * @example parseQueryDefinition({ chainId: 1, address: 'Vault', event: 'Paused()' }).query.addresses // ['Vault']
 */
export function parseQueryDefinition(json: unknown): QueryDefinition {
  if (!isRecord(json))
    throw badInput('question', 'A question is an object such as {"chainId": 1, "event": "…"}.');
  const parsed = QueryDefinitionJson.safeParse(json);
  if (!parsed.success) throw wrongPart(parsed.error);
  const { $schema: _, title, chainId, expect, ...query } = parsed.data;
  return {
    title,
    chainId,
    query: parseQueryParts(query),
    expect: expect && {
      count: expect.count,
      sha256: expect.sha256?.replace(/^0x/i, '').toLowerCase(),
    },
  };
}

/** A question that says of which chain it is. */
export type ChainQueryDefinition = QueryDefinition & { readonly chainId: number };

/**
 * A question out of a file, which says its chain: a file is read on every machine, whatever network is active there.
 *
 * @throws AppError `badInput` as {@link parseQueryDefinition} does, and for `chainId` where it is not there.
 * @example parseChainQueryDefinition({ chainId: 1, event: 'Paused()' }).chainId // 1
 */
export function parseChainQueryDefinition(json: unknown): ChainQueryDefinition {
  const question = parseQueryDefinition(json);
  const { chainId } = question;
  if (chainId === undefined)
    throw badInput('chainId', 'Say which chain is asked: "chainId": 1, for instance.');
  return { ...question, chainId };
}

/**
 * The JSON form of a question, its keys in a fixed order and without those that say nothing: what is written is easy to
 * compare. {@link parseQueryDefinition} reads it as the same question.
 *
 * @example queryDefinitionToJson({ query: { addresses: ['Vault'], topics: [], event: 'Paused()' } })
 * // { address: 'Vault', event: 'Paused()' }
 */
export function queryDefinitionToJson({
  title,
  chainId,
  query,
  expect,
}: QueryDefinition): Readonly<Record<string, unknown>> {
  const { addresses, topics, event, args = {}, fromBlock, toBlock, order } = query;
  const given = Object.entries(args).filter(([, values]) => values.length > 0);
  const further = event ? [null, ...topics.slice(1)] : topics;
  const last = further.findLastIndex((position) => position !== null && position.length > 0);
  return {
    ...(title && { title }),
    ...(chainId !== undefined && { chainId }),
    ...(addresses.length > 0 && { address: oneOrAll(addresses) }),
    ...(event && { event }),
    ...(given.length > 0 && {
      args: Object.fromEntries(given.map(([name, values]) => [name, oneOrAll(values)])),
    }),
    ...(last >= 0 && {
      topics: further.slice(0, last + 1).map((texts) => (texts && texts.length > 0 ? oneOrAll(texts) : null)),
    }),
    ...(fromBlock !== undefined && { fromBlock: blockJson(fromBlock) }),
    ...(toBlock !== undefined && { toBlock: blockJson(toBlock) }),
    ...(order && { order }),
    ...(expect && { expect }),
  };
}

function oneOrAll(texts: readonly string[]): string | readonly string[] {
  const [only, ...others] = texts;
  return only !== undefined && others.length === 0 ? only : texts;
}

/** A number where JSON has it exactly. */
function blockJson(block: string | number | bigint): string | number {
  const text = String(block);
  const number = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : text;
}

function wrongPart(error: z.core.$ZodError): AppError {
  const issue = error.issues[0];
  const within = (issue?.path ?? []).map(String);
  const isUnknown = issue?.code === 'unrecognized_keys';
  const path = isUnknown ? [...within, issue.keys[0] ?? ''] : within;
  const field = path.join('.').slice(0, 200) || 'question';
  const takes = within[0] === 'expect' ? 'count and sha256' : KEYS.join(', ');
  const message = isUnknown
    ? `${field} is not a part of a question. It takes ${takes}.`
    : `${field} is not of the form that a question takes.`;
  return new AppError('badInput', message, { field, cause: error });
}
