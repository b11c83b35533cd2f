import type { WireInput } from '../../features/reads/protocol.ts';
import type { InputText } from '../kit/combobox.tsx';

/** Where the caret is in the JSON of a list or a struct, and what may stand there. */
interface JsonPlace {
  /** The range of what is typed there, with its quotes, and its text before the caret. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The value that is expected; undefined if it is a name of a member, or nothing fits. */
  readonly input: WireInput | undefined;
  /** The members of a struct that are not written yet, if a name is expected. */
  readonly missing: readonly WireInput[];
}

/** A list or struct that is open at the caret; a struct may be written as a list of its members. */
interface OpenValue {
  readonly input: WireInput | undefined;
  readonly isObject: boolean;
  /** In a list. */
  index: number;
  /** In an object, once its colon is read. */
  name: string | undefined;
  /** The last text, which is a name if a colon follows. */
  last: string;
  readonly written: Set<string>;
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|[[\]{},:]|[^\s"[\]{},:]+/g;

/**
 * Finds what may stand at the caret of an argument.
 *
 * @param input the list or struct of which the text is the JSON.
 */
export function findJsonPlace(
  { text, caret }: Pick<InputText, 'text' | 'caret'>,
  input: WireInput,
): JsonPlace {
  const open: OpenValue[] = [];
  let start = caret;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (index >= caret) break;
    const isText = !'[]{},:'.includes(token);
    if (isText && caret <= index + token.length) start = index;
    else readToken(token, open, input);
  }
  const [rest = ''] = /^[^\s",[\]{}:]*"?/.exec(text.slice(caret)) ?? [];
  const isTyped = start < caret;
  const range = {
    start,
    end: isTyped ? caret + rest.length : caret,
    text: unquote(text.slice(start, caret)),
  };
  const value = open.at(-1);
  const expectsName = value?.isObject === true && value.name === undefined;
  return expectsName
    ? { ...range, input: undefined, missing: listMissing(value) }
    : { ...range, input: findExpected(value, input), missing: [] };
}

function readToken(token: string, open: OpenValue[], input: WireInput): void {
  const value = open.at(-1);
  if (token === '[' || token === '{') {
    const next = { input: findExpected(value, input), isObject: token === '{' };
    open.push({ ...next, index: 0, name: undefined, last: '', written: new Set() });
  } else if (token === ']' || token === '}') open.pop();
  else if (!value) return;
  else if (token === ',') {
    value.index++;
    value.name = undefined;
  } else if (token === ':') {
    value.name = value.last;
    value.written.add(value.last);
  } else value.last = unquote(token);
}

function findExpected(value: OpenValue | undefined, input: WireInput): WireInput | undefined {
  if (!value) return input;
  if (!value.isObject) return value.input?.item ?? value.input?.fields[value.index];
  return value.input?.fields.find(({ name }) => name === value.name);
}

function listMissing({ input, written }: OpenValue): readonly WireInput[] {
  return (input?.fields ?? []).filter(({ name }) => name !== '' && !written.has(name));
}

function unquote(token: string): string {
  return token.replace(/^"|"$/g, '');
}

/** Inserts a chosen value at the caret: names and texts in quotes, a name with its colon. */
export function completeJson(typed: InputText, input: WireInput, value: string): string {
  const { start, end, input: expected, missing } = findJsonPlace(typed, input);
  const rest = typed.text.slice(end);
  const isPlain = expected?.type === 'bool' || isJson(expected);
  const inserted = isPlain ? value : JSON.stringify(value);
  const colon = missing.length > 0 && !/^\s*:/.test(rest) ? ': ' : '';
  return `${typed.text.slice(0, start)}${inserted}${colon}${rest}`;
}

/** Whether an input is written as JSON: a list or a struct. */
export function isJson(input: WireInput | undefined): boolean {
  return input !== undefined && (input.item !== undefined || input.fields.length > 0);
}
