import { decimal, ownText, ownWord } from '../base/ownText.ts';
import { formatMessage } from '../base/text.ts';
import { pushAll } from '../base/values.ts';
import { type CallFrame, findFailedPath } from '../traces/callFrame.ts';
import type { ExplainedFrame } from '../traces/explainTrace.ts';
import { getSelector } from '../traces/explainTrace.ts';
import type { FailedAt } from '../traces/failedAt.ts';
import { findHalt } from '../traces/halts.ts';
import type { TransactionTrace } from '../traces/traceTransaction.ts';
import { messageJson, untrustedText } from './agentText.ts';
import { type Json, type JsonObject, meaningToAgentJson, untrustedEvent } from './result.ts';

type KnownTrace = Extract<TransactionTrace, { readonly state: 'told' }>;

/**
 * The calls of a trace, as many as fit: those that failed from the first to the innermost, then the others, the outer
 * ones first. `moreCalls` counts those that a call made and that are left out.
 *
 * @param maxChars of the calls as JSON.
 * @example traceToAgentJson(trace, 4_000).calls;
 */
export function traceToAgentJson({ root, hasLogs }: KnownTrace, maxChars: number): JsonObject {
  const chosen = new Map<ExplainedFrame, JsonObject>();
  let chars = 0;
  for (const explained of iterateByInterest(root)) {
    const json = frameToAgentJson(explained, hasLogs);
    chars += JSON.stringify(json).length + JOINT_CHARS;
    if (chars > maxChars && chosen.size > 0) break;
    chosen.set(explained, json);
  }
  return joinFrames(root, chosen);
}

/** `"calls":[…],"moreCalls":9`. */
const JOINT_CHARS = 30;

/** Each frame after the one that called it. */
function* iterateByInterest(root: ExplainedFrame): Generator<ExplainedFrame> {
  const failed = new Set<CallFrame>(findFailedPath(root.frame).map(({ frame }) => frame));
  let open: ExplainedFrame | undefined = root;
  while (open) {
    yield open;
    open = open.calls.find(({ frame }) => failed.has(frame));
  }
  const queue: ExplainedFrame[] = [root];
  for (const explained of queue) {
    if (explained !== root && !failed.has(explained.frame)) yield explained;
    pushAll(queue, explained.calls.slice(0, MAX_QUEUED));
    if (queue.length > MAX_QUEUED) return;
  }
}

/** Far more than fit. */
const MAX_QUEUED = 1_000;

function joinFrames(root: ExplainedFrame, chosen: ReadonlyMap<ExplainedFrame, JsonObject>): JsonObject {
  const joined = new Map<ExplainedFrame, JsonObject>();
  // Inner ones first: a frame comes after its caller, so the reverse order has its calls ready.
  for (const explained of [...chosen.keys()].reverse()) {
    const calls = explained.calls.flatMap((call) => joined.get(call) ?? []);
    const more = explained.calls.length - calls.length;
    joined.set(explained, {
      ...chosen.get(explained),
      ...(calls.length > 0 && { calls }),
      ...(more > 0 && { moreCalls: more, truncated: true }),
    });
  }
  return joined.get(root) ?? {};
}

function frameToAgentJson(explained: ExplainedFrame, hasLogs: boolean): JsonObject {
  const { frame, contract, call, received, revert } = explained;
  const selector = call ? undefined : getSelector(frame);
  const called = call && meaningToAgentJson(call);
  const logs = explained.logs.slice(0, MAX_FRAME_LOGS).map((log) => untrustedEvent(log).event ?? null);
  const hasSelector = selector !== undefined && !frame.type.startsWith('CREATE');
  return {
    type: frame.typeName === undefined ? ownWord(frame.type) : untrustedText(frame.typeName, 24),
    ...(frame.type === 'DELEGATECALL' && { storageOf: frame.from }),
    to: frame.to ?? null,
    ...(contract !== undefined && { contract: untrustedText(contract, 80) }),
    ...(called && { function: called.signature ?? null, args: called.args ?? null }),
    ...(hasSelector && { function: selector }),
    ...(received && { function: ownWord(received) }),
    ...((frame.value ?? 0n) > 0n &&
      frame.type !== 'DELEGATECALL' && { valueWei: decimal(frame.value ?? 0n) }),
    ...(frame.gasUsed !== undefined && { gasUsed: decimal(frame.gasUsed) }),
    ...(frame.error !== undefined && { error: errorToJson(frame.error, revert) }),
    ...(hasLogs && logs.length > 0 && { logs }),
    ...(frame.logs.length > MAX_FRAME_LOGS && { truncated: true }),
  };
}

const MAX_FRAME_LOGS = 5;

/** What the words of a client for another end than a revert mean. */
export function haltToAgentJson(words: string): JsonObject {
  const halt = findHalt(words);
  return halt ? { halt: messageJson(halt.text) } : {};
}

function errorToJson(error: string, revert: ExplainedFrame['revert']): Json {
  if (!revert) return { message: untrustedText(error, 80), ...haltToAgentJson(error) };
  const { signature = null, args = null, note } = meaningToAgentJson(revert);
  return { signature, args, ...(note !== undefined && { note }) };
}

/**
 * The line that failed, or the lines that may have.
 *
 * @example failedAtToAgentJson({ certain: false, candidates: [] }) // { certain: false, candidates: [] }
 */
export function failedAtToAgentJson(failedAt: FailedAt): JsonObject {
  const unknown = failedAt.unknownCode?.map(({ address, contract }) => ({
    address: address ?? null,
    ...(contract !== undefined && { contract: untrustedText(contract, 80) }),
    // The name of the contract is data.
    reason: ownText`The code at this address is not of the build of the project, so its lines are unknown.`,
  }));
  const { why } = failedAt;
  return {
    ...placesToJson(failedAt),
    ...(why && { reason: untrustedText(formatMessage(why)) }),
    ...(unknown && { unknownCode: unknown }),
  };
}

function placesToJson(failedAt: FailedAt): JsonObject {
  if (!failedAt.certain) {
    const { candidates } = failedAt;
    return {
      certain: false,
      candidates: candidates
        .slice(0, MAX_CANDIDATES)
        .map(({ file, line }) => ({ file: untrustedText(file), line })),
      ...(candidates.length > MAX_CANDIDATES && {
        moreCandidates: candidates.length - MAX_CANDIDATES,
        truncated: true,
      }),
    };
  }
  const { file, line, stack } = failedAt;
  return {
    certain: true,
    file: untrustedText(file),
    line,
    stack: stack.slice(0, MAX_STACK).map((entry) => ({
      ...{ file: untrustedText(entry.file), line: entry.line },
      function: untrustedText(entry.function, 120),
    })),
    ...(stack.length > MAX_STACK && { truncated: true }),
  };
}

const MAX_CANDIDATES = 10;
const MAX_STACK = 10;
