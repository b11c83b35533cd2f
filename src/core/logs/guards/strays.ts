import type { Log } from '../query/log.ts';
import { type Dialect, showsDisplaced } from '../server/dialect.ts';
import type { ServerFilter } from '../server/serverFilters.ts';

/** The question of one request, as far as the rows of its answer can be held against it. */
interface Question {
  readonly part: ServerFilter;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Answers of one query with rows that nobody asked for. */
export interface Strays {
  /** Looks at the rows of an answer. @returns whether any was not asked for. */
  look(question: Question, logs: readonly Log[], dialect: Dialect): boolean;
  /** So many answers had such rows that the server cannot be reading the question. */
  readonly proven: boolean;
  /** First blocks of the questions that were answered so: of the first few. */
  readonly askedFrom: readonly bigint[];
}

/** One answer may be a slip of a cache on the way. A server that does not read the range answers for ever the same. */
const ANSWERS_OF_OTHER_BLOCKS = 3;
/** A server that does not read the address can still be read, by ranges small enough. Not for ever. */
const ANSWERS_OF_OTHER_LOGS = 256;
const NAMED = 12;
/** A transaction that a reorg put into another block is found no further from the old one. */
const REORG_DEPTH = 128n;

export function createStrays(): Strays {
  const askedFrom: bigint[] = [];
  let ofOtherBlocks = 0;
  let ofOtherLogs = 0;
  return {
    askedFrom,
    get proven() {
      return ofOtherBlocks >= ANSWERS_OF_OTHER_BLOCKS || ofOtherLogs >= ANSWERS_OF_OTHER_LOGS;
    },
    look(question, logs, dialect) {
      const otherBlocks = hasOtherBlocks(question, logs, dialect);
      const found = otherBlocks || logs.some((log) => !isAsked(question.part, log));
      if (!found) return false;
      if (otherBlocks) ofOtherBlocks++;
      else ofOtherLogs++;
      if (askedFrom.length < NAMED && !askedFrom.includes(question.fromBlock)) {
        askedFrom.push(question.fromBlock);
      }
      return true;
    },
  };
}

function hasOtherBlocks(
  { part, fromBlock, toBlock }: Question,
  logs: readonly Log[],
  dialect: Dialect,
): boolean {
  let outside = 0;
  let far = 0;
  for (const { blockNumber } of logs) {
    if (blockNumber >= fromBlock && blockNumber <= toBlock) continue;
    outside++;
    if (blockNumber + REORG_DEPTH < fromBlock || blockNumber > toBlock + REORG_DEPTH) far++;
  }
  if (outside === 0) return false;
  const displaced =
    part.address !== undefined && showsDisplaced(dialect) && far === 0 && outside * 2 <= logs.length;
  return !displaced;
}

function isAsked({ address, topics }: ServerFilter, log: Log): boolean {
  if (address !== undefined && address !== log.address && !address.includes(log.address)) return false;
  return !topics || topics.every((values, place) => values === null || holds(values, log.topics[place]));
}

function holds(values: string | readonly string[], topic: string | undefined): boolean {
  return topic !== undefined && (values === topic || (typeof values === 'object' && values.includes(topic)));
}
