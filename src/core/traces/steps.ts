import { AppError } from '../base/errors.ts';
import type { SliceOptions } from '../base/timeSlices.ts';
import { asList, isRecord } from '../base/values.ts';
import { MAX_CALL_DEPTH, MAX_CALLS } from './callFrame.ts';

/** The steps that the code of one call took. */
export interface FrameSteps {
  /** Program counters in order; empty for calls that succeeded, if the server left them out. */
  readonly counters: readonly number[];
  /** Whether the first ones are missing. */
  readonly isCut: boolean;
  /** The calls that it made, also of accounts without code. `at`: their place in `counters`. */
  readonly calls: readonly { readonly at: number; readonly steps: FrameSteps }[];
}

/** Steps of one call, the last ones: a loop that runs out of gas has millions. */
const MAX_FRAME_STEPS = 60_000;

/**
 * A tracer in JavaScript, which geth, erigon, reth and anvil run: the program counters of the calls that fail, each call
 * as `[depth, dropped counters, place in the caller's counters, counters]`. Those of all creations stay, as anvil tells no
 * error of a creation that fails.
 *
 * https://geth.ethereum.org/docs/developers/evm-tracing/custom-tracer
 */
export const STEP_TRACER = `{
  f: [[0, 0, 0, []]], o: [0], kept: {},
  add: function (pc) {
    var t = this.f[this.o[this.o.length - 1]];
    t[3].push(pc);
    if (t[3].length >= ${MAX_FRAME_STEPS}) { t[3].splice(0, ${MAX_FRAME_STEPS / 2}); t[1] += ${MAX_FRAME_STEPS / 2}; }
  },
  step: function (log) { this.add(log.getPC()); },
  fault: function (log) {
    var i = this.o[this.o.length - 1], p = this.f[i][3];
    this.kept[i] = true;
    if (p[p.length - 1] !== log.getPC()) this.add(log.getPC());
  },
  enter: function (c) {
    if (c.getType() === 'SELFDESTRUCT') { this.o.push(-1); return; }
    var t = this.f[this.o[this.o.length - 1]];
    if (c.getType().indexOf('CREATE') === 0) this.kept[this.f.length] = true;
    this.f.push([this.o.length, 0, t[1] + t[3].length - 1, []]);
    this.o.push(this.f.length - 1);
  },
  exit: function (r) {
    var i = this.o.pop();
    if (i >= 0 && r.getError() === undefined && !this.kept[i]) for (; i < this.f.length; i++) this.f[i][3] = [];
  },
  result: function () { return this.f; }
}`.replace(/\s+/g, ' ');

interface OpenSteps {
  readonly counters: number[];
  readonly calls: { at: number; steps: FrameSteps }[];
  readonly steps: FrameSteps;
  readonly dropped: number;
}

function openSteps(counters: number[], dropped = 0): OpenSteps {
  const calls: OpenSteps['calls'] = [];
  return { counters, calls, dropped, steps: { counters, calls, isCut: dropped > 0 } };
}

/**
 * Parses the result of {@link STEP_TRACER}; undefined if it has another shape, as of a server that ignores the tracer.
 *
 * @throws AppError `badResponse` for a list of calls that is malformed; the reason of the signal when it aborts.
 * @example (await parseStepTracer([[0, 0, 0, [0, 2]]], { slices }))?.counters // [0, 2]
 */
export async function parseStepTracer(
  result: unknown,
  { slices, signal }: SliceOptions,
): Promise<FrameSteps | undefined> {
  if (!Array.isArray(result) || result.length === 0 || result.length > MAX_CALLS) return undefined;
  const open: OpenSteps[] = [];
  for (const entry of result) {
    if (slices.isOver()) await slices.rest({ signal });
    const [depth, dropped, at, counters] = asList(entry);
    if (!isCount(depth) || !isCount(dropped) || !Array.isArray(counters) || !counters.every(isCount))
      throw malformedError();
    const frame = openSteps(counters, dropped);
    if (depth > open.length || (depth === 0) !== (open.length === 0) || depth >= MAX_CALL_DEPTH)
      throw malformedError();
    open.length = depth;
    const caller = open.at(-1);
    if (caller) caller.calls.push({ at: Number(at) - caller.dropped, steps: frame.steps });
    open.push(frame);
  }
  return open[0]?.steps;
}

/** No code is longer. */
const MAX_COUNTER = 0xff_ffff;

function isCount(value: unknown): value is number {
  return (
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNTER * MAX_CALLS
  );
}

const CALLS: ReadonlySet<unknown> = new Set([
  ...['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'],
]);

/**
 * Parses struct logs, the default of `debug_traceTransaction`: one entry for each step of all calls. `none` if there are
 * none, as anvil does without `--steps-tracing`; undefined if it has another shape.
 *
 * https://geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers#struct-opcode-logger
 *
 * @throws AppError `badResponse` for a malformed entry; the reason of the signal when it aborts.
 * @example await parseStructLogs({ structLogs: [] }, { slices }) // 'none'
 */
export async function parseStructLogs(
  result: unknown,
  { slices, signal }: SliceOptions,
): Promise<FrameSteps | 'none' | undefined> {
  if (!isRecord(result) || !Array.isArray(result.structLogs)) return undefined;
  const open: OpenSteps[] = [];
  let base = 0;
  let isCallPending = false;
  for (const entry of result.structLogs) {
    if (slices.isOver()) await slices.rest({ signal });
    const { pc, op, depth } = isRecord(entry) ? entry : {};
    if (!isCount(pc) || !isCount(depth)) throw malformedError();
    if (open.length === 0) {
      base = depth;
      open.push(openSteps([]));
    }
    const level = depth - base + 1;
    if (level < 1 || level > open.length + (isCallPending ? 1 : 0) || level > MAX_CALL_DEPTH)
      throw malformedError();
    if (isCallPending) {
      const called = openSteps([]);
      const caller = open.at(-1);
      caller?.calls.push({ at: caller.counters.length - 1, steps: called.steps });
      if (level > open.length) open.push(called);
    }
    open.length = level;
    open.at(-1)?.counters.push(pc);
    isCallPending = CALLS.has(op);
  }
  return open[0]?.steps ?? 'none';
}

function malformedError(): AppError {
  return new AppError('badResponse', 'The response is not a trace: a step in it is malformed.');
}
