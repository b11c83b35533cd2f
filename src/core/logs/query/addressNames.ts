import { type AppError, isAppError } from '../../base/errors.ts';
import { pushAll } from '../../base/values.ts';
import { validateChecksum } from '../../eth/address.ts';
import type { Address } from '../../eth/hex.ts';
import { toChecksumAddress } from '../../eth/keccak.ts';
import { getArgumentField, listEventArguments, parseDeclaredEvent } from './eventArguments.ts';
import { type ListItem, parseListItems } from './fieldValues.ts';
import { type FormField, getFieldText, type QueryForm, withFieldText } from './form.ts';
import { listTopicTypes } from './parseQuery.ts';

/** The addresses of this name: none, one, or several. */
export type FindAddressesByName = (name: string) => readonly Address[];

/** A name of no address, or of several. */
export interface AmbiguousName {
  readonly field: FormField;
  readonly name: string;
  /** Number of addresses of this name. */
  readonly count: number;
  readonly addresses?: readonly Address[];
}

/** Names are looked up one by one. Nobody types more; a longer pasted list consists of addresses. */
const MAX_NAMES = 100;

const TOPIC_FIELDS: readonly FormField[] = ['topic1', 'topic2', 'topic3'];
/** Of one name in a list that is separated by spaces. */
const MAX_NAME_WORDS = 6;

/**
 * The fields that accept addresses: the address, each indexed parameter of this type, and topics that may be one.
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
    ...TOPIC_FIELDS.filter((_, index) => {
      const kinds = listTopicKinds(form, index + 1);
      return kinds.length === 0 || kinds.includes('address');
    }),
  ];
}

/**
 * An error for each field with an address whose checksum is wrong. A form only hints at it, as people see that.
 *
 * @example findChecksumErrors({ ...emptyForm, address: 'Vault' }) // []
 */
export function findChecksumErrors(form: QueryForm): readonly AppError[] {
  return listAddressFields(form).flatMap((field) => {
    try {
      for (const { text } of parseListItems(getFieldText(form, field))) validateChecksum(text, field);
      return [];
    } catch (error) {
      if (isAppError(error, 'badInput')) return [error];
      throw error;
    }
  });
}

/**
 * The form with addresses in place of their names, and the names that are ambiguous or unknown. Only the first 100
 * names are replaced.
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
    const topic = TOPIC_FIELDS.indexOf(field) + 1;
    const isText = topic > 0 && listTopicKinds(form, topic).includes('string');
    const { text, ambiguous } = replaceNames(typed, {
      findAddressesByName: addressesNamed,
      isName: topic > 0 ? (item) => !isHex(item) && !isNumberOrBool(item) : (item) => !isHex(item),
    });
    // In a text field, a name of no address may be an ordinary text.
    pushAll(
      // In a text field, a name of no address may be an ordinary text.
      unclear,
      ambiguous.filter(({ count }) => !isText || count > 1).map((name) => ({ field, ...name })),
    );
    if (text !== typed) resolved = withFieldText(resolved, field, text);
  }
  return { form: resolved, unclear };
}

interface NameLookup {
  readonly findAddressesByName: FindAddressesByName;
  readonly isName: (text: string) => boolean;
}

/**
 * The text with addresses in place of names. A name is an item of {@link parseListItems}, or one of several between
 * spaces.
 */
function replaceNames(
  typed: string,
  { findAddressesByName, isName }: NameLookup,
): { readonly text: string; readonly ambiguous: readonly Omit<AmbiguousName, 'field'>[] } {
  const ambiguous: Omit<AmbiguousName, 'field'>[] = [];
  let lookupsLeft = MAX_NAMES;
  const findAddresses = (name: string) => (lookupsLeft-- > 0 ? findAddressesByName(name) : undefined);
  let text = '';
  let copiedTo = 0;
  for (const item of parseListItems(typed)) {
    if (lookupsLeft <= 0 || !isName(item.text)) continue;
    const found = resolveNames(item, findAddresses);
    if (found === undefined) continue;
    if (typeof found === 'number') {
      const named = found > 0 && { addresses: findAddressesByName(item.text) };
      ambiguous.push({ name: item.text, count: found, ...named });
    } else {
      text +=
        typed.slice(copiedTo, item.start) + found.map((address) => toChecksumAddress(address)).join(' ');
      copiedTo = item.end;
    }
  }
  return { text: text + typed.slice(copiedTo), ambiguous };
}

/** The address of a name, or those of names between spaces; else the number of addresses of the complete text. */
function resolveNames(
  { text }: ListItem,
  findAddresses: (name: string) => readonly Address[] | undefined,
): readonly Address[] | number | undefined {
  const whole = findAddresses(text);
  if (!whole || whole.length > 0) return whole && (whole.length === 1 ? whole : whole.length);
  const words = text.split(/\s+/);
  if (words.length === 1) return 0;
  const found: Address[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(MAX_NAME_WORDS, words.length - at);
    for (; length > 0; length--) {
      const [only, ...others] = findAddresses(words.slice(at, at + length).join(' ')) ?? [];
      if (!only || others.length > 0) continue;
      found.push(only);
      break;
    }
    if (length === 0) return 0;
    at += length;
  }
  return found;
}

function listTopicKinds(form: QueryForm, position: number): readonly string[] {
  return listTopicTypes(form.event, position).map(({ kind }) => kind);
}

function isHex(text: string): boolean {
  return /^-?0x/i.test(text);
}

/** An integer or a bool. */
function isNumberOrBool(text: string): boolean {
  return /^(?:-?\d[\d_]*|true|false)$/i.test(text);
}
