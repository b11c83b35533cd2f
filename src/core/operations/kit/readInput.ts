import type * as z from 'zod/mini';
import { badInput } from '../../base/errors.ts';
import { plainText } from '../../values/plainText.ts';

/**
 * What an operation is given, held against its schema.
 *
 * @throws AppError `badInput` naming the first parameter that does not fit, and what it takes.
 * @example const { run } = readInput(openQueryInput, { event: 'Transfer' });
 */
export function readInput<T extends z.ZodMiniType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const field = issue.keys[0] ?? 'input';
    throw badInput(field, `${plainText(field)} is no parameter. There are: ${parametersOf(schema)}.`);
  }
  const field = issue?.path.map(String).join('.') || 'input';
  throw badInput(field, `${plainText(field)} does not fit: ${misfit(issue)}.`);
}

function parametersOf(schema: z.ZodMiniType): string {
  const { shape = {} } = schema as { readonly shape?: object };
  return Object.keys(shape).join(', ') || 'none';
}

function misfit(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'it is missing' : `it takes ${issue.expected}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'too_small':
      return `at least ${issue.minimum}`;
    case 'invalid_value':
      return `one of ${issue.values.join(', ')}`;
    case 'invalid_format':
      return `it has the form ${issue.pattern ?? issue.format}`;
    default:
      return 'see the schema of this parameter';
  }
}
