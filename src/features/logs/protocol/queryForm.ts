import {
  type AppError,
  checksumState,
  type LogFilter,
  parseAddress,
  type QueryForm,
  queryFormOf,
  readQueryForm,
  splitTexts,
} from '../../../core/index.ts';

export type { QueryForm } from '../../../core/index.ts';
/** A field of its own, or that of an indexed parameter. */
export type FormField = Exclude<keyof QueryForm, 'args' | 'order'> | `args.${string}`;
export type FormProblems = Readonly<Partial<Record<FormField, string>>>;

export const emptyForm: QueryForm = queryFormOf({ addresses: [], topics: [] });

export function isFormField(name: string): name is FormField {
  return isArgument(name) || (name !== 'args' && name !== 'order' && Object.hasOwn(emptyForm, name));
}

/** What is typed in a field. */
export function textOf(form: QueryForm, field: FormField): string {
  if (!isArgument(field)) return form[field];
  const key = keyOf(field);
  return Object.hasOwn(form.args, key) ? (form.args[key] ?? '') : '';
}

/** The form with another text in one field. */
export function withText(form: QueryForm, field: FormField, text: string): QueryForm {
  return isArgument(field)
    ? { ...form, args: { ...form.args, [keyOf(field)]: text } }
    : { ...form, [field]: text };
}

function isArgument(field: string): field is `args.${string}` {
  return field.startsWith('args.');
}

function keyOf(field: `args.${string}`): string {
  return field.slice('args.'.length);
}

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
  const { filter, problems } = readQueryForm(form);
  if (filter) return { filter };
  return { problems: Object.fromEntries(problems.map((problem) => [problem.details.field, say(problem)])) };
}

/** Addresses of the field whose letter case claims a checksum that is wrong: one letter may be mistyped. */
export function wrongChecksums(value: string): readonly string[] {
  return splitTexts(value).filter((item) => parseAddress(item) && checksumState(item) === 'wrong');
}
