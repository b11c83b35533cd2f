import * as z from 'zod/mini';
import { createMessage } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import type { CodeMatch } from '../code/codeComparison.ts';
import { blockSchema, nameSchema, parseCheckJson } from './checkSchema.ts';
import { definitionHead, hasExpectation } from './queryDefinition.ts';

/** A comparison of deployed code with the build of a contract, as people store it beside their code. */
export interface CodeDefinition {
  readonly title?: string | undefined;
  /** Undefined for any chain. */
  readonly chainId?: number | undefined;
  readonly code: FiledCode;
  readonly expect?: CodeExpectation | undefined;
}

/** What is compared. */
export interface FiledCode {
  /** A contract of the project: its name, or `src/Vault.sol:Vault`. */
  readonly contract: string;
  /** An address, or a name of the project; undefined for the only deployment of the contract on the chain. */
  readonly address?: string | undefined;
  /** As `resolveReadBlock` reads it. */
  readonly block: string | number;
}

/** What a comparison must give. */
export interface CodeExpectation {
  /** One of these; undefined for any of {@link SAME_CODE}. */
  readonly match?: readonly CodeMatch[] | undefined;
  /** By name, or by the offset in the code in bytes. */
  readonly immutables?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Addresses or names of the project, by the name of the library. */
  readonly libraries?: Readonly<Record<string, string>> | undefined;
}

/** Matches of code that does the same. */
export const SAME_CODE = ['exact', 'metadata', 'immutables'] as const satisfies readonly CodeMatch[];

/**
 * Whether the JSON of a query compares code.
 *
 * @example isCodeJson({ chainId: 1, code: { contract: 'Vault' } }) // true
 */
export function isCodeJson(json: unknown): boolean {
  return isRecord(json) && json.code !== undefined;
}

/**
 * Parses the JSON form of a comparison of code: `title`, `chainId`, `code` (`contract`, `address`, `block`) and `expect`
 * (`match`, `immutables`, `libraries`); an empty `expect` is none.
 *
 * @throws AppError `badInput` for an invalid field, named by its path, such as `code.contract`, or an unknown key.
 * @example parseCodeDefinition({ code: { contract: 'Vault' } }).code.block // 'latest'
 */
export function parseCodeDefinition(json: unknown): CodeDefinition {
  const { title, chainId, code, expect } = parseCheckJson(CodeDefinitionJson, json, EXPECT_HINT);
  const match = expect?.match === undefined ? undefined : [expect.match].flat();
  return {
    title,
    chainId,
    code: { ...code, block: code.block ?? 'latest' },
    expect: expect && hasExpectation({ expect }) ? { ...expect, match } : undefined,
  };
}

const EXPECT_HINT = createMessage(
  'Enter {"match": "exact", "immutables": {…}, "libraries": {…}}, or a part of it.',
);

/** Immutables or libraries of a contract. */
const MAX_FILLED = 1000;

const hasFewKeys = z.refine<object>((values) => Object.keys(values).length <= MAX_FILLED);
const matchSchema = z.enum(SAME_CODE);

const CodeDefinitionJson = z.strictObject({
  ...definitionHead,
  code: z.strictObject({
    contract: nameSchema,
    address: z.optional(nameSchema),
    block: z.optional(blockSchema),
  }),
  expect: z.optional(
    z.strictObject({
      match: z.optional(z.union([matchSchema, z.array(matchSchema).check(z.minLength(1), z.maxLength(3))])),
      immutables: z.optional(
        z.record(z.string(), z.union([nameSchema, z.int(), z.boolean()])).check(hasFewKeys),
      ),
      libraries: z.optional(z.record(z.string(), nameSchema).check(hasFewKeys)),
    }),
  ),
});
