import * as z from 'zod/mini';

const textSchema = z.string().check(z.maxLength(100_000));
/** A log has three topics besides topic0. The form also stores values of other events while the user tries one. */
const MAX_ARGUMENTS = 64;
const argumentTextsSchema = z
  .record(z.string().check(z.maxLength(300)), textSchema)
  .check(z.refine((values) => Object.keys(values).length <= MAX_ARGUMENTS));

export const logOrderSchema = z.enum(['newestFirst', 'oldestFirst']);

/**
 * A log query as the texts that people type, not yet validated: the content of a form, to which files, commands and
 * tool arguments are parsed. Blank text means any value, or all blocks.
 */
export const queryFormSchema = z.object({
  address: textSchema,
  event: textSchema,
  topic1: textSchema,
  topic2: textSchema,
  topic3: textSchema,
  fromBlock: textSchema,
  toBlock: textSchema,
  /** Values of indexed parameters by their names. */
  args: z._default(argumentTextsSchema, {}),
  /** Which end of the range is read first. */
  order: z._default(logOrderSchema, 'newestFirst'),
});

export type QueryForm = Readonly<z.infer<typeof queryFormSchema>>;

/** A field of the form, or that of an indexed parameter. */
export type FormField = Exclude<keyof QueryForm, 'args' | 'order'> | `args.${string}`;

export const emptyForm: QueryForm = {
  address: '',
  event: '',
  topic1: '',
  topic2: '',
  topic3: '',
  fromBlock: '',
  toBlock: '',
  args: {},
  order: 'newestFirst',
};

/**
 * Whether a text is the name of a form field.
 *
 * @example isFormField('args.to') // true
 */
export function isFormField(name: string): name is FormField {
  return isArgumentField(name) || (name !== 'args' && name !== 'order' && Object.hasOwn(emptyForm, name));
}

/** @example getFieldText({ ...emptyForm, args: { to: '0x12' } }, 'args.to') // '0x12' */
export function getFieldText(form: QueryForm, field: FormField): string {
  if (!isArgumentField(field)) return form[field];
  const key = getArgumentKey(field);
  return Object.hasOwn(form.args, key) ? (form.args[key] ?? '') : '';
}

/**
 * The form with another text in one field.
 *
 * @example withFieldText(emptyForm, 'fromBlock', '16').fromBlock // '16'
 */
export function withFieldText(form: QueryForm, field: FormField, text: string): QueryForm {
  return isArgumentField(field)
    ? { ...form, args: { ...form.args, [getArgumentKey(field)]: text } }
    : { ...form, [field]: text };
}

function isArgumentField(field: string): field is `args.${string}` {
  return field.startsWith('args.');
}

function getArgumentKey(field: `args.${string}`): string {
  return field.slice('args.'.length);
}

/** Whether the event field has topic0 values, not a declaration. */
export function isTopic0List(event: string): boolean {
  return /^\s*0x/i.test(event);
}
