import { type MeaningJson, meaningToJson } from '../abi/hexMeaning.ts';
import { type DecodedJson, decodedLogToJson } from '../abi/logDecoder.ts';
import { sanitizeText } from '../base/text.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { getTypeName, isCreation } from './callFrame.ts';
import { type ExplainedFrame, getSelector } from './explainTrace.ts';
import { haltToJson } from './halts.ts';

/** One call as JSON: integers are decimal strings, absent values have no key. */
export interface FrameJson {
  /** Of the EVM; of a call of another type the server's name of it, or `UNKNOWN`. */
  readonly type: string;
  readonly from: Address;
  /** Null for a creation that failed, and if the server does not report it. */
  readonly to: Address | null;
  readonly contract?: string;
  /** The signature; the selector of an unknown function; `receive()` or `fallback()` for a call without data. */
  readonly function?: string;
  readonly arguments?: MeaningJson['args'];
  /** Null if the server does not report it. */
  readonly value: string | null;
  readonly gasUsed: string | null;
  /** The returned values; bytes if the function is unknown; absent for none and for the code of a new contract. */
  readonly output?: MeaningJson['args'] | Hex;
  readonly error?: {
    /** Of the server. */
    readonly message: string;
    /** What `message` means, if it is a client's for another end than a revert. */
    readonly halt?: string;
    readonly data?: Hex;
    readonly meaning?: MeaningJson;
  };
  /** Null if the endpoint does not report which call emitted them. */
  readonly logs: readonly FrameLogJson[] | null;
  readonly calls: readonly FrameJson[];
}

interface FrameLogJson {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Number of entries of `calls` before it; null if unknown. */
  readonly position: number | null;
  readonly decoded: DecodedJson;
}

/**
 * A trace as JSON.
 *
 * @param hasLogs whether the endpoint tells the logs of each call.
 * @example traceToJson(await explainTrace(trace.root, options), true).function; // 'pay(uint256)'
 */
export function traceToJson(root: ExplainedFrame, hasLogs: boolean): FrameJson {
  const top: FrameJson[] = [];
  const open = [{ explained: root, into: top }];
  for (let next = open.pop(); next; next = open.pop()) {
    const calls: FrameJson[] = [];
    next.into.push({ ...frameToJson(next.explained), ...(!hasLogs && { logs: null }), calls });
    for (const call of next.explained.calls.toReversed()) open.push({ explained: call, into: calls });
  }
  return top[0] as FrameJson;
}

function frameToJson(explained: ExplainedFrame): Omit<FrameJson, 'calls'> {
  const { frame, contract, call, received } = explained;
  const { type, from, to, value, gasUsed } = frame;
  const selector = isCreation(frame) || type === 'SELFDESTRUCT' ? undefined : getSelector(frame);
  const decoded = call && meaningToJson(call);
  const called = selector === undefined ? received : (decoded?.signature ?? selector);
  const output = outputToJson(explained);
  return {
    type: getTypeName(frame),
    from,
    to: to ?? null,
    ...(contract !== undefined && { contract }),
    ...(called !== undefined && { function: called }),
    ...(decoded?.args && { arguments: decoded.args }),
    value: value?.toString() ?? null,
    gasUsed: gasUsed?.toString() ?? null,
    ...(output !== undefined && { output }),
    ...(frame.error !== undefined && { error: errorToJson(explained, frame.error) }),
    logs: frame.logs.map(({ address, topics, data, position }, place) => ({
      address,
      topics,
      data,
      position: position ?? null,
      decoded: decodedLogToJson(explained.logs[place] ?? { reason: { code: 'noTopics' } }),
    })),
  };
}

function outputToJson({ frame, returned }: ExplainedFrame): FrameJson['output'] {
  if (frame.error !== undefined || frame.output === '0x' || isCreation(frame)) return undefined;
  return returned ? meaningToJson(returned).args : frame.output;
}

function errorToJson({ frame, revert }: ExplainedFrame, error: string): NonNullable<FrameJson['error']> {
  return {
    message: sanitizeText(error, MAX_MESSAGE_CHARS),
    ...haltToJson(error),
    ...(frame.output !== '0x' && { data: frame.output }),
    ...(revert && { meaning: meaningToJson(revert) }),
  };
}

const MAX_MESSAGE_CHARS = 200;
