import * as z from 'zod/mini';
import { createMessage } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import { blockSchema, MAX_ARGUMENTS, nameSchema, nonEmpty, parseCheckJson } from './checkSchema.ts';
import { definitionHead, hasExpectation } from './queryDefinition.ts';

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
  /** As `resolveReadBlock` reads it. */
  readonly block: string | number;
  /** The sender of the call, an address or a name; undefined for none. */
  readonly from?: string | undefined;
}

/**
 * What a read must give: a value, of a struct or of several results also some of its members by name; bounds of a
 * number; or a revert, by its error's name, signature, selector or reason.
 */
export type ReadExpectation =
  | { readonly value: unknown }
  | { readonly atLeast?: string | number | undefined; readonly atMost?: string | number | undefined }
  | { readonly reverts: true | string };

/**
 * Whether the JSON of a query reads state instead of logs.
 *
 * @example isReadJson({ chainId: 1, read: { contract: 'Vault', function: 'cap' } }) // true
 */
export function isReadJson(json: unknown): boolean {
  return isRecord(json) && json.read !== undefined;
}

/**
 * Parses the JSON form of a read: `title`, `chainId`, `read` (`contract`, `function`, `arguments`, `block`, `from`) and `expect`
 * (`value`; `atLeast`, `atMost`; or `reverts`); an empty `expect` is none.
 *
 * @throws AppError `badInput` for an invalid field, named by its path, such as `read.contract`, or an unknown key.
 * @example parseReadDefinition({ read: { contract: 'Vault', function: 'cap' } }).read.block // 'latest'
 */
export function parseReadDefinition(json: unknown): ReadDefinition {
  const { title, chainId, read, expect } = parseCheckJson(ReadDefinitionJson, json, EXPECT_HINT);
  const { contract, function: name, arguments: args = [], block, from } = read;
  return {
    title,
    chainId,
    read: { contract, function: name, args, block: block ?? 'latest', ...(from !== undefined && { from }) },
    expect: expect && hasExpectation({ expect }) ? expect : undefined,
  };
}

const EXPECT_HINT = createMessage('Enter {"value": …}, {"atLeast": …, "atMost": …}, or {"reverts": true}.');

const bound = z.optional(z.union([z.string().check(z.regex(/\S/)), z.int()]));

const ReadJson = z.strictObject({
  contract: nameSchema,
  function: nonEmpty(10_000),
  arguments: z.optional(z.array(z.unknown()).check(z.maxLength(MAX_ARGUMENTS))),
  block: z.optional(blockSchema),
  from: z.optional(nameSchema),
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
