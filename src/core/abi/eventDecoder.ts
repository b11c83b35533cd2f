import { createMessage, foreign, type Message } from '../base/text.ts';
import type { Hex } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import type {
  ActiveImplementation,
  Candidate,
  CandidateTiers,
  VersionedCandidate,
  VersionReason,
} from './candidates.ts';
import {
  compileParameters,
  createWordReader,
  type DecodeCursor,
  type DecodeError,
  type DecodeErrorCode,
  isDecodeError,
  type ReadWord,
  readHashedValue,
} from './decode.ts';
import type { AbiEvent } from './item.ts';
import type { AbiValue, EventParameter } from './type.ts';

interface LogBody {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export type DecodeEvent = (log: LogBody) => readonly AbiValue[] | DecodeError;

const MALFORMED_TOPIC: DecodeError = {
  kind: 'notHex',
  detail: createMessage('a topic is not 32 bytes in hex'),
};
const OTHER_EVENT: DecodeError = {
  kind: 'topic0',
  detail: createMessage('its topic0 belongs to another event'),
};

/**
 * Compiles a strict decoder (see `decodeParameters`) for the logs of an event. Values are in the order of the inputs,
 * hex in lower case; an indexed `string`, `bytes`, array or tuple becomes its topic, a hash (`isHashed`).
 *
 * @example
 * compileEvent(event)({ topics: log.topics, data: log.data });
 */
export function compileEvent(event: AbiEvent): DecodeEvent {
  const { inputs, topic0 } = event;
  const firstTopic = event.anonymous ? 0 : 1;
  const topicCount = firstTopic + inputs.filter(({ indexed }) => indexed).length;
  const readData = compileParameters(inputs.filter(({ indexed }) => !indexed));
  const topicReaders = inputs.map((input) => (input.indexed ? createTopicReader(input) : undefined));
  return ({ topics, data }) => {
    if (topics.length !== topicCount) return wrongTopicCount(topics.length, topicCount);
    if (firstTopic === 1 && topics[0] !== topic0) return OTHER_EVENT;
    const unindexed = readData(data);
    if (topicCount === firstTopic || isDecodeError(unindexed)) return unindexed;
    const cursor: DecodeCursor = { text: '', tail: 0, error: undefined, unread: undefined };
    const values: AbiValue[] = [];
    let nextTopic = firstTopic;
    let nextUnindexed = 0;
    for (const readTopic of topicReaders) {
      if (readTopic === undefined) {
        values.push(unindexed[nextUnindexed++] as AbiValue);
        continue;
      }
      const topic = topics[nextTopic++];
      if (topic?.length !== 66 || !topic.startsWith('0x')) return MALFORMED_TOPIC;
      cursor.text = topic;
      const value = readTopic(cursor, 2);
      if (value === undefined) return cursor.error ?? MALFORMED_TOPIC;
      values.push(value);
    }
    return values;
  };
}

function createTopicReader({ type }: EventParameter): ReadWord {
  return createWordReader(type) ?? readHashedValue;
}

function wrongTopicCount(count: number, expected: number): DecodeError {
  const detail =
    count === 1
      ? createMessage('it has 1 topic instead of {0}', expected)
      : createMessage('it has {0} topics instead of {1}', count, expected);
  return { kind: 'topicCount', detail };
}

export interface CompiledCandidate {
  readonly candidate: Candidate<AbiEvent>;
  readonly topics: number;
  readonly decode: DecodeEvent;
  /** Its implementation, if the contract has several versions. */
  readonly code: ActiveImplementation | undefined;
}

export interface CompiledTiers extends Pick<CandidateTiers, 'mustAgree' | 'reason' | 'code'> {
  /** Of the first tier that is not empty. */
  readonly candidates: readonly CompiledCandidate[];
  readonly against: readonly CompiledCandidate[];
}

const NO_CANDIDATES: readonly CompiledCandidate[] = [];

export function compileTiers({ tiers, against, mustAgree, reason, code }: CandidateTiers): CompiledTiers {
  const tier = tiers.find((candidates) => candidates.length > 0);
  const options = { byNames: mustAgree };
  return {
    candidates: tier ? compileCandidates(tier, options) : NO_CANDIDATES,
    against: compileCandidates(against, options),
    mustAgree,
    reason,
    code,
  };
}

/**
 * No real contract emits that many layouts under one topic0, as they differ only in which parameters are indexed. For
 * anonymous events, the limit covers all that a contract declares.
 */
const MAX_LAYOUTS = 128;

/**
 * Compiles candidates in their order, one per layout: equal types with the same indexed parameters decode alike,
 * whatever the names.
 *
 * @param options.byNames one per layout and list of names.
 */
export function compileCandidates(
  candidates: readonly VersionedCandidate[],
  { byNames = false }: { readonly byNames?: boolean } = {},
): readonly CompiledCandidate[] {
  const layouts = new Map<string, CompiledCandidate>();
  for (const candidate of candidates) {
    if (layouts.size >= MAX_LAYOUTS) break;
    const { inputs, anonymous, signature } = candidate.item;
    const indexed = inputs.map((input) => Number(input.indexed)).join('');
    const names = byNames ? inputs.map(({ name }) => name).join() : '';
    const layout = `${signature} ${indexed} ${names}`;
    if (layouts.has(layout)) continue;
    const topics = inputs.filter((input) => input.indexed).length + (anonymous ? 0 : 1);
    const { code } = candidate;
    layouts.set(layout, { candidate, topics, decode: compileEvent(candidate.item), code });
  }
  return [...layouts.values()];
}

interface AgreedDecoding {
  readonly chosen: CompiledCandidate;
  readonly values: readonly AbiValue[];
}

/**
 * The values on which all fitting candidates agree; otherwise the reason why the log stays raw: they disagree, or only
 * candidates in `against` fit. Undefined if nothing fits.
 */
export function decodeAgreed(
  log: LogBody,
  { candidates, against, reason, code }: CompiledTiers,
): AgreedDecoding | { readonly reason: UndecodedReason } | undefined {
  const [only] = candidates;
  if (only && candidates.length === 1 && against.length === 0) return decodeWith(log, only)[0];
  const fitting = candidates.flatMap((candidate) => decodeWith(log, candidate));
  const opposing = against.flatMap((candidate) => decodeWith(log, candidate));
  const [first] = fitting;
  const isAgreed = first && [...fitting, ...opposing].every((other) => agrees(first, other));
  if (first && isAgreed) return first;
  if (fitting.length + opposing.length === 0 || (candidates.length > 0 && !first)) return undefined;
  return {
    reason: toVersionReason({ doubt: reason ?? (first ? 'several' : 'noAbi'), code }, [
      ...fitting,
      ...opposing,
    ]),
  };
}

function toVersionReason(
  {
    doubt,
    code,
  }: {
    readonly doubt: NonNullable<CandidateTiers['reason']>;
    readonly code: ActiveImplementation | undefined;
  },
  fitting: readonly AgreedDecoding[],
): UndecodedReason {
  const events = fitting.map(({ chosen }) => chosen.candidate.item);
  return { code: 'version', reason: doubt, activeCode: code, events };
}

function decodeWith(log: LogBody, chosen: CompiledCandidate): readonly AgreedDecoding[] {
  if (chosen.topics !== log.topics.length) return [];
  const values = chosen.decode(log);
  return isDecodeError(values) ? [] : [{ chosen, values }];
}

/** Whether both have equal values, and no name denotes different values. */
function agrees(a: AgreedDecoding, b: AgreedDecoding): boolean {
  if (a === b) return true;
  if (!isEqual(a.values, b.values)) return false;
  const inputs = b.chosen.candidate.item.inputs;
  return a.chosen.candidate.item.inputs.every(({ name }, index) => {
    if (name === '' || inputs[index]?.name === name) return true;
    const other = inputs.findIndex((input) => input.name === name);
    return other < 0 || isEqual(a.values[index], b.values[other]);
  });
}

function isEqual(a: AbiValue | undefined, b: AbiValue | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return a.length === b.length && a.every((value, index) => isEqual(value, b[index]));
}

export type UndecodedReason =
  | { readonly code: 'noTopics' }
  | { readonly code: 'unknownEvent'; readonly topic0: Hex }
  /** The event has a different number of indexed parameters. */
  | { readonly code: 'topicCount'; readonly event: AbiEvent; readonly topics: number }
  | {
      readonly code: 'malformed';
      readonly event: AbiEvent;
      readonly kind: DecodeErrorCode;
      readonly detail: Message;
    }
  /** The contract was upgraded, and the version that emitted the log is uncertain. */
  | {
      readonly code: 'version';
      readonly reason: VersionReason;
      /** The active code, if it is certain. */
      readonly activeCode: ActiveImplementation | undefined;
      /** The events that fit, the most likely first. */
      readonly events: readonly AbiEvent[];
    };

/**
 * Why a log is not decoded, as a sentence.
 *
 * @example formatMessage(describeUndecoded({ code: 'noTopics' }))
 * // 'The log has no topics, and no known anonymous event matches it.'
 */
export function describeUndecoded(reason: UndecodedReason): Message {
  switch (reason.code) {
    case 'noTopics':
      return createMessage('The log has no topics, and no known anonymous event matches it.');
    case 'unknownEvent':
      return createMessage('{0}: no known event has this topic0.', reason.topic0);
    case 'topicCount': {
      const { event, topics } = reason;
      const expected = event.inputs.filter(({ indexed }) => indexed).length + (event.anonymous ? 0 : 1);
      return createMessage(
        'Number of topics: {0}. The known {1} has {2}.',
        topics,
        foreign(event.signature),
        expected,
      );
    }
    case 'malformed':
      return createMessage(
        'The data does not match {0}: {1}.',
        foreign(reason.event.signature),
        reason.detail,
      );
    case 'version':
      return describeVersionReason(reason);
  }
}

function describeVersionReason({
  reason,
  activeCode,
}: Extract<UndecodedReason, { readonly code: 'version' }>): Message {
  switch (reason) {
    case 'constructor':
      return createMessage('The log is older than the first reported upgrade, so its version is unknown.');
    case 'unread':
      return createMessage('The upgrades of the contract have not been read up to this block.');
    case 'uncertain':
      return createMessage(
        'The server may have left out upgrades of the contract, so its version is uncertain.',
      );
    case 'delegated':
      return createMessage(
        'The account delegates to a contract (EIP-7702), and no log shows to which one at that time.',
      );
    case 'noAbi':
      return activeCode
        ? createMessage(
            'The ABI of {0}, its implementation at that time, is unknown.',
            toChecksumAddress(activeCode.address),
          )
        : createMessage('The ABI of its implementation at that time is unknown.');
    case 'several':
      return createMessage(
        'Several contracts whose code may have emitted this log declare such an event and decode it differently.',
      );
  }
}
