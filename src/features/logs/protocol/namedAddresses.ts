import {
  type Address,
  argumentField,
  declaredEvent,
  eventArguments,
  toChecksumAddress,
} from '../../../core/index.ts';
import { type FormField, type QueryForm, textOf, withText } from './queryForm.ts';

/** Addresses that are called so: none, one, or several. */
export type AddressesNamed = (name: string) => readonly Address[];

/** A name that stands for no address, or for none alone. */
export interface UnclearName {
  readonly field: FormField;
  readonly name: string;
  /** How many addresses are called so. */
  readonly count: number;
}

/** Names are looked up one by one. Nobody types more; a list that was pasted is one of addresses. */
const MOST_NAMES = 100;

/** The fields that take addresses: by address, and by each indexed parameter of this type. */
export function addressFields(form: QueryForm): readonly FormField[] {
  const event = declaredEvent(form.event);
  const fields = event ? eventArguments(event) : [];
  return [
    'address',
    ...fields
      .filter(({ parameter }) => parameter.type.kind === 'address')
      .map(({ key }) => argumentField(key)),
  ];
}

/** The form with addresses in place of their names, and the names that are not clear. */
export function withAddresses(
  form: QueryForm,
  addressesNamed: AddressesNamed,
): { readonly form: QueryForm; readonly unclear: readonly UnclearName[] } {
  const unclear: UnclearName[] = [];
  let resolved = form;
  for (const field of addressFields(form)) {
    const typed = textOf(form, field);
    const text = replaceNames(typed, (name) => {
      const addresses = addressesNamed(name);
      if (addresses.length !== 1) unclear.push({ field, name, count: addresses.length });
      return addresses.length === 1 ? addresses[0] : undefined;
    });
    if (text !== typed) resolved = withText(resolved, field, text);
  }
  return { form: resolved, unclear };
}

/** Names between commas, semicolons and line breaks; between addresses also those between spaces. */
function replaceNames(text: string, addressOf: (name: string) => Address | undefined): string {
  let left = MOST_NAMES;
  const replace = (typed: string): string => {
    if (typed === '' || isHex(typed) || left === 0) return typed;
    left--;
    const address = addressOf(typed);
    return address ? toChecksumAddress(address) : typed;
  };
  const parts = text.split(/([,;\r\n]+)/).map((part) => {
    const typed = part.trim();
    if (typed === '' || /^[,;]/.test(typed)) return part;
    const mixed = typed.split(/\s+/).some(isHex);
    return mixed ? part.replace(/\S+/g, replace) : part.replace(typed, () => replace(typed));
  });
  return parts.join('');
}

function isHex(text: string): boolean {
  return /^0x/i.test(text);
}
