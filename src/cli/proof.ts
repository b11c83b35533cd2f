import { describeProof, formatMessage, formatQuantity, type LogProof } from '../core/index.ts';
import type { Output } from './output.ts';

/** What `--prove` asks for: a proof if there can be one, or none but a proof. */
export type ProofDemand = 'wanted' | 'required';

/** Whether the exit code is 0: no hash contradicts the result, and it is proven if it must be. */
export function isProvenEnough(proof: LogProof | undefined, demand: ProofDemand | undefined): boolean {
  if (demand === 'required') return proof?.level === 'proven';
  return proof?.level !== 'contradicted';
}

export function printProof(proof: LogProof, { printMessage }: Output): void {
  const { blocks, receipts, requests } = proof;
  const cost = `${formatQuantity(blocks, 'header')}, receipts of ${formatQuantity(receipts, 'block')}, ${formatQuantity(requests, 'request')}`;
  printMessage(`proof: ${formatMessage(describeProof(proof))} (${cost})`);
  for (const reason of proof.reasons) printMessage(`- ${formatMessage(reason)}`);
}
