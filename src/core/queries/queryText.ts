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
import { createMessage, foreign, type Message } from '../base/text.ts';
import { asRecord } from '../base/values.ts';

/**
 * Parses the text of a query that is preceded by `linesBefore` lines in its file.
 *
 * @example parseQueryText('{"chainId": 1}', 0) // { json: { chainId: 1 } }
 */
export function parseQueryText(source: string, linesBefore: number): ParsedJson {
  const text = source.replace(/^\ufeff/, '');
  const firstLine = linesBefore + 1;
  if (!isParsable(text))
    return toTextError(createMessage('The text is too long or too deeply nested for a query.'), firstLine);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return toSyntaxError(text, firstLine);
  }
  const duplicate = findDuplicateKey(text);
  if (!duplicate) return { json };
  const line = linesBefore + getLinesUpTo(text, duplicate.offset).length;
  return toTextError(
    createMessage(
      'Line {0} repeats the key {1}. Remove one of the two.',
      line,
      foreign(JSON.stringify(duplicate.key)),
    ),
    line,
  );
}

type ParsedJson =
  | { readonly json: unknown; readonly error?: undefined }
  | { readonly error: AppError; readonly line: number };

function toTextError(message: Message, line: number): ParsedJson {
  return { line, error: badInput('query', message) };
}

function toSyntaxError(text: string, firstLine: number): ParsedJson {
  if (text.trim() === '')
    return toTextError(
      createMessage('The file is empty. Enter a query such as {"chainId": 1, "event": "…"}.'),
      firstLine,
    );
  const offset = findFirstError(text);
  const linesBefore = getLinesUpTo(text, offset);
  const line = firstLine + linesBefore.length - 1;
  const column = (linesBefore.at(-1)?.length ?? 0) + 1;
  const isComment = /^\/[/*]/.test(text.slice(offset, offset + 2));
  return toTextError(
    isComment
      ? createMessage('A query cannot have comments. Remove the one in line {0}.', line)
      : createMessage('The JSON is invalid from line {0}, column {1}.', line, column),
    line,
  );
}

/** V8 reports the position only of some errors. */
function findFirstError(text: string): number {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  return errors[0]?.offset ?? text.length;
}

/** The first key that its object already has. */
function findDuplicateKey(text: string): { readonly key: string; readonly offset: number } | undefined {
  const open: Set<string>[] = [];
  let duplicate: { readonly key: string; readonly offset: number } | undefined;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(key, offset) {
      const keys = open.at(-1);
      if (keys?.has(key)) duplicate ??= { key, offset };
      keys?.add(key);
    },
  });
  return duplicate;
}

function getLinesUpTo(text: string, offset: number): readonly string[] {
  return text.slice(0, offset).split('\n');
}

/**
 * Whether a text is short and flat enough for a recursive parser.
 *
 * @example isParsable('{"chainId": 1}') // true
 */
export function isParsable(text: string): boolean {
  return text.length <= MAX_QUERY_FILE_CHARS && (text.match(/[[{]/g)?.length ?? 0) <= MAX_BRACKETS;
}

/** A query with 5,000 addresses is shorter. */
export const MAX_QUERY_FILE_CHARS = 256 * 1024;
/** A query nests four levels deep. Nesting of thousands of levels would overflow recursive JSON parsers. */
const MAX_BRACKETS = 1000;

/**
 * Finds the parts of a query in its text, which may be invalid JSON. In a text that is too long or too deep it finds
 * none.
 *
 * @example locateQueryParts('{"chainId": 1}').valueAt(['chainId']) // { offset: 12, length: 1 }
 */
export function locateQueryParts(text: string): QueryLocations {
  const root = isParsable(text) ? parseTree(text) : undefined;
  const findNode = (path: QueryPath) => root && findNodeAtLocation(root, [...path]);
  return {
    valueAt: (path) => toSpan(findNode(path)),
    keyAt: (path) => {
      const node = path.length > 0 ? findNode(path) : undefined;
      return node?.parent?.type === 'property' ? toSpan(node.parent.children?.[0]) : undefined;
    },
    itemsAt(path) {
      const node = findNode(path);
      const items = node?.type === 'array' ? (node.children ?? []) : node ? [node] : [];
      return items.map(({ offset, length, value }) => ({ offset, length, value }));
    },
  };
}

function toSpan(node: Node | undefined): TextSpan | undefined {
  return node && { offset: node.offset, length: node.length };
}

export interface QueryLocations {
  valueAt(path: QueryPath): TextSpan | undefined;
  keyAt(path: QueryPath): TextSpan | undefined;
  /** The items of the list at a path, or the value itself if it is not a list. */
  itemsAt(path: QueryPath): readonly (TextSpan & { readonly value: unknown })[];
}

export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** Names of members and indices of lists, from the outermost. */
export type QueryPath = readonly (string | number)[];

/**
 * The path of the field of an error. A query may name its event by topic0.
 *
 * @example findFieldPath('args.to', locateQueryParts('{}')) // ['args', 'to']
 */
export function findFieldPath(field: string, locations: QueryLocations): QueryPath {
  const isTopic0 = field === 'event' && !locations.valueAt(['event']);
  const topic = isTopic0 ? 0 : /^topic([1-3])$/.exec(field)?.[1];
  if (topic !== undefined) return ['topics', Number(topic)];
  // Within its arguments and its expected value, a read has no names of its own.
  const [, part, key] = /^(read|expect)\.(arguments|value)(?![\w$])/.exec(field) ?? [];
  if (part !== undefined && key !== undefined) return [part, key];
  // Names of roles, immutables and libraries, and places in lists.
  const [, named, name = '', item] =
    /^expect\.(members|immutables|libraries)\.(.*?)(?:\.(\d{1,6}))?$/s.exec(field) ?? [];
  if (named === 'members' && item !== undefined) return ['expect', named, name, Number(item)];
  if (named !== undefined) return ['expect', named, field.slice(`expect.${named}.`.length)];
  const [, list, at] = /^expect\.(holders|spenders|match)\.(\d{1,6})$/.exec(field) ?? [];
  if (list !== undefined) return ['expect', list, Number(at)];
  const [, group, member] = /^(args|expect|read|code|state)\.(.*)$/s.exec(field) ?? [];
  return group !== undefined && member !== undefined ? [group, member] : [field];
}

/**
 * What is being typed at an offset of a text; undefined if the text is too long or too deep.
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

export interface QueryCursor {
  /** Of the value, or of the object whose member name is being typed. */
  readonly path: QueryPath;
  /** A member name is being typed, not a value. */
  readonly isKey: boolean;
  /** What is typed so far, quotes included; undefined between two parts. */
  readonly typed: (TextSpan & { readonly isText: boolean }) | undefined;
}

/**
 * Reads the parts of a query from a text that may be invalid JSON.
 *
 * @example parsePartialQuery('{"event": "Paid", "args": {').event // 'Paid'
 */
export function parsePartialQuery(text: string): PartialQuery {
  const { chainId, address, event, args, read } = asRecord(isParsable(text) ? parse(text) : undefined);
  const { contract, function: viewFunction } = asRecord(read);
  const addresses = [...(Array.isArray(address) ? address : [address]), contract];
  return {
    chainId: typeof chainId === 'number' ? chainId : undefined,
    addresses: addresses.filter((text) => typeof text === 'string'),
    event: typeof event === 'string' ? event : '',
    args: Object.keys(asRecord(args)),
    viewFunction: typeof viewFunction === 'string' ? viewFunction : '',
  };
}

export interface PartialQuery {
  readonly chainId: number | undefined;
  /** Of the contracts, or that of the contract of a read. */
  readonly addresses: readonly string[];
  readonly event: string;
  /** Names of the arguments that have a value. */
  readonly args: readonly string[];
  /** The function of a read. */
  readonly viewFunction: string;
}
