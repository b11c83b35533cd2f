import type { Address } from '../../eth/hex.ts';
import { toChecksumAddress } from '../../eth/keccak.ts';
import { getArgumentField, listEventArguments, parseDeclaredEvent } from './eventArguments.ts';
import { type ListItem, parseListItems } from './fieldValues.ts';
import { type FormField, getFieldText, type QueryForm, withFieldText } from './form.ts';
import { listTopicTypes } from './parseQuery.ts';

/** Addresses that are called so: none, one, or several. */
export type FindAddressesByName = (name: string) => readonly Address[];

/** A name that stands for no address, or for none alone. */
export interface AmbiguousName {
  readonly field: FormField;
  readonly name: string;
  /** How many addresses are called so. */
  readonly count: number;
}

/** Names are looked up one by one. Nobody types more; a list that was pasted is one of addresses. */
const MAX_NAMES = 100;

const topicFields: readonly FormField[] = ['topic1', 'topic2', 'topic3'];
/** Words of which a name that stands between others is made. */
const MAX_NAME_WORDS = 6;

/**
 * The fields that take addresses: by address, by each indexed parameter of this type, and topics that may be one.
 *
 * @example listAddressFields({ ...form, event: 'Paid(address indexed by)' }); // with 'args.by'
 */
export function listAddressFields(form: QueryForm): readonly FormField[] {
  const event = parseDeclaredEvent(form.event);
  const fields = event ? listEventArguments(event) : [];
  return [
    'address',
    ...fields
      .filter(({ parameter }) => parameter.type.kind === 'address')
      .map(({ key }) => getArgumentField(key)),
    ...topicFields.filter((_, index) => {
      const kinds = kindsOfTopic(form, index + 1);
      return kinds.length === 0 || kinds.includes('address');
    }),
  ];
}

/**
 * The form with addresses in place of their names, and the names that are not clear. Of more than 100 names the rest is
 * left as it is.
 *
 * @example replaceAddressNames({ ...form, address: 'Vault' }, addressesNamed).form.address; // the address of the one vault
 */
export function replaceAddressNames(
  form: QueryForm,
  addressesNamed: FindAddressesByName,
): { readonly form: QueryForm; readonly unclear: readonly AmbiguousName[] } {
  const unclear: AmbiguousName[] = [];
  let resolved = form;
  for (const field of listAddressFields(form)) {
    const typed = getFieldText(form, field);
    const topic = topicFields.indexOf(field) + 1;
    const isText = topic > 0 && kindsOfTopic(form, topic).includes('string');
    const { text, unknown } = replaceNames(typed, {
      findAddressesByName: addressesNamed,
      isName: topic > 0 ? (item) => !isHex(item) && !isWord(item) : (item) => !isHex(item),
    });
    // What is called nothing may be meant as it stands.
    unclear.push(...unknown.filter(({ count }) => !isText || count > 1).map((name) => ({ field, ...name })));
    if (text !== typed) resolved = withFieldText(resolved, field, text);
  }
  return { form: resolved, unclear };
}

interface NameReading {
  readonly findAddressesByName: FindAddressesByName;
  readonly isName: (text: string) => boolean;
}

/** The text with addresses in the place of names, which stand as {@link parseListItems} has them or between spaces. */
function replaceNames(
  typed: string,
  { findAddressesByName, isName }: NameReading,
): { readonly text: string; readonly unknown: readonly Omit<AmbiguousName, 'field'>[] } {
  const unknown: Omit<AmbiguousName, 'field'>[] = [];
  let left = MAX_NAMES;
  const look = (name: string) => (left-- > 0 ? findAddressesByName(name) : undefined);
  let text = '';
  let done = 0;
  for (const item of parseListItems(typed)) {
    if (left <= 0 || !isName(item.text)) continue;
    const found = addressesOf(item, look);
    if (found === undefined) continue;
    if (typeof found === 'number') unknown.push({ name: item.text, count: found });
    else {
      text += typed.slice(done, item.start) + found.map((address) => toChecksumAddress(address)).join(' ');
      done = item.end;
    }
  }
  return { text: text + typed.slice(done), unknown };
}

/** The address of a name, or those of names between spaces; else how many the whole stands for. */
function addressesOf(
  { text }: ListItem,
  look: (name: string) => readonly Address[] | undefined,
): readonly Address[] | number | undefined {
  const whole = look(text);
  if (!whole || whole.length > 0) return whole && (whole.length === 1 ? whole : whole.length);
  const words = text.split(/\s+/);
  if (words.length === 1) return 0;
  const found: Address[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(MAX_NAME_WORDS, words.length - at);
    for (; length > 0; length--) {
      const [only, ...others] = look(words.slice(at, at + length).join(' ')) ?? [];
      if (!only || others.length > 0) continue;
      found.push(only);
      break;
    }
    if (length === 0) return 0;
    at += length;
  }
  return found;
}

function kindsOfTopic(form: QueryForm, position: number): readonly string[] {
  return listTopicTypes(form.event, position).map(({ kind }) => kind);
}

function isHex(text: string): boolean {
  return /^-?0x/i.test(text);
}

/** Written as an integer or a bool. */
function isWord(text: string): boolean {
  return /^(?:-?\d[\d_]*|true|false)$/i.test(text);
}
