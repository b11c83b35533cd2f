import * as z from 'zod/mini';
import { createMessage, type Message } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import {
  type ChainQueryDefinition,
  definitionHead,
  hasExpectation,
  parseChainQueryDefinition,
  requireChain,
  toInputError,
} from './queryDefinition.ts';

/** A read of a view function as people store it beside their code. Its values are not resolved yet. */
export interface ReadDefinition {
  readonly title?: string | undefined;
  /** Undefined for any chain. */
  readonly chainId?: number | undefined;
  readonly read: FiledRead;
  readonly expect?: ReadExpectation | undefined;
}

/** What is read. */
export interface FiledRead {
  /** An address, or a name of the project. */
  readonly contract: string;
  /** As `parseWrittenFunction` reads it. */
  readonly function: string;
  /** As `parseArguments` reads them. */
  readonly args: readonly unknown[];
  /** As `fetchReadBlock` reads it. */
  readonly block: string | number;
}

/**
 * What a read must give: a value, of a struct or of several results also some of its members by name; bounds of a
 * number; or a revert, by its error's name, signature, selector or reason.
 */
export type ReadExpectation =
  | { readonly value: unknown }
  | { readonly atLeast?: string | number | undefined; readonly atMost?: string | number | undefined }
  | { readonly reverts: true | string };

export type ChainReadDefinition = ReadDefinition & { readonly chainId: number };

/**
 * Whether the JSON of a query reads state instead of logs.
 *
 * @example isReadJson({ chainId: 1, read: { contract: 'Vault', function: 'cap' } }) // true
 */
export function isReadJson(json: unknown): boolean {
  return isRecord(json) && json.read !== undefined;
}

/**
 * Parses the JSON form of a read: `title`, `chainId`, `read` (`contract`, `function`, `arguments`, `block`) and `expect`
 * (`value`; `atLeast`, `atMost`; or `reverts`); an empty `expect` is none.
 *
 * @throws AppError `badInput` for an invalid field, named by its path, such as `read.contract`, or an unknown key.
 * @example parseReadDefinition({ read: { contract: 'Vault', function: 'cap' } }).read.block // 'latest'
 */
export function parseReadDefinition(json: unknown): ReadDefinition {
  const parsed = ReadDefinitionJson.safeParse(json);
  if (!parsed.success) throw toInputError(parsed.error, describeKeys, (field) => FIELD_HINTS[field]);
  const { title, chainId, read, expect } = parsed.data;
  const { contract, function: name, arguments: args = [], block } = read;
  return {
    title,
    chainId,
    read: { contract, function: name, args, block: block ?? 'latest' },
    expect: expect && hasExpectation(parsed.data) ? expect : undefined,
  };
}

/**
 * Parses what a file has: a query, or a read. It must name its chain, because files do not depend on the active network.
 *
 * @throws AppError `badInput` as {@link parseReadDefinition} and `parseQueryDefinition` do, and for a missing `chainId`.
 * @example 'read' in parseFileDefinition({ chainId: 1, event: 'Paused()' }) // false
 */
export function parseFileDefinition(json: unknown): ChainQueryDefinition | ChainReadDefinition {
  return isReadJson(json) ? requireChain(parseReadDefinition(json)) : parseChainQueryDefinition(json);
}

function describeKeys([part]: readonly string[]): string {
  if (part === 'read') return Object.keys(ReadJson.shape).join(', ');
  return Object.keys(ReadDefinitionJson.shape)
    .filter((key) => key !== '$schema')
    .join(', ');
}

const MAX_ARGUMENTS = 64;

const FIELD_HINTS: Readonly<Record<string, Message>> = {
  read: createMessage('Write an object such as {"contract": "Vault", "function": "cap"}.'),
  'read.contract': createMessage('Write an address or a name of the project.'),
  'read.function': createMessage('Write its name, or declare it: balanceOf(address) view returns (uint256).'),
  'read.arguments': createMessage('Write a list of {0} arguments at most.', MAX_ARGUMENTS),
  'read.block': createMessage(
    'Write a number, latest, latest-1000, finalized, safe, or a time such as 2026-11-01.',
  ),
  expect: createMessage('Write {"value": …}, {"atLeast": …, "atMost": …}, or {"reverts": true}.'),
};

const nonEmpty = (maxChars: number) => z.string().check(z.maxLength(maxChars), z.regex(/\S/));
const bound = z.optional(z.union([z.string().check(z.regex(/\S/)), z.int()]));

const ReadJson = z.strictObject({
  contract: nonEmpty(200),
  function: nonEmpty(10_000),
  arguments: z.optional(z.array(z.unknown()).check(z.maxLength(MAX_ARGUMENTS))),
  block: z.optional(z.union([nonEmpty(100), z.int().check(z.nonnegative())])),
});

const ReadDefinitionJson = z.strictObject({
  ...definitionHead,
  read: ReadJson,
  expect: z.optional(
    z.union([
      z.strictObject({ atLeast: bound, atMost: bound }),
      z.strictObject({
        value: z.unknown().check(z.refine((value) => value !== undefined && value !== null)),
      }),
      z.strictObject({ reverts: z.union([z.literal(true), nonEmpty(1000)]) }),
    ]),
  ),
});
