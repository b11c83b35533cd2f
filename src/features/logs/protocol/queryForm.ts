import {
  type AppError,
  type FormField,
  getChecksumState,
  type LogFilter,
  parseAddress,
  parseQueryForm,
  type QueryForm,
  splitList,
} from '../../../core/index.ts';

export type FormProblems = Readonly<Partial<Record<FormField, string>>>;

type CheckedForm =
  | { readonly filter: LogFilter; readonly problems?: undefined }
  | { readonly filter?: undefined; readonly problems: FormProblems };

/**
 * The filter that the form stands for, or what is wrong with each field, as `say` words it; host and webview judge it
 * alike.
 */
export function checkForm(
  form: QueryForm,
  say: (problem: AppError) => string = ({ message }) => message,
): CheckedForm {
  const { filter, problems } = parseQueryForm(form);
  if (filter) return { filter };
  return { problems: Object.fromEntries(problems.map((problem) => [problem.details.field, say(problem)])) };
}

/** Addresses of the field whose letter case claims a checksum that is wrong: one letter may be mistyped. */
export function wrongChecksums(value: string): readonly string[] {
  return splitList(value).filter((item) => parseAddress(item) && getChecksumState(item) === 'wrong');
}
