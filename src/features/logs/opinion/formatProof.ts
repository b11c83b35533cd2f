import { describeProof, type LogProof } from '../../../core/index.ts';
import { type Language, localize } from '../../../host/l10n.ts';
import type { ResultDetails, ResultStatus } from '../protocol/snapshot.ts';

type DescribedResult = ResultStatus & ResultDetails;

/** Adds a proof to the details of a result. */
export function addProof(
  result: DescribedResult,
  proof: LogProof | undefined,
  { l10n }: Language,
): DescribedResult {
  if (!proof || result.facts.length === 0) return result;
  const line = {
    proven: l10n.t('proven'),
    contradicted: l10n.t('contradicted by the block hashes'),
    impossible: l10n.t('not provable'),
  }[proof.level];
  const rest = result.rest === '' ? `· ${line}` : `${result.rest} · ${line}`;
  const facts = [...result.facts, { name: l10n.t('Proof'), value: line }];
  return { ...result, rest, facts, notes: [...result.notes, formatProof(proof, l10n)] };
}

/**
 * What a proof says, with its first reason.
 *
 * @example formatProof(proof, l10n) // 'The result cannot be proven. The endpoint returns no receipts of block 7.'
 */
export function formatProof(proof: LogProof, l10n: Language['l10n']): string {
  return [describeProof(proof), ...proof.reasons.slice(0, 1)]
    .map((message) => localize(message, l10n))
    .join(' ');
}
