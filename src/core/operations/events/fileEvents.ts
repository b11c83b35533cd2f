import { badInput, safeUrl } from '../../base/errors.ts';
import { encodeLogs } from '../../export/encodeLogs.ts';
import { exportDecoding } from '../../export/exportDecoding.ts';
import { exportRecord } from '../../export/exportRecord.ts';
import { formatOf } from '../../export/formats.ts';
import type { Log } from '../../logs/query/log.ts';
import type { Finding } from '../kit/answer.ts';
import type { OperationOptions } from '../kit/operation.ts';
import type { EventsAsked } from './countEvents.ts';
import { readWithinLimits } from './effort.ts';
import { endingReason, estimateJson } from './ending.ts';
import { completeBy, rangeOf, reasonsOf } from './verdictWords.ts';

/**
 * All rows, decoded, in a new file with its record beside it.
 *
 * @throws AppError `badInput` for `mode` where no folder is there to write to, for `file` where one is there already.
 */
export async function fileEvents(
  asked: EventsAsked & { readonly chainId: number | undefined },
  options: OperationOptions,
): Promise<Finding> {
  const { deps, filter, input, knowledge, chainId } = asked;
  const { files, clock } = deps;
  if (!files) {
    throw badInput(
      'mode',
      'No folder is there to write files to: the user names one with --out DIR. Use mode count, sample or rows.',
    );
  }
  const format = input.format ?? 'ndjson';
  const startedAt = clock.now();
  const order = input.order ?? 'oldestFirst';
  const query = deps.client.openLogQuery(filter, { order });
  const { pages, ending, requests } = readWithinLimits(query, deps, {
    ...options,
    confirm: input.confirm === true,
    wanted: 'all',
  });
  const exported = exportDecoding({ filter, chainId: chainId ?? 0, lookup: knowledge.lookup });
  const decoding = { ...exported, decode: knowledge.decode, prepare: async () => undefined };
  let rows = 0;

  async function* logsOf(): AsyncGenerator<readonly Log[]> {
    for await (const { logs } of pages) {
      await knowledge.prepare(logs);
      rows += logs.length;
      yield logs;
    }
    // A part of an answer is no file: how it can be had whole is said instead.
    if (ending().kind !== 'end') throw new Unfinished();
  }

  const base = input.file ?? `events-${startedAt}`;
  try {
    const written = await files.write(
      `${base}.${formatOf(format).extension}`,
      encodeLogs(format, logsOf(), decoding),
      () => {
        const { verdict } = query;
        if (!verdict) throw new Error('A query that was read says what it is worth.');
        const { network, version } = deps;
        const record = exportRecord({
          ...{ format, rows, filter, decoding, verdict, startedAt, version, finishedAt: clock.now() },
          network: {
            ...{ id: '', name: network.name ?? safeUrl(network.rpcUrl) },
            ...{ chainId: chainId ?? 0, rpcUrl: network.rpcUrl },
          },
          rowOrder: rows > 0 ? { by: 'block', descending: order === 'newestFirst' } : undefined,
        });
        return {
          name: `${base}.${formatOf(format).extension}.json`,
          content: new TextEncoder().encode(`${JSON.stringify(record, undefined, 2)}\n`),
        };
      },
    );
    const { verdict } = query;
    return {
      complete: verdict ? completeBy(verdict) : 'unknown',
      reasons: verdict ? reasonsOf(verdict) : [],
      head: verdict?.head,
      found: {
        ...{ file: written.path, bytes: written.bytes, sha256: written.sha256, format, rows },
        record: `${written.path}.json`,
        ...(verdict && { range: rangeOf(verdict) }),
      },
    };
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    const end = ending();
    const goOn = 'narrow the range, or call again with confirm: true';
    return {
      complete: false,
      reasons: [endingReason(end, goOn) ?? 'the rows were not read to their end'],
      head: query.verdict?.head,
      found: { file: null, rowsRead: rows, requests: requests(), ...estimateJson(end) },
    };
  }
}

class Unfinished extends Error {}
