import { findNodeAtLocation, getLocation, type Node, parse, parseTree } from 'jsonc-parser';
import { asRecord } from '../../base/records.ts';
import { isReadable } from './questionJson.ts';

/** Characters of a text, by the place of the first. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** Names of members and places in lists, from the outermost on. */
export type QuestionPath = readonly (string | number)[];

/** Where the parts of a question stand in its text. */
export interface QuestionPlaces {
  /** The value at a path; undefined where there is none. */
  valueAt(path: QuestionPath): TextSpan | undefined;
  /** The name of the member at a path. */
  keyAt(path: QuestionPath): TextSpan | undefined;
  /** The value at a path, or each of its items where it is a list, as long as they are no lists themselves. */
  itemsAt(path: QuestionPath): readonly (TextSpan & { readonly value: unknown })[];
}

/**
 * Finds the parts of a question in its text, which may be broken; of a text too long or too deep, none.
 *
 * @example questionPlaces('{"chainId": 1}').valueAt(['chainId']) // { offset: 12, length: 1 }
 */
export function questionPlaces(text: string): QuestionPlaces {
  const root = isReadable(text) ? parseTree(text) : undefined;
  const nodeAt = (path: QuestionPath) => root && findNodeAtLocation(root, [...path]);
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
 * @example pathOfField('args.to', questionPlaces('{}')) // ['args', 'to']
 */
export function pathOfField(field: string, places: QuestionPlaces): QuestionPath {
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
export interface QuestionCursor {
  /** Of the value, or of the object whose member's name is typed. */
  readonly path: QuestionPath;
  /** A name of a member is typed, no value. */
  readonly isKey: boolean;
  /** What stands there already, quotes included; undefined between two parts. */
  readonly typed: (TextSpan & { readonly isText: boolean }) | undefined;
}

/**
 * What is typed at an offset of a text; undefined in one that is too long or too deep.
 *
 * @example questionCursor('{"event": "Pa"}', 13)?.path // ['event']
 */
export function questionCursor(text: string, offset: number): QuestionCursor | undefined {
  if (!isReadable(text)) return undefined;
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
export interface QuestionSoFar {
  readonly chainId: number | undefined;
  readonly addresses: readonly string[];
  readonly event: string;
  /** Names of the arguments that have a value. */
  readonly args: readonly string[];
}

/**
 * Reads what there is of a question in a text that may be broken.
 *
 * @example questionSoFar('{"event": "Paid", "args": {').event // 'Paid'
 */
export function questionSoFar(text: string): QuestionSoFar {
  const { chainId, address, event, args } = asRecord(isReadable(text) ? parse(text) : undefined);
  const addresses = Array.isArray(address) ? address : [address];
  return {
    chainId: typeof chainId === 'number' ? chainId : undefined,
    addresses: addresses.filter((one) => typeof one === 'string'),
    event: typeof event === 'string' ? event : '',
    args: Object.keys(asRecord(args)),
  };
}
