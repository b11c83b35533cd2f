import { type ParseError, parse, visit } from 'jsonc-parser';
import { type AppError, badInput } from '../../base/errors.ts';

/** Characters of a file of questions: a query with 5,000 addresses has fewer. */
export const LONGEST_QUESTIONS = 256 * 1024;
/** A query nests four deep. What is nested thousands deep would break those that read JSON by recursion. */
const MOST_BRACKETS = 1000;

/**
 * Whether a text is short and flat enough to be read as a question by recursion.
 *
 * @example isReadable('{"chainId": 1}') // true
 */
export function isReadable(text: string): boolean {
  return text.length <= LONGEST_QUESTIONS && (text.match(/[[{]/g)?.length ?? 0) <= MOST_BRACKETS;
}

/** The JSON of a question, or what is wrong with it at which line of its file. */
export type ReadJson =
  | { readonly json: unknown; readonly problem?: undefined }
  | { readonly problem: AppError; readonly line: number };

/**
 * Reads the text of a question, before which its file has so many lines.
 *
 * @example readQuestionJson('{"chainId": 1}', 0) // { json: { chainId: 1 } }
 */
export function readQuestionJson(written: string, linesBefore: number): ReadJson {
  const text = written.replace(/^\ufeff/, '');
  const first = linesBefore + 1;
  if (!isReadable(text)) return wrong('This is longer than a question, or nested deeper.', first);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return wrongJson(text, first);
  }
  const twice = keyTwice(text);
  if (!twice) return { json };
  const line = linesBefore + linesTo(text, twice.offset).length;
  return wrong(`Line ${line} has the key ${JSON.stringify(twice.key)} once more: leave one of them.`, line);
}

function wrong(message: string, line: number): ReadJson {
  return { line, problem: badInput('question', message) };
}

function wrongJson(text: string, first: number): ReadJson {
  if (text.trim() === '')
    return wrong('The file is empty. Write a question such as {"chainId": 1, "event": "…"}.', first);
  const at = firstError(text);
  const before = linesTo(text, at);
  const line = first + before.length - 1;
  const column = (before.at(-1)?.length ?? 0) + 1;
  const isComment = /^\/[/*]/.test(text.slice(at, at + 2));
  return wrong(
    isComment
      ? `A question is JSON without comments: take out the one in line ${line}.`
      : `Not JSON: it cannot be read from line ${line}, column ${column} on.`,
    line,
  );
}

/** V8 tells the place only of some errors. */
function firstError(text: string): number {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  return errors[0]?.offset ?? text.length;
}

/** The first key that its object has had already. */
function keyTwice(text: string): { readonly key: string; readonly offset: number } | undefined {
  const open: Set<string>[] = [];
  let found: { readonly key: string; readonly offset: number } | undefined;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(key, offset) {
      const keys = open.at(-1);
      if (keys?.has(key)) found ??= { key, offset };
      keys?.add(key);
    },
  });
  return found;
}

function linesTo(text: string, offset: number): readonly string[] {
  return text.slice(0, offset).split('\n');
}
