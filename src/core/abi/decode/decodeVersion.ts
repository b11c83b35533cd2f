import type { AbiValue } from '../abiType.ts';
import type { Readings, RunningCode } from '../codeVersions.ts';
import { type CompiledCandidate, compileCandidates } from './compiledCandidates.ts';
import { isDecodeFault } from './decodeFault.ts';
import type { LogBody } from './eventDecoder.ts';
import type { RawReason } from './rawReason.ts';

/** Readings, ready to decode. */
export interface CompiledReadings extends Pick<Readings, 'mustAgree' | 'doubt' | 'code'> {
  /** Of the first tier that has any. */
  readonly candidates: readonly CompiledCandidate[];
  readonly against: readonly CompiledCandidate[];
}

/** What a log says, by the one event that it can be of. */
export interface AgreedReading {
  readonly chosen: CompiledCandidate;
  readonly values: readonly AbiValue[];
}

const NO_CANDIDATES: readonly CompiledCandidate[] = [];

export function compileReadings({ tiers, against, mustAgree, doubt, code }: Readings): CompiledReadings {
  const decisive = tiers.find((tier) => tier.length > 0);
  const by = { byNames: mustAgree };
  return {
    candidates: decisive ? compileCandidates(decisive, by) : NO_CANDIDATES,
    against: compileCandidates(against, by),
    ...{ mustAgree, doubt, code },
  };
}

/**
 * What all say that fit; why a log stays raw where they do not agree, or where only those fit that speak against it.
 * Undefined where none fits.
 */
export function decodeAgreed(
  log: LogBody,
  { candidates, against, doubt, code }: CompiledReadings,
): AgreedReading | { readonly reason: RawReason } | undefined {
  const [only] = candidates;
  if (only && candidates.length === 1 && against.length === 0) return readingOf(log, only)[0];
  const fitting = candidates.flatMap((one) => readingOf(log, one));
  const contrary = against.flatMap((one) => readingOf(log, one));
  const [first] = fitting;
  const isAgreed = first && [...fitting, ...contrary].every((other) => saysSame(first, other));
  if (first && isAgreed) return first;
  if (fitting.length + contrary.length === 0 || (candidates.length > 0 && !first)) return undefined;
  return {
    reason: versionReason({ doubt: doubt ?? (first ? 'several' : 'noAbi'), code }, [...fitting, ...contrary]),
  };
}

function versionReason(
  { doubt, code }: { readonly doubt: NonNullable<Readings['doubt']>; readonly code: RunningCode | undefined },
  fitting: readonly AgreedReading[],
): RawReason {
  const events = fitting.map(({ chosen }) => chosen.candidate.item);
  return { code: 'version', doubt, inForce: code, events };
}

function readingOf(log: LogBody, chosen: CompiledCandidate): readonly AgreedReading[] {
  if (chosen.topics !== log.topics.length) return [];
  const values = chosen.decode(log);
  return isDecodeFault(values) ? [] : [{ chosen, values }];
}

/** Whether both give the same values, and none of them under the name that another value has in the other. */
function saysSame(a: AgreedReading, b: AgreedReading): boolean {
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
