import type { Log } from '../../logs/query/log.ts';
import { isoTime } from '../../times/timeText.ts';
import type { JsonObject } from '../kit/answer.ts';
import { chainBytes, chainEvent } from '../kit/chainValues.ts';
import { fitAnswer } from '../kit/fitAnswer.ts';
import type { OperationKnowledge } from '../kit/operation.ts';

/** Bytes of one row, both forms counted: so that a page has several, whatever is in them. */
const MOST_ROW_BYTES = 5000;

/** A row as JSON: where it is, and what it says; topics and data where that is not known. */
export function eventRow(
  log: Log,
  { decode }: Pick<OperationKnowledge, 'decode'>,
  time?: number,
): JsonObject {
  const decoded = chainEvent(decode(log));
  const made = isoTime(log.time ?? time);
  const raw: JsonObject = decoded.event === null ? { topics: log.topics, data: chainBytes(log.data) } : {};
  return fitAnswer<JsonObject>(
    {
      block: log.blockNumber.toString(),
      ...(made !== undefined && { time: made }),
      logIndex: log.logIndex,
      transaction: log.transactionHash,
      address: log.address,
      ...decoded,
      ...raw,
    },
    MOST_ROW_BYTES,
  );
}
