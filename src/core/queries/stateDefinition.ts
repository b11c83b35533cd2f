import * as z from 'zod/mini';
import { createMessage } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import type { StateKind } from '../state/contractState.ts';
import { blockSchema, nameSchema, parseCheckJson } from './checkSchema.ts';
import { definitionHead, hasExpectation } from './queryDefinition.ts';

/** State that logs tell of a contract, as people store it beside their code. Its values are not resolved yet. */
export interface StateDefinition {
  readonly title?: string | undefined;
  /** Undefined for any chain. */
  readonly chainId?: number | undefined;
  readonly state: FiledState;
  readonly expect?: StateExpectation | undefined;
  /** `confirmed`: rows that agree with calls are enough. Undefined: that there are no others must be proven. */
  readonly needs?: 'confirmed' | undefined;
}

/** Which state. */
export interface FiledState {
  readonly kind: StateKind;
  /** An address, or a name of the project. */
  readonly contract: string;
  /** Of allowances: only those of this owner. */
  readonly owner?: string | undefined;
  /** As `resolveReadBlock` reads it. */
  readonly block: string | number;
}

/** What the state must be. Lists have addresses or names of the project, and are complete: only these. */
export interface StateExpectation {
  /** Rows. */
  readonly count?: number | undefined;
  /** The members of roles by name or hash; also of `owner`, `proxyAdmin` and the like. Roles that are not named may have any. */
  readonly members?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly holders?: readonly string[] | undefined;
  readonly spenders?: readonly string[] | undefined;
}

/**
 * Whether the JSON of a query is about state from logs.
 *
 * @example isStateJson({ chainId: 1, state: { kind: 'roles', contract: 'Vault' } }) // true
 */
export function isStateJson(json: unknown): boolean {
  return isRecord(json) && json.state !== undefined;
}

/**
 * Parses the JSON form of state from logs: `title`, `chainId`, `state` (`kind`, `contract`, `owner`, `block`), `expect`
 * (`count`, `members`, `holders`, `spenders`) and `needs`; an empty `expect` is none.
 *
 * @throws AppError `badInput` for an invalid field, named by its path, such as `state.kind`, or an unknown key.
 * @example parseStateDefinition({ state: { kind: 'roles', contract: 'Vault' } }).state.block // 'latest'
 */
export function parseStateDefinition(json: unknown): StateDefinition {
  const { title, chainId, state, expect, needs } = parseCheckJson(StateDefinitionJson, json, EXPECT_HINT);
  return {
    title,
    chainId,
    state: { ...state, block: state.block ?? 'latest' },
    expect: expect && hasExpectation({ expect }) ? expect : undefined,
    needs,
  };
}

const EXPECT_HINT = createMessage(
  'Enter {"members": {"MINTER_ROLE": ["0x…"]}}, {"holders": […]}, {"spenders": […]} or {"count": 12}.',
);

/** As many as a query has addresses. */
export const MAX_LISTED = 5000;
const MAX_ROLES = 500;

export const STATE_KINDS = ['holders', 'roles', 'allowances'] as const satisfies readonly StateKind[];

const listSchema = z.array(nameSchema).check(z.maxLength(MAX_LISTED));

const StateDefinitionJson = z.strictObject({
  ...definitionHead,
  state: z.strictObject({
    kind: z.enum(STATE_KINDS),
    contract: nameSchema,
    owner: z.optional(nameSchema),
    block: z.optional(blockSchema),
  }),
  needs: z.optional(z.enum(['confirmed'])),
  expect: z.optional(
    z.strictObject({
      count: z.optional(z.int().check(z.nonnegative())),
      members: z.optional(
        z
          .record(z.string(), listSchema)
          .check(z.refine((members) => Object.keys(members).length <= MAX_ROLES)),
      ),
      holders: z.optional(listSchema),
      spenders: z.optional(listSchema),
    }),
  ),
});
