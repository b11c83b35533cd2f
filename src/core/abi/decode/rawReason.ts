import type { Hex } from '../../values/hex.ts';
import type { AbiEvent } from '../abiItem.ts';
import type { RunningCode, VersionDoubt } from '../codeVersions.ts';
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
    }
  /** The contract was upgraded, and it is not known which of its versions the log is of. */
  | {
      readonly code: 'version';
      readonly doubt: VersionDoubt;
      /** The code in force, if it is known and one. */
      readonly inForce: RunningCode | undefined;
      /** What fits, the most likely first. */
      readonly events: readonly AbiEvent[];
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
    case 'version':
      return `${doubtText(reason)} Decoded by another version it may be wrong.`;
  }
}

function doubtText({ doubt, inForce }: Extract<RawReason, { readonly code: 'version' }>): string {
  switch (doubt) {
    case 'constructor':
      return 'No log tells which implementation the constructor of the contract has set.';
    case 'unread':
      return 'The upgrades of the contract have not been read through this block.';
    case 'uncertain':
      return 'Some upgrades of the contract may be missing in what the server tells.';
    case 'noAbi':
      return inForce
        ? `The ABI of the implementation in force, ${inForce.address}, is not known.`
        : 'The ABI of the code in force is not known.';
    case 'several':
      return 'Events of several contracts whose code may have run fit, and say different things.';
  }
}
