import { parseQueryArguments, type QueryForm, toQueryForm } from '../../../core/index.ts';

type QueryLogsArguments = Omit<ReturnType<typeof parseQueryArguments>, 'query'> & {
  readonly form: QueryForm;
};

/**
 * The form that the arguments of `chainside.queryLogs` fill in, and what to do with it. A value that no query
 * can use, such as a malformed address, is kept as it is: the form says so at its field.
 *
 * @throws AppError `badInput` as {@link parseQueryArguments} does.
 */
export function readQueryLogsArguments(value: unknown): QueryLogsArguments {
  const { query, ...others } = parseQueryArguments(value);
  return { form: toQueryForm(query), ...others };
}
