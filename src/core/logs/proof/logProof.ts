import { badInput } from '../../base/errors.ts';
import { decimal } from '../../base/ownText.ts';
import { createMessage, foreign, formatMessage, type Message } from '../../base/text.ts';
import type { Hex } from '../../eth/hex.ts';

/** Whether a result has every matching log of its range and no other, by the hashes of the chain. */
export interface LogProof {
  /**
   * `proven`: it does, if the trusted hash is that of the chain. `contradicted`: the chain has other logs, or what the
   * endpoint returned for one block does not have its hashes, while that of others does. `impossible`: the endpoint did not
   * return what a proof needs, or the chain computes hashes in another way.
   */
  readonly level: 'proven' | 'contradicted' | 'impossible';
  /** What is missing, or how the result differs. */
  readonly reasons: readonly Message[];
  /** The hash of a block that is not below the range; undefined if the endpoint did not return the block. */
  readonly trustedHash: Hex | undefined;
  /** Who gave this hash. By `endpoint`, the proof holds if the endpoint is on the right chain. */
  readonly trustedBy: 'user' | 'endpoint';
  /** Headers whose hash was computed and that lead to the trusted hash. */
  readonly blocks: number;
  /** Blocks whose receipts were compared with their header. The bloom of the others rules out a matching log. */
  readonly receipts: number;
  /** Requests sent for the proof. */
  readonly requests: number;
  /** The first block where the result differs. */
  readonly contradictedAt?: bigint | undefined;
  /** The first block for which the endpoint returned what does not have its hashes, where other blocks do. */
  readonly alteredAt?: bigint | undefined;
}

/** A proof as JSON. */
export interface LogProofJson {
  readonly level: LogProof['level'];
  readonly trustedHash: Hex | null;
  readonly trustedBy: LogProof['trustedBy'];
  readonly blocks: number;
  readonly receipts: number;
  readonly requests: number;
  readonly reasons: readonly string[];
}

/**
 * The JSON form of a proof.
 *
 * @example
 * const { level, reasons } = logProofToJson(proof);
 */
export function logProofToJson(proof: LogProof): LogProofJson {
  const { level, trustedHash = null, trustedBy, blocks, receipts, requests, reasons } = proof;
  return { level, trustedHash, trustedBy, blocks, receipts, requests, reasons: reasons.map(formatMessage) };
}

/**
 * What a proof says, in one sentence; its reasons say more.
 *
 * @example formatMessage(describeProof(proof)); // that it is proven, and by which hash
 */
export function describeProof(proof: LogProof): Message {
  const { level, trustedHash, trustedBy, blocks, contradictedAt, alteredAt } = proof;
  if (level === 'impossible') return createMessage('The result cannot be proven.');
  if (contradictedAt === undefined && alteredAt !== undefined)
    return createMessage('The block hashes contradict what the endpoint returned to prove the result.');
  if (level === 'contradicted') return createMessage('The block hashes contradict the result.');
  const template =
    trustedBy === 'user'
      ? 'Proven: the hashes of {0} blocks lead to {1}, which you trust, and allow no other logs.'
      : 'Proven if {1} is the hash of the last block, as the endpoint says. The hashes of {0} blocks lead to it, and allow no other logs. Compare it with another endpoint.';
  return createMessage(template, blocks, foreign(trustedHash ?? ''));
}

/** The range of a result, resolved. Both inclusive. */
export interface ProofRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Blocks from the trusted block down to the first of the range. */
export const MAX_PROOF_BLOCKS = 10_000;

/**
 * Polygon PoS and Amoy, by chain ID: the first block whose receipts root has all logs. Before, those of state sync are in no
 * root and no bloom (PIP-74, fork Madhugiri).
 */
const ALL_LOGS_IN_ROOT_FROM: ReadonlyMap<number, bigint> = new Map([
  [137, 80_084_800n],
  [80002, 28_899_616n],
]);

/**
 * Why headers of a chain do not cover all logs of a range; undefined if they do, as far as Chainside knows the chain.
 *
 * @example findUncoveredLogs(1, { fromBlock: 1n, toBlock: 1_000n }) // undefined
 */
export function findUncoveredLogs(
  chainId: number | undefined,
  { fromBlock }: ProofRange,
): Message | undefined {
  const first = chainId === undefined ? undefined : ALL_LOGS_IN_ROOT_FROM.get(chainId);
  if (first === undefined || fromBlock >= first) return undefined;
  return createMessage(
    'Before block {0} of this chain, no receipts root has the logs of state sync. Choose a later first block.',
    decimal(first),
  );
}

/**
 * @throws AppError `badInput` for `prove` if the range has too many blocks for a proof.
 * @example requireProvableRange({ fromBlock: 1n, toBlock: 1_000n });
 */
export function requireProvableRange(range: ProofRange): void {
  const reason = findUnprovableRange(range);
  if (reason) throw badInput('prove', createMessage('{0} Choose a smaller range.', reason));
}

/**
 * Why a range has too many blocks for a proof; undefined if it does not.
 *
 * @example findUnprovableRange({ fromBlock: 1n, toBlock: 1_000n }) // undefined
 */
export function findUnprovableRange({ fromBlock, toBlock }: ProofRange): Message | undefined {
  const count = toBlock - fromBlock + 1n;
  if (count <= BigInt(MAX_PROOF_BLOCKS)) return undefined;
  const template = 'A proof covers at most {0} blocks, and the range has {1}.';
  return createMessage(template, MAX_PROOF_BLOCKS, decimal(count));
}
