import { type QueryForm, queryFormOf } from './queryForm.ts';

/** A field of its own, or that of an indexed parameter. */
export type FormField = Exclude<keyof QueryForm, 'args' | 'order'> | `args.${string}`;

/** A form in which nothing is typed. */
export const emptyForm: QueryForm = queryFormOf({ addresses: [], topics: [] });

/**
 * Whether it is the name of a field.
 *
 * @example isFormField('args.to') // true
 */
export function isFormField(name: string): name is FormField {
  return isArgument(name) || (name !== 'args' && name !== 'order' && Object.hasOwn(emptyForm, name));
}

/**
 * What is typed in a field.
 *
 * @example textOf({ ...emptyForm, args: { to: '0x12' } }, 'args.to') // '0x12'
 */
export function textOf(form: QueryForm, field: FormField): string {
  if (!isArgument(field)) return form[field];
  const key = keyOf(field);
  return Object.hasOwn(form.args, key) ? (form.args[key] ?? '') : '';
}

/**
 * The form with another text in one field.
 *
 * @example withText(emptyForm, 'fromBlock', '16').fromBlock // '16'
 */
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
