import type { Hex } from '../eth/hex.ts';
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

/** What of a log tells its values. */
interface LogBody {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export type DecodeEvent = (log: LogBody) => readonly AbiValue[] | DecodeError;

const NOT_TOPIC: DecodeError = { fault: 'notHex', detail: 'a topic is not 32 bytes in hex' };
const OTHER_EVENT: DecodeError = { fault: 'topic0', detail: 'its topic0 is of another event' };

/**
 * Makes what decodes logs of an event, strictly (see `decodeParameters`): for use again and again. Values are in the
 * order of the inputs, of hex in lower case, as logs have it; an indexed `string`, `bytes`, array or tuple gives its topic, which is a hash (`isHashed`).
 *
 * @example
 * compileEvent(event)({ topics: log.topics, data: log.data });
 */
export function compileEvent(event: AbiEvent): DecodeEvent {
  const { inputs, topic0 } = event;
  const first = event.anonymous ? 0 : 1;
  const count = first + inputs.filter(({ indexed }) => indexed).length;
  const readData = compileParameters(inputs.filter(({ indexed }) => !indexed));
  const slots = inputs.map((input) => (input.indexed ? topicReader(input) : undefined));
  return ({ topics, data }) => {
    if (topics.length !== count) return otherCount(topics.length, count);
    if (first === 1 && topics[0] !== topic0) return OTHER_EVENT;
    const plain = readData(data);
    if (count === first || isDecodeError(plain)) return plain;
    const cursor: DecodeCursor = { text: '', tail: 0, fault: undefined };
    const values: AbiValue[] = [];
    let nextTopic = first;
    let nextPlain = 0;
    for (const readTopic of slots) {
      if (readTopic === undefined) {
        values.push(plain[nextPlain++] as AbiValue);
        continue;
      }
      const topic = topics[nextTopic++];
      if (topic?.length !== 66 || !topic.startsWith('0x')) return NOT_TOPIC;
      cursor.text = topic;
      const value = readTopic(cursor, 2);
      if (value === undefined) return cursor.fault ?? NOT_TOPIC;
      values.push(value);
    }
    return values;
  };
}

function topicReader({ type }: EventParameter): ReadWord {
  return createWordReader(type) ?? readHashedValue;
}

function otherCount(count: number, expected: number): DecodeError {
  return { fault: 'topicCount', detail: `it has ${formatTopicCount(count)} instead of ${expected}` };
}

function formatTopicCount(count: number): string {
  return count === 1 ? '1 topic' : `${count} topics`;
}

/** An event that may be meant, ready to decode. */
export interface CompiledCandidate {
  readonly candidate: Candidate<AbiEvent>;
  /** How many topics its logs have. */
  readonly topics: number;
  readonly decode: DecodeEvent;
  /** The code that it is of, where that is one of several versions. */
  readonly code: ActiveImplementation | undefined;
}

/**
 * Of what one contract can plausibly emit under one topic0: layouts differ by which of the parameters are indexed. Of
 * anonymous events, all that a contract has.
 */
const MAX_LAYOUTS = 128;

/**
 * Compiles candidates in their order, one for each layout: the same types with the same of them indexed give the same
 * values, under whatever names.
 *
 * @param options.byNames one for each list of names as well.
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

/** Readings, ready to decode. */
export interface CompiledTiers extends Pick<CandidateTiers, 'mustAgree' | 'reason' | 'code'> {
  /** Of the first tier that has any. */
  readonly candidates: readonly CompiledCandidate[];
  readonly against: readonly CompiledCandidate[];
}

/** What a log says, by the one event that it can be of. */
export interface AgreedDecoding {
  readonly chosen: CompiledCandidate;
  readonly values: readonly AbiValue[];
}

const NO_CANDIDATES: readonly CompiledCandidate[] = [];

export function compileTiers({ tiers, against, mustAgree, reason, code }: CandidateTiers): CompiledTiers {
  const decisive = tiers.find((tier) => tier.length > 0);
  const by = { byNames: mustAgree };
  return {
    candidates: decisive ? compileCandidates(decisive, by) : NO_CANDIDATES,
    against: compileCandidates(against, by),
    ...{ mustAgree, reason, code },
  };
}

/**
 * What all say that fit; why a log stays raw where they do not agree, or where only those fit that speak against it.
 * Undefined where none fits.
 */
export function decodeAgreed(
  log: LogBody,
  { candidates, against, reason, code }: CompiledTiers,
): AgreedDecoding | { readonly reason: UndecodedReason } | undefined {
  const [only] = candidates;
  if (only && candidates.length === 1 && against.length === 0) return readingOf(log, only)[0];
  const fitting = candidates.flatMap((one) => readingOf(log, one));
  const contrary = against.flatMap((one) => readingOf(log, one));
  const [first] = fitting;
  const isAgreed = first && [...fitting, ...contrary].every((other) => saysSame(first, other));
  if (first && isAgreed) return first;
  if (fitting.length + contrary.length === 0 || (candidates.length > 0 && !first)) return undefined;
  return {
    reason: versionReason({ doubt: reason ?? (first ? 'several' : 'noAbi'), code }, [
      ...fitting,
      ...contrary,
    ]),
  };
}

function versionReason(
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
  return { code: 'version', doubt, inForce: code, events };
}

function readingOf(log: LogBody, chosen: CompiledCandidate): readonly AgreedDecoding[] {
  if (chosen.topics !== log.topics.length) return [];
  const values = chosen.decode(log);
  return isDecodeError(values) ? [] : [{ chosen, values }];
}

/** Whether both give the same values, and none of them under the name that another value has in the other. */
function saysSame(a: AgreedDecoding, b: AgreedDecoding): boolean {
  if (a === b) return true;
  if (!isSame(a.values, b.values)) return false;
  const inputs = b.chosen.candidate.item.inputs;
  return a.chosen.candidate.item.inputs.every(({ name }, index) => {
    if (name === '' || inputs[index]?.name === name) return true;
    const other = inputs.findIndex((input) => input.name === name);
    return other < 0 || isSame(a.values[index], b.values[other]);
  });
}

function isSame(a: AbiValue | undefined, b: AbiValue | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return a.length === b.length && a.every((value, index) => isSame(value, b[index]));
}

/** Why a log stays raw. */
export type UndecodedReason =
  | { readonly code: 'noTopics' }
  | { readonly code: 'unknownEvent'; readonly topic0: Hex }
  /** The event has another number of indexed parameters. */
  | { readonly code: 'topicCount'; readonly event: AbiEvent; readonly topics: number }
  | {
      readonly code: 'malformed';
      readonly event: AbiEvent;
      readonly fault: DecodeErrorCode;
      /** What is wrong, in words. */
      readonly detail: string;
    }
  /** The contract was upgraded, and it is not known which of its versions the log is of. */
  | {
      readonly code: 'version';
      readonly doubt: VersionReason;
      /** The code in force, if it is known and one. */
      readonly inForce: ActiveImplementation | undefined;
      /** What fits, the most likely first. */
      readonly events: readonly AbiEvent[];
    };

/**
 * The reason as a sentence.
 *
 * @example formatUndecodedReason({ code: 'noTopics' })
 * // 'The log has no topics, and no known anonymous event of its contract matches.'
 */
export function formatUndecodedReason(reason: UndecodedReason): string {
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
      return `${formatVersionReason(reason)} Decoded by another version it may be wrong.`;
  }
}

function formatVersionReason({
  doubt,
  inForce,
}: Extract<UndecodedReason, { readonly code: 'version' }>): string {
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
