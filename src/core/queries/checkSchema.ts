import * as z from 'zod/mini';
import { createMessage, type Message } from '../base/text.ts';
import { toInputError } from './queryDefinition.ts';

/** A text of visible characters. */
export const nonEmpty = (maxChars: number) => z.string().check(z.maxLength(maxChars), z.regex(/\S/));

/** An address, or the name of one or of a contract. */
export const nameSchema = nonEmpty(200);

/** As `resolveReadBlock` reads it. */
export const blockSchema = z.union([nonEmpty(100), z.int().check(z.nonnegative())]);

/** Arguments of a read. */
export const MAX_ARGUMENTS = 64;

/**
 * Parses the JSON of a check. The schema is an object; an error for an unknown key names those that its object has.
 *
 * @param expectHint says what `expect` can be.
 * @throws AppError `badInput` for an invalid field, named by its path, or an unknown key.
 * @example parseCheckJson(CodeDefinitionJson, { code: { contract: 'Vault' } }, hint).code.contract; // 'Vault'
 */
export function parseCheckJson<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape, z.core.$strict>,
  json: unknown,
  expectHint: Message,
): z.output<z.ZodMiniObject<Shape, z.core.$strict>> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw toInputError(
    parsed.error,
    (path) => listKeys(schema, path),
    (field) => findHint(field) ?? (field === 'expect' ? expectHint : undefined),
  );
}

/** The keys of the object at a path; undefined where it may be one of several. */
function listKeys(schema: z.core.$ZodType, path: readonly string[]): string | undefined {
  let at: z.core.$ZodType | undefined = schema;
  for (const part of path) at = at && getShape(at)?.[part];
  const shape = at && getShape(at);
  return (
    shape &&
    Object.keys(shape)
      .filter((key) => key !== '$schema')
      .join(', ')
  );
}

/** Of an object that may be left out. */
function getShape(schema: z.core.$ZodType): z.core.$ZodShape | undefined {
  if (schema instanceof z.ZodMiniOptional) return getShape(schema.def.innerType);
  return schema instanceof z.ZodMiniObject ? schema.def.shape : undefined;
}

/** What to write at a field, or at the nearest one that contains it. */
function findHint(field: string): Message | undefined {
  for (let path = field; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.'))))
    if (FIELD_HINTS[path]) return FIELD_HINTS[path];
  return undefined;
}

const CONTRACT_HINT = createMessage('Enter an address or a name of the project.');
const BLOCK_HINT = createMessage(
  'Enter a number, latest, latest-1000, finalized, safe, or a time such as 2026-11-01.',
);
const LIST_HINT = createMessage('Enter a list of addresses or names; an empty list for nobody.');

const FIELD_HINTS: Readonly<Record<string, Message>> = {
  read: createMessage('Enter an object such as {"contract": "Vault", "function": "cap"}.'),
  'read.contract': CONTRACT_HINT,
  'read.function': createMessage('Enter its name, or declare it: balanceOf(address) view returns (uint256).'),
  'read.arguments': createMessage('Enter a list of {0} arguments at most.', MAX_ARGUMENTS),
  'read.block': BLOCK_HINT,
  'read.from': createMessage('Enter the address of the sender, or a name of the project.'),
  code: createMessage('Enter an object such as {"contract": "Vault", "address": "0x…"}.'),
  'code.contract': createMessage('Enter the name of a contract of the project, or src/Vault.sol:Vault.'),
  'code.address': CONTRACT_HINT,
  'code.block': BLOCK_HINT,
  'expect.match': createMessage('Enter exact, metadata or immutables, or a list of these.'),
  'expect.immutables': createMessage('Enter an object with their names and values.'),
  'expect.libraries': createMessage('Enter an object with their names and addresses.'),
  state: createMessage('Enter an object such as {"kind": "roles", "contract": "Vault"}.'),
  'state.kind': createMessage('Enter holders, roles or allowances.'),
  'state.contract': CONTRACT_HINT,
  'state.owner': CONTRACT_HINT,
  'state.block': BLOCK_HINT,
  needs: createMessage('Enter confirmed, or remove it.'),
  'expect.count': createMessage('Enter a whole number.'),
  'expect.members': createMessage('Enter an object with a list of addresses or names for each role.'),
  'expect.holders': LIST_HINT,
  'expect.spenders': LIST_HINT,
};
