import * as z from 'zod/mini';
import { type AppError, badInput } from '../base/errors.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import { type Grouping, MAX_GROUP_FIELDS, parseGrouping } from '../logs/groups/grouping.ts';
import type { QueryForm } from '../logs/query/form.ts';
import { queryFormToJson, queryPartsSchema, toQueryForm } from '../logs/query/queryJson.ts';

/**
 * A log query as people store it beside their code: addresses or names of deployments, the event as Solidity declares
 * it, its arguments by name, blocks or times. Its values are not resolved yet.
 */
export interface QueryDefinition {
  readonly title?: string | undefined;
  /** Undefined for any chain. */
  readonly chainId?: number | undefined;
  readonly query: QueryForm;
  /** How its logs are grouped; undefined to show logs. */
  readonly grouping?: Grouping | undefined;
  readonly expect?: Expectation | undefined;
}

/** What the complete result of a query must be. */
export interface Expectation {
  readonly count?: number | undefined;
  /** The {@link digestRows} of the logs, in lower-case hex without `0x`. */
  readonly sha256?: string | undefined;
  /** The {@link digestContents} of the logs, in the same form. */
  readonly contentSha256?: string | undefined;
}

/**
 * Parses the JSON form of a query: what {@link parseLogFilter} takes, with names in place of addresses, and `title`,
 * `chainId`, `order` (`newestFirst` or `oldestFirst`), `groupBy` and `sum` (as {@link parseGrouping} takes them) and
 * `expect` (`count`, `contentSha256`, `sha256`); an empty `expect` is none. {@link resolveQuery} validates the values
 * later, when names are resolved.
 *
 * @throws AppError `badInput` for an invalid field, named by its path, such as `expect.count`, or an unknown key.
 * @example parseQueryDefinition({ chainId: 1, address: 'Vault', event: 'Paused()' }).query.address // 'Vault'
 */
export function parseQueryDefinition(json: unknown): QueryDefinition {
  if (!isRecord(json)) throw badInput('query', 'A query is an object such as {"chainId": 1, "event": "…"}.');
  if (json.read !== undefined) throw badInput('read', 'This reads state, not logs. Run it with check.');
  if (json.code !== undefined) throw badInput('code', 'This compares code, not logs. Run it with check.');
  if (json.state !== undefined)
    throw badInput('state', 'This is about state, not about rows of logs. Run it with check.');
  const parsed = QueryDefinitionJson.safeParse(json);
  if (!parsed.success) throw toInputError(parsed.error, describeKeys, describeField);
  const { $schema: _, title, chainId, groupBy = [], sum, expect, ...query } = parsed.data;
  return {
    title,
    chainId,
    query: toQueryForm(query),
    grouping: parseGrouping({ by: [groupBy].flat(), sum }),
    expect: hasExpectation(parsed.data)
      ? {
          count: expect?.count,
          sha256: normalizeHash(expect?.sha256),
          contentSha256: normalizeHash(expect?.contentSha256),
        }
      : undefined,
  };
}

function normalizeHash(hash: string | undefined): string | undefined {
  return hash?.replace(/^0x/i, '').toLowerCase();
}

/**
 * Whether the JSON of a query expects something. An empty object expects nothing; an empty list expects nobody.
 *
 * @example hasExpectation({ chainId: 1, expect: { members: {} } }) // false
 */
export function hasExpectation({ expect }: { readonly expect?: unknown }): boolean {
  return isRecord(expect)
    ? Object.values(expect).some((value) => hasExpectation({ expect: value }))
    : expect !== undefined;
}

/**
 * Parses a query of a file. It must name its chain, because files do not depend on the active network.
 *
 * @throws AppError `badInput` as {@link parseQueryDefinition} does, and for a missing `chainId`.
 * @example parseChainQueryDefinition({ chainId: 1, event: 'Paused()' }).chainId // 1
 */
export function parseChainQueryDefinition(json: unknown): ChainQueryDefinition {
  return requireChain(parseQueryDefinition(json));
}

/** @throws AppError `badInput` for a missing `chainId`. */
export function requireChain<Definition extends { readonly chainId?: number | undefined }>(
  definition: Definition,
): Definition & { readonly chainId: number } {
  const { chainId } = definition;
  if (chainId === undefined)
    throw badInput('chainId', 'A query in a file needs a chain. Add "chainId": 1, for instance.');
  return { ...definition, chainId };
}

export type ChainQueryDefinition = QueryDefinition & { readonly chainId: number };

/**
 * The JSON form of a query, with keys in a fixed order. {@link parseQueryDefinition} reads the same query from it.
 *
 * @example queryDefinitionToJson({ chainId: 1, query: { ...emptyForm, address: 'Vault' } })
 * // { chainId: 1, address: 'Vault' }
 */
export function queryDefinitionToJson({
  title,
  chainId,
  query,
  grouping,
  expect,
}: QueryDefinition): Readonly<Record<string, unknown>> {
  return {
    ...(title && { title }),
    ...(chainId !== undefined && { chainId }),
    ...queryFormToJson(query),
    ...(grouping && groupingToJson(grouping)),
    ...(expect && { expect }),
  };
}

function groupingToJson({ by, sum }: Grouping) {
  const names = by.map(({ name }) => name);
  return {
    ...(names.length > 0 && { groupBy: names.length === 1 ? names[0] : names }),
    ...(sum !== undefined && { sum }),
  };
}

/**
 * @param describeKeys lists the keys that the object at a path may have; undefined if they depend on each other.
 * @param describeField says what to write at a path.
 */
export function toInputError(
  error: z.core.$ZodError,
  describeKeys: (path: readonly string[]) => string | undefined,
  describeField: (field: string) => Message | undefined,
): AppError {
  // A key that is mistyped is also missing.
  const unknown = error.issues.find((one) => one.code === 'unrecognized_keys');
  const issuePath = ((unknown ?? error.issues[0])?.path ?? []).map(String);
  const keys = unknown && describeKeys(issuePath);
  const path = keys === undefined ? issuePath : [...issuePath, unknown?.keys[0] ?? ''];
  const field = path.join('.').slice(0, 200) || 'query';
  const message =
    keys !== undefined
      ? createMessage('A query has no field {0}. Use {1}.', foreign(field), foreign(keys))
      : createMessage(
          '{0} is not valid. {1}',
          foreign(field),
          describeField(field) ?? createMessage('See the documentation of query files.'),
        );
  return badInput(field, message, { cause: error });
}

function describeKeys([part]: readonly string[]): string {
  return part === 'expect' ? 'count, contentSha256 and sha256' : KEYS.join(', ');
}

function describeField(field: string): Message | undefined {
  return FIELD_HINTS[field.split('.')[0] ?? ''];
}

const FIELD_HINTS: Readonly<Record<string, Message>> = {
  groupBy: createMessage(
    'Enter one or two different fields: the name of a parameter, address, event, block, block:1000 or day.',
  ),
  sum: createMessage('Enter the name of a parameter that is a number, such as value.'),
};

const MAX_CHAIN_ID = Number.MAX_SAFE_INTEGER;
const SHA256 = /^(?:0x)?[0-9a-f]{64}$/i;

/** `args.` may stand before the name of a parameter. */
const sumField = z.string().check(z.maxLength(256), z.regex(/^(?:args\.)?[A-Za-z_$][\w$]*$/));
/** Also a range of blocks. */
const groupField = z
  .string()
  .check(z.maxLength(256), z.regex(/^(?:block:[1-9]\d{0,14}|(?:args\.)?[A-Za-z_$][\w$]*)$/));

/** What queries and checks have in common. */
export const definitionHead = {
  $schema: z.optional(z.string()),
  title: z.optional(z.string().check(z.maxLength(200))),
  chainId: z.optional(z.int().check(z.positive(), z.maximum(MAX_CHAIN_ID))),
};

const QueryDefinitionJson = z.strictObject({
  ...definitionHead,
  ...queryPartsSchema,
  groupBy: z.optional(
    z.union([
      groupField,
      z.array(groupField).check(
        z.minLength(1),
        z.maxLength(MAX_GROUP_FIELDS),
        z.refine((fields) => new Set(fields).size === fields.length),
      ),
    ]),
  ),
  sum: z.optional(sumField),
  expect: z.optional(
    z.strictObject({
      count: z.optional(z.int().check(z.nonnegative())),
      sha256: z.optional(z.string().check(z.regex(SHA256))),
      contentSha256: z.optional(z.string().check(z.regex(SHA256))),
    }),
  ),
});

const KEYS = Object.keys(QueryDefinitionJson.shape).filter((key) => key !== '$schema');
