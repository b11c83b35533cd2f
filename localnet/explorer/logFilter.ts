import type { Hex } from 'ox';
import type { BlockRange, ExplorerIndex } from '../index/explorerIndex.ts';
import { asColumnInteger, castAddress, castData, castHash, parseHexDigits } from './casts.ts';
import { HttpFailure, Refused } from './failures.ts';

/** What a log query asks for, once the server has read it in its own way. */
export type LogFilter = {
  readonly address: Hex.Hex | undefined;
  /** Positions as the server numbers them: nulls are gone, so a value may stand before its true place. */
  readonly topics: readonly TopicPosition[];
  readonly range: BlockRange;
  readonly cursor: Cursor | undefined;
};

export type TopicPosition = string | readonly string[];

export type Cursor = {
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly transactionIndex: number | undefined;
};

export type LogFilterRules = {
  /** Block strings without `0x`: read as hex up to v11, refused since v12. */
  readonly bareBlockNumber: 'hex' | 'refused';
  /** Up to v6.7 `pending` is the highest orphan above the head, since v6.8 the head. */
  readonly pending: 'orphan' | 'head';
  /** Up to v5.2.1 a cursor without an integer transactionIndex is ignored. */
  readonly cursorKeys: 'three' | 'two';
};

/** The filter that a Blockscout reads from `params[0]`, or undefined where it answers `[]` unasked. */
export function readLogFilter(
  param: unknown,
  index: ExplorerIndex,
  rules: LogFilterRules,
): LogFilter | undefined {
  if (typeof param !== 'object' || param === null || Array.isArray(param)) throw new HttpFailure(500);
  const fields = param as Record<string, unknown>;

  const address = readAddress(fields.address);
  const topics = readTopics(fields.topics);
  if (address === undefined && topics === undefined) throw new Refused('addressOrTopicsMissing');
  const range = readRange(fields, index, rules);
  if (!range) return undefined;
  return { address, topics: topics ?? [], range, cursor: readCursor(fields.paging_options, rules) };
}

function readAddress(value: unknown): Hex.Hex | undefined {
  if (value === undefined || value === null) return undefined;
  const address = castAddress(value);
  if (address === undefined) throw new Refused('invalidAddress');
  return address;
}

function readTopics(value: unknown): readonly TopicPosition[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new HttpFailure(500);
  if (value.length === 0) throw new Refused('somethingWentWrong');
  const given = value.filter((topic) => topic !== null);
  if (given.length > 4) throw new HttpFailure(500);
  return given.map((topic, position) => {
    const cast = castTopic(topic);
    if (cast !== undefined) return cast;
    // The server notices only at the end of its loop; before that it trips over its own error.
    if (position === given.length - 1) throw new Refused('invalidTopics');
    throw new HttpFailure(500);
  });
}

function castTopic(topic: unknown): TopicPosition | undefined {
  if (!Array.isArray(topic)) return castData(topic);
  const values = topic.map((value) => (value === null ? '' : castData(value)));
  return values.includes(undefined) ? undefined : (values as string[]);
}

function readRange(
  fields: Record<string, unknown>,
  index: ExplorerIndex,
  rules: LogFilterRules,
): BlockRange | undefined {
  if ('blockHash' in fields) {
    // The hash stands for its height, so an orphan's hash asks for the main chain at that height.
    const hash = castHash(fields.blockHash);
    const block = hash && index.block(hash);
    if (!block) throw new Refused('invalidBlockHash');
    return { from: block.number, to: block.number };
  }
  const from = 'fromBlock' in fields ? fields.fromBlock : 'latest';
  const to = 'toBlock' in fields ? fields.toBlock : 'latest';
  const tags = resolveTags(from, to, index, rules);
  return (
    tags && {
      from: asColumnInteger(readBlock(from, tags, rules)),
      to: asColumnInteger(readBlock(to, tags, rules)),
    }
  );
}

type Tags = { readonly latest: number; readonly pending: number };

function resolveTags(
  from: unknown,
  to: unknown,
  index: ExplorerIndex,
  { pending }: LogFilterRules,
): Tags | undefined {
  const head = index.head();
  const asked = [from, to];
  if (pending === 'head') {
    const needsHead = asked.includes('latest') || asked.includes('pending');
    if (head === undefined && needsHead) return undefined;
    return { latest: head ?? 0, pending: head ?? 0 };
  }
  const orphan = index.highestOrphan();
  const orphanHeight = orphan && orphan.number > (head ?? -1) ? orphan.number : undefined;
  if (orphanHeight === undefined && from === 'pending' && to === 'pending') return undefined;
  const latest = head ?? 0;
  // With no orphan to stand for it, `pending` falls to the head only where the head was asked for too.
  return { latest, pending: orphanHeight ?? (asked.includes('latest') ? latest : 0) };
}

function readBlock(value: unknown, tags: Tags, { bareBlockNumber }: LogFilterRules): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (value === 'latest') return tags.latest;
  if (value === 'pending') return tags.pending;
  if (value === 'earliest') return 0;
  if (typeof value !== 'string') throw new Refused('invalidBlockNumber');
  const prefixed = value.startsWith('0x');
  const number = parseHexDigits(prefixed ? value.slice(2) : value);
  if (number === undefined || (!prefixed && bareBlockNumber === 'refused')) {
    throw new Refused('invalidBlockNumber');
  }
  return number;
}

function readCursor(value: unknown, { cursorKeys }: LogFilterRules): Cursor | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { blockNumber, logIndex, transactionIndex } = value as Record<string, unknown>;
  // An incomplete cursor is ignored, not refused: the caller gets the first page again.
  if (blockNumber === undefined || logIndex === undefined) return undefined;
  const hasTransaction = typeof transactionIndex === 'number' && Number.isInteger(transactionIndex);
  if (cursorKeys === 'three' && !hasTransaction) return undefined;
  return {
    blockNumber: asColumnInteger(readCursorNumber(blockNumber, 'invalidBlockNumber')),
    logIndex: asColumnInteger(readCursorNumber(logIndex, 'invalidLogIndex')),
    transactionIndex: cursorKeys === 'three' ? (transactionIndex as number) : undefined,
  };
}

/** Hex digits only: `0x` is not read as a prefix, so today's log entries cannot be sent back as they are. */
function readCursorNumber(value: unknown, refusal: 'invalidBlockNumber' | 'invalidLogIndex'): number {
  const number = typeof value === 'string' ? parseHexDigits(value) : undefined;
  if (number === undefined) throw new Refused(refusal);
  return number;
}
