import {
  type AbiType,
  type FormField,
  getFieldText,
  listEventArguments,
  listTopicTypes,
  parseDeclaredEvent,
  parseListItems,
  type QueryForm,
  withFieldText,
} from '../../../core/index.ts';
import type { LogsStrings } from '../../../features/logs/protocol/strings.ts';
import { formProblems, typeProblem } from './formProblems.ts';

const ADDRESS: AbiType = { kind: 'address', text: 'address' };

/** What is wrong with a field while it is typed, and will be however it goes on; undefined where nothing is yet. */
export function typingProblem(form: QueryForm, field: FormField, strings: LogsStrings): string | undefined {
  if (field === 'event') return typeProblem(form.event, strings);
  if (field === 'fromBlock' || field === 'toBlock') return undefined;
  const text = getFieldText(form, field);
  const last = parseListItems(text).at(-1);
  const isOpen = last !== undefined && last.end === text.length && mayGoOn(last.text, typesOf(form, field));
  return formProblems(isOpen ? withFieldText(form, field, text.slice(0, last.start)) : form, strings)[field];
}

function typesOf(form: QueryForm, field: FormField): readonly AbiType[] {
  if (field === 'address') return [ADDRESS];
  const topic = /^topic([123])$/.exec(field)?.[1];
  if (topic !== undefined) return listTopicTypes(form.event, Number(topic));
  const event = parseDeclaredEvent(form.event);
  const known = event ? listEventArguments(event) : [];
  return known.filter(({ key }) => field === `args.${key}`).map(({ parameter }) => parameter.type);
}

/** Whether more characters may make a value of it. */
function mayGoOn(text: string, types: readonly AbiType[]): boolean {
  return types.length === 0 || types.some((type) => isBeginning(text, type));
}

function isBeginning(text: string, type: AbiType): boolean {
  switch (type.kind) {
    case 'address':
      return !/^0/.test(text) || isShortHex(text, 40);
    case 'bool':
      return ['true', 'false'].some((word) => word.startsWith(text.toLowerCase()));
    case 'uint':
    case 'int':
      return /^-?(?:0x)?$|^-?\d[\d_]*_$/i.test(text);
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
