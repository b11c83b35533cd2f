import {
  findNodeAtLocation,
  getLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  visit,
} from 'jsonc-parser';
import { type AppError, badInput } from '../base/errors.ts';
import { asRecord } from '../base/values.ts';

/** Characters of a file of questions: a query with 5,000 addresses has fewer. */
export const MAX_QUERY_FILE_CHARS = 256 * 1024;
/** A query nests four deep. What is nested thousands deep would break those that read JSON by recursion. */
const MAX_BRACKETS = 1000;

/**
 * Whether a text is short and flat enough to be read as a question by recursion.
 *
 * @example isParsable('{"chainId": 1}') // true
 */
export function isParsable(text: string): boolean {
  return text.length <= MAX_QUERY_FILE_CHARS && (text.match(/[[{]/g)?.length ?? 0) <= MAX_BRACKETS;
}

/** The JSON of a question, or what is wrong with it at which line of its file. */
export type ParsedJson =
  | { readonly json: unknown; readonly problem?: undefined }
  | { readonly problem: AppError; readonly line: number };

/**
 * Reads the text of a question, before which its file has so many lines.
 *
 * @example parseQueryText('{"chainId": 1}', 0) // { json: { chainId: 1 } }
 */
export function parseQueryText(written: string, linesBefore: number): ParsedJson {
  const text = written.replace(/^\ufeff/, '');
  const first = linesBefore + 1;
  if (!isParsable(text)) return wrong('This is longer than a question, or nested deeper.', first);
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

function wrong(message: string, line: number): ParsedJson {
  return { line, problem: badInput('question', message) };
}

function wrongJson(text: string, first: number): ParsedJson {
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

/** Characters of a text, by the place of the first. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** Names of members and places in lists, from the outermost on. */
export type QueryPath = readonly (string | number)[];

/** Where the parts of a question stand in its text. */
export interface QueryLocations {
  /** The value at a path; undefined where there is none. */
  valueAt(path: QueryPath): TextSpan | undefined;
  /** The name of the member at a path. */
  keyAt(path: QueryPath): TextSpan | undefined;
  /** The value at a path, or each of its items where it is a list, as long as they are no lists themselves. */
  itemsAt(path: QueryPath): readonly (TextSpan & { readonly value: unknown })[];
}

/**
 * Finds the parts of a question in its text, which may be broken; of a text too long or too deep, none.
 *
 * @example locateQueryParts('{"chainId": 1}').valueAt(['chainId']) // { offset: 12, length: 1 }
 */
export function locateQueryParts(text: string): QueryLocations {
  const root = isParsable(text) ? parseTree(text) : undefined;
  const nodeAt = (path: QueryPath) => root && findNodeAtLocation(root, [...path]);
  return {
    valueAt: (path) => spanOf(nodeAt(path)),
    keyAt: (path) => {
      const node = path.length > 0 ? nodeAt(path) : undefined;
      return node?.parent?.type === 'property' ? spanOf(node.parent.children?.[0]) : undefined;
    },
    itemsAt(path) {
      const node = nodeAt(path);
      const items = node?.type === 'array' ? (node.children ?? []) : node ? [node] : [];
      return items.map(({ offset, length, value }) => ({ offset, length, value }));
    },
  };
}

/**
 * Where the field of a problem stands in a question: one may name the event by its topic0.
 *
 * @example findFieldPath('args.to', locateQueryParts('{}')) // ['args', 'to']
 */
export function findFieldPath(field: string, places: QueryLocations): QueryPath {
  const isTopic0 = field === 'event' && !places.valueAt(['event']);
  const topic = isTopic0 ? 0 : /^topic([1-3])$/.exec(field)?.[1];
  if (topic !== undefined) return ['topics', Number(topic)];
  const [, group, member] = /^(args|expect)\.(.*)$/s.exec(field) ?? [];
  return group !== undefined && member !== undefined ? [group, member] : [field];
}

function spanOf(node: Node | undefined): TextSpan | undefined {
  return node && { offset: node.offset, length: node.length };
}

/** What is typed at a place of a question. */
export interface QueryCursor {
  /** Of the value, or of the object whose member's name is typed. */
  readonly path: QueryPath;
  /** A name of a member is typed, no value. */
  readonly isKey: boolean;
  /** What stands there already, quotes included; undefined between two parts. */
  readonly typed: (TextSpan & { readonly isText: boolean }) | undefined;
}

/**
 * What is typed at an offset of a text; undefined in one that is too long or too deep.
 *
 * @example findQueryCursor('{"event": "Pa"}', 13)?.path // ['event']
 */
export function findQueryCursor(text: string, offset: number): QueryCursor | undefined {
  if (!isParsable(text)) return undefined;
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const isInside =
    previousNode && previousNode.offset <= offset && offset <= previousNode.offset + previousNode.length;
  return {
    path: isAtPropertyKey ? path.slice(0, -1) : path,
    isKey: isAtPropertyKey,
    typed: isInside
      ? {
          offset: previousNode.offset,
          length: previousNode.length,
          isText: previousNode.type === 'string' || text[previousNode.offset] === '"',
        }
      : undefined,
  };
}

/** What a question that is being typed asks for, as far as it can be read. */
export interface PartialQuery {
  readonly chainId: number | undefined;
  readonly addresses: readonly string[];
  readonly event: string;
  /** Names of the arguments that have a value. */
  readonly args: readonly string[];
}

/**
 * Reads what there is of a question in a text that may be broken.
 *
 * @example parsePartialQuery('{"event": "Paid", "args": {').event // 'Paid'
 */
export function parsePartialQuery(text: string): PartialQuery {
  const { chainId, address, event, args } = asRecord(isParsable(text) ? parse(text) : undefined);
  const addresses = Array.isArray(address) ? address : [address];
  return {
    chainId: typeof chainId === 'number' ? chainId : undefined,
    addresses: addresses.filter((one) => typeof one === 'string'),
    event: typeof event === 'string' ? event : '',
    args: Object.keys(asRecord(args)),
  };
}
