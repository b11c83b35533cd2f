import { parseQueryArguments, type QueryForm, queryFormOf } from '../../../core/index.ts';

/**
 * The form that the arguments of `chainside.queryLogs` fill in, and whether to run it at once. A value that no query
 * can use, such as a malformed address, is kept as it is: the form says so at its field.
 *
 * @throws AppError `badInput` as {@link parseQueryArguments} does.
 */
export function readQueryLogsArguments(value: unknown): { readonly form: QueryForm; readonly run: boolean } {
  const { query, run } = parseQueryArguments(value);
  return { form: queryFormOf(query), run };
}
