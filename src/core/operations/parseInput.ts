import type * as z from 'zod/mini';
import type { ZodMiniType } from 'zod/mini';
import { badInput } from '../base/errors.ts';
import { decimal, type OwnText, ownText, ownWord } from '../base/ownText.ts';
import { isRecord } from '../base/values.ts';
import { userText } from './agentText.ts';

/**
 * Validates the input of an operation. Understands what clients send in place of what the schema says: JSON, numbers
 * and booleans as text, 1 and 0 for booleans; a value for a list of one, and the reverse; null, also as text, and blank
 * text for a parameter that is absent.
 *
 * @throws AppError `badInput` with the first invalid parameter as `field`, and an example of a valid one.
 * @example const { run } = parseInput(openQueryInput, { event: 'Transfer', run: 'false' });
 */
export function parseInput<T extends ZodMiniType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(toTypeOf(schema, isAbsent(input) ? {} : input), { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const field = issue.keys[0] ?? 'input';
    throw badInput(
      field,
      ownText`${userText(field, 64)} is not a parameter. Parameters: ${listParameters(schema)}.`,
    );
  }
  const field = issue?.path.map(String).join('.') || 'input';
  throw badInput(
    field,
    ownText`${userText(field, 64)} is invalid: ${describeIssue(issue)}.${formatExample(schema, String(issue?.path[0]))}`,
  );
}

/** The value that a client means by `value` where the schema has another type; else `value` itself. */
function toTypeOf(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'default':
      return toTypeOf(def.innerType, value);
    case 'pipe':
      return toTypeOf(def.out, value);
    case 'object':
      return mapMembers(parseJsonText(value, isRecord), (name) =>
        Object.hasOwn(def.shape, name) ? def.shape[name] : undefined,
      );
    case 'record':
      return mapMembers(parseJsonText(value, isRecord), () => def.valueType);
    case 'array': {
      const parsed = parseJsonText(value, Array.isArray);
      const list: readonly unknown[] = Array.isArray(parsed) ? parsed : isScalar(parsed) ? [parsed] : [];
      if (list.length === 0) return parsed;
      // A name is never blank; the argument of a function may be.
      const items = isOfType(def.element, 'string') ? list.filter((item) => !isAbsent(item)) : list;
      return items.map((item) => toTypeOf(def.element, item));
    }
    case 'union': {
      const list = def.options.find((option) => isOfType(option, 'array'));
      const isList = list && Array.isArray(parseJsonText(value, Array.isArray));
      return isList ? toTypeOf(list, value) : toPlainText(value);
    }
    case 'string':
      return toPlainText(Array.isArray(value) && value.length === 1 ? value[0] : value);
    case 'boolean': {
      const parsed = parseJsonText(toLowerText(value), (one) => typeof one === 'boolean' || isBit(one));
      return isBit(parsed) ? parsed === 1 : parsed;
    }
    case 'number':
      return parseJsonText(toPlainText(value), (parsed) => typeof parsed === 'number');
    case 'enum': {
      const lower = toLowerText(value);
      return Object.values(def.entries).find((entry) => toLowerText(entry) === lower) ?? value;
    }
    default:
      return value;
  }
}

/** The members that are present; those without a schema as they are. */
function mapMembers(value: unknown, schemaOf: (name: string) => z.core.$ZodType | undefined): unknown {
  if (!isRecord(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const schema = schemaOf(name);
    if (!schema) return [[name, member]];
    return isAbsent(member) ? [] : [[name, toTypeOf(schema, member)]];
  });
  return Object.fromEntries(members);
}

const isAbsent = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && ABSENT.has(value.trim()));
const ABSENT: ReadonlySet<string> = new Set(['', 'null', 'undefined', '""']);

const isScalar = (value: unknown) => typeof value !== 'object' && !isAbsent(value);
const isBit = (value: unknown) => value === 1 || value === 0;
const isOfType = (schema: z.core.$ZodType, type: string) =>
  (schema as z.core.$ZodTypes)._zod.def.type === type;

/** What JSON in a text says, if it is of the type that is wanted. */
function parseJsonText(value: unknown, isWanted: (parsed: unknown) => boolean): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isWanted(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

/** Without space around it, or the quotes of JSON. */
function toPlainText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return text.startsWith('"') ? parseJsonText(text, (parsed) => typeof parsed === 'string') : text;
}

function toLowerText(value: unknown): unknown {
  const text = toPlainText(value);
  return typeof text === 'string' ? text.toLowerCase() : text;
}

/** Keys, types and bounds of a schema are Chainside's own. */
function listParameters(schema: ZodMiniType): OwnText {
  const { shape = {} } = schema as { readonly shape?: object };
  return userText(Object.keys(shape).join(', ') || 'none', MAX_LIST_CHARS);
}

const MAX_LIST_CHARS = 1_000;

function describeIssue(issue: z.core.$ZodIssue | undefined): OwnText {
  switch (issue?.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? ownWord('it is missing')
        : ownText`it must be of type ${userText(TYPE_NAMES[issue.expected] ?? issue.expected)}`;
    case 'too_big':
      return issue.maximum === Number.MAX_SAFE_INTEGER
        ? ownWord('write larger integers as text')
        : ownText`the maximum is ${decimal(issue.maximum)}`;
    case 'too_small':
      return ownText`the minimum is ${decimal(issue.minimum)}`;
    case 'invalid_value':
      return ownText`it must be one of ${userText(issue.values.join(', '), MAX_LIST_CHARS)}`;
    case 'invalid_format':
      return ownText`it must match ${userText(issue.pattern ?? issue.format)}`;
    default:
      return ownWord('it has another form');
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = { int: 'integer', record: 'object' };

/** An input with this parameter, and with all that are required. */
function formatExample(schema: ZodMiniType, parameter: string): OwnText {
  if (!Object.hasOwn(EXAMPLES, parameter)) return ownWord('');
  const { shape = {} } = schema as { readonly shape?: Readonly<Record<string, ZodMiniType>> };
  const parts = Object.entries(EXAMPLES).filter(([name]) => {
    const type = Object.hasOwn(shape, name) ? shape[name]?._zod.def.type : 'optional';
    return name === parameter || (type !== 'optional' && type !== 'default');
  });
  return ownText` Example: ${userText(JSON.stringify(Object.fromEntries(parts)), MAX_LIST_CHARS)}.`;
}

/** A valid value of each parameter. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  address: 'Token',
  event: 'Transfer(address indexed from, address indexed to, uint256 value)',
  args: { to: ['Alice', '0x0000000000000000000000000000000000000b0b'], tokenId: '1000000000000000000' },
  from: 'latest-1000',
  to: 'latest',
  order: 'newestFirst',
  mode: 'rows',
  group_by: ['to', 'day'],
  sum: 'value',
  limit: 20,
  format: 'ndjson',
  file: 'transfers-2026',
  confirm: true,
  contract: 'Token',
  function: 'balanceOf',
  arguments: ['Alice'],
  block: 'latest-1000',
  kind: 'holders',
  owner: 'Alice',
  hex: '0xa9059cbb',
  hash: `0x${'12'.repeat(32)}`,
  what: 'query',
  run: true,
};
