import {
  type FormField,
  getFieldText,
  listEventArguments,
  parseAddress,
  parseDeclaredEvent,
  type QueryForm,
  sanitizeText,
  splitList,
  withFieldText,
} from '../../../core/index.ts';

/** A field that keeps logs out, and the form without it. */
export interface Narrowing {
  readonly field: FormField;
  /** The name of the parameter, or the number of the topic. */
  readonly name: string | number;
  readonly value: string;
  readonly without: QueryForm;
}

/** Characters of a value that are shown. */
const LONGEST_VALUE = 48;

/** The arguments and topics of a form that keep logs out. */
export function narrowings(form: QueryForm): readonly Narrowing[] {
  const event = parseDeclaredEvent(form.event);
  const fields = event ? listEventArguments(event) : [];
  const found: readonly (readonly [FormField, string | number])[] = [
    ...fields.map(({ key }) => [`args.${key}`, key] as const),
    ...([1, 2, 3] as const).map((position) => [`topic${position}`, position] as const),
  ];
  return found.flatMap(([field, name]) => {
    const value = getFieldText(form, field).trim();
    return value === '' ? [] : [{ field, name, value, without: withFieldText(form, field, '') }];
  });
}

/** The form with none of its arguments and topics. */
export function withoutTopics(form: QueryForm): QueryForm {
  return narrowings(form).reduce((less, { field }) => withFieldText(less, field, ''), form);
}

/** A value with addresses by their names. */
export function valueText(value: string, nameOf: (address: string) => string | undefined): string {
  const named = splitList(value).map((item) => (parseAddress(item) && nameOf(item)) ?? item);
  const text = sanitizeText(named.join(', '), LONGEST_VALUE + 1);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
