import { fetchLogs } from '../asking/fetchLogs.ts';
import type { LogSource } from '../asking/logSource.ts';
import { mergeLogs } from '../asking/mergeLogs.ts';
import type { Log } from '../query/log.ts';
import { filterSupport } from '../server/dialect.ts';
import { rangeRefusal } from '../server/rangeRefusal.ts';
import { type ServerFilter, wholeFilter } from '../server/serverFilters.ts';
import type { BlockLogs, BlockQuestion } from './readBlock.ts';

/**
 * What can be had of one block whose rows for its part the server refuses as too many: by the whole filter where that is
 * a part of it, then address by address and topic0 by topic0. What is still too much is missing, and in doubt.
 *
 * @throws AppError as {@link fetchLogs} does, for what is no such refusal.
 */
export async function readRefusedBlock(question: BlockQuestion): Promise<BlockLogs> {
  const { source, block, room, signal } = question;
  const found: (readonly Log[])[] = [];
  let whole = true;

  async function read(part: ServerFilter): Promise<void> {
    try {
      const page = await fetchLogs(source, part, { fromBlock: block, toBlock: block, signal });
      room.take(page.count, page.matching);
      found.push(page.matching);
      whole &&= page.knownTo >= block;
    } catch (error) {
      if (!rangeRefusal(error, block)?.ofContent) throw error;
      await readParts(part);
    }
  }

  async function readParts(part: ServerFilter): Promise<void> {
    const narrower = narrow(part, source);
    if (narrower.length === 0) whole = false;
    for (const each of narrower) {
      if (room.over) return;
      await read(each);
    }
  }

  await source.identify({ signal });
  await readParts(question.part);
  return { logs: mergeLogs(found), doubts: whole ? [] : [{ code: 'blockNotWhole', block }] };
}

/** Filters that together give the same rows in the end; none where there is nothing to part it by. */
function narrow(part: ServerFilter, { filter, memory }: LogSource): readonly ServerFilter[] {
  const { address, topics = [] } = part;
  if (filterSupport(memory.current()) === 'whole' && topics.length < filter.topics.length) {
    return [{ ...wholeFilter(filter), ...(address === undefined ? {} : { address }) }];
  }
  if (typeof address === 'object') return address.map((one) => ({ ...part, address: one }));
  const [topic0, ...others] = topics;
  if (topic0 === null || typeof topic0 !== 'object') return [];
  return topic0.map((one) => ({ ...part, topics: [one, ...others] }));
}
