import type { Hex } from '../../values/hex.ts';
import type { AbiEvent } from '../abiItem.ts';
import type { FaultCode } from './decodeFault.ts';

/** Why a log stays raw. */
export type RawReason =
  | { readonly code: 'noTopics' }
  | { readonly code: 'unknownEvent'; readonly topic0: Hex }
  /** The event has another number of indexed parameters. */
  | { readonly code: 'topicCount'; readonly event: AbiEvent; readonly topics: number }
  | {
      readonly code: 'malformed';
      readonly event: AbiEvent;
      readonly fault: FaultCode;
      /** What is wrong, in words. */
      readonly detail: string;
    };

/**
 * The reason as a sentence.
 *
 * @example rawReasonText({ code: 'noTopics' })
 * // 'The log has no topics, and no known anonymous event of its contract matches.'
 */
export function rawReasonText(reason: RawReason): string {
  switch (reason.code) {
    case 'noTopics':
      return 'The log has no topics, and no known anonymous event of its contract matches.';
    case 'unknownEvent':
      return `No event with the topic0 ${reason.topic0} is known.`;
    case 'topicCount': {
      const { event, topics } = reason;
      const expected = event.inputs.filter(({ indexed }) => indexed).length + (event.anonymous ? 0 : 1);
      return `The log has ${topics} ${topics === 1 ? 'topic' : 'topics'}; ${event.signature} as it is known has ${expected}.`;
    }
    case 'malformed':
      return `Not what ${reason.event.signature} encodes: ${reason.detail}.`;
  }
}
