import {
  type AbiType,
  type Address,
  type FormField,
  findUnknownTypes,
  getFieldText,
  ignoreEnumMembers,
  listEventArguments,
  listTopicTypes,
  parseDeclaredEvent,
  parseListItems,
  type QueryForm,
  replaceAddressNames,
  withFieldText,
} from '../../core/index.ts';
import { type FormErrors, validateQueryForm } from '../../features/logs/protocol/protocol.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import type { InputText } from '../kit/combobox.tsx';

/** Validates the form. Returns an error for each invalid field. */
export function validateForm(form: QueryForm, strings: LogsStrings): FormErrors {
  const { errors } = validateQueryForm(
    ignoreEnumMembers(replaceAddressNames(form, () => ANY_ADDRESS).form),
    ({ message, details: { validation } }) => {
      const type = validation?.code === 'unknownType' ? validateEventTypes(form.event, strings) : undefined;
      return type ?? message;
    },
  );
  return errors ?? {};
}

/** Stands for the address of any name: only the host knows names, and reports unknown ones. */
const ANY_ADDRESS: readonly Address[] = [`0x${'0'.repeat(40)}`];

/** Names the first unknown type of an event, as far as it is typed. */
function validateEventTypes(event: string, strings: LogsStrings): string | undefined {
  const [unknown] = findUnknownTypes(event);
  if (!unknown) return undefined;
  const { word, nearest } = unknown;
  return nearest === undefined
    ? fillTemplate(strings.unknownType, word.slice(0, 80))
    : fillTemplate(strings.unknownTypeNear, word.slice(0, 80), nearest);
}

/** Validates a field while it is typed. Returns only errors that no further typing can resolve. */
export function validateWhileTyping(
  form: QueryForm,
  field: FormField,
  strings: LogsStrings,
): string | undefined {
  if (field === 'event') return validateEventTypes(form.event, strings);
  if (field === 'fromBlock' || field === 'toBlock') return undefined;
  const text = getFieldText(form, field);
  const last = parseListItems(text).at(-1);
  const isOpen =
    last !== undefined && last.end === text.length && canBecomeValid(last.text, getFieldTypes(form, field));
  return validateForm(isOpen ? withFieldText(form, field, text.slice(0, last.start)) : form, strings)[field];
}

function getFieldTypes(form: QueryForm, field: FormField): readonly AbiType[] {
  if (field === 'address') return [ADDRESS_TYPE];
  const topic = /^topic([123])$/.exec(field)?.[1];
  if (topic !== undefined) return listTopicTypes(form.event, Number(topic));
  const event = parseDeclaredEvent(form.event);
  const fields = event ? listEventArguments(event) : [];
  return fields.filter(({ key }) => field === `args.${key}`).map(({ parameter }) => parameter.type);
}

const ADDRESS_TYPE: AbiType = { kind: 'address', text: 'address' };

/** Whether more characters may complete the text to a value. */
function canBecomeValid(text: string, types: readonly AbiType[]): boolean {
  return types.length === 0 || types.some((type) => isPrefixOfType(text, type));
}

function isPrefixOfType(text: string, type: AbiType): boolean {
  switch (type.kind) {
    case 'address':
      return !/^0/.test(text) || isShortHex(text, 40);
    case 'bool':
      return ['true', 'false'].some((word) => word.startsWith(text.toLowerCase()));
    case 'uint':
    case 'int':
      return (
        /^-?(?:0x)?$|^-?\d[\d_]*_$/i.test(text) || (type.decimals !== undefined && /^-?\d+\.$/.test(text))
      );
    case 'fixedBytes':
      return isShortHex(text, type.size * 2);
    case 'array':
    case 'tuple':
      return isShortHex(text, 64);
    default:
      return isShortHex(text, Number.POSITIVE_INFINITY);
  }
}

function isShortHex(text: string, digits: number): boolean {
  return /^(?:0|0x[0-9a-f]*)$/i.test(text) && text.length - 2 < digits;
}

/** Replaces the list item at the caret by `value`, in the quotes of the item. */
export function completeListItem(typed: InputText, value: string): string {
  const { start, end, quote } = findListItemAt(typed);
  const { text } = typed;
  const isSeparated = start === 0 || /[\s[]/.test(text.charAt(start - 1));
  return `${text.slice(0, start)}${isSeparated ? '' : ' '}${quote}${value}${quote}${text.slice(end)}`;
}

/** Finds the list item at the caret, without its opening quote. */
export function findListItemAt({ text, caret }: InputText): {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly quote: string;
} {
  const item = parseListItems(text).find(({ start, end }) => start <= caret && caret <= end);
  if (!item) return { start: caret, end: caret, text: '', quote: '' };
  const [quote = ''] = /^["'`]/.exec(text.slice(item.start, item.end)) ?? [];
  return { ...item, text: item.text.replace(/^["'`]/, ''), quote };
}

/**
 * Joins the lines of a pasted list for a single-line field: each line becomes a value, unless a separator is there
 * already.
 */
export function joinListLines(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .reduce((all, line) => {
      const isSeparated = all === '' || /[,;[]$/.test(all) || /^[\],;]/.test(line);
      return `${all}${isSeparated ? '' : ','}${all === '' ? '' : ' '}${line}`;
    }, '');
}
