import { forEachLimited } from '../../base/concurrency.ts';
import { badInput } from '../../base/errors.ts';
import { decimal } from '../../base/ownText.ts';
import { createMessage, type Message } from '../../base/text.ts';
import type { Hex } from '../../eth/hex.ts';
import type { HeaderResult, ProvenHeader } from './blockHeader.ts';
import { MAX_PROOF_BLOCKS } from './logProof.ts';
import type { SlicedWork } from './merkleTrie.ts';
import type { ProofReader } from './proofReader.ts';

interface HeaderRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Undefined for the hash of the last block, as the endpoint says. */
  readonly trustHash: Hex | undefined;
}

/** Headers of a range whose hashes lead to a trusted one. */
interface HeaderChain {
  readonly trustedHash: Hex | undefined;
  /** Headers of and above the range that are linked; all of the range if nothing is missing. */
  readonly blocks: number;
  /** Of the range, in any order. */
  readonly headers: readonly ProvenHeader[];
  readonly missing: Message | undefined;
  /** A block whose header the endpoint altered, as those of others have their hashes. */
  readonly alteredAt?: bigint | undefined;
}

const HEADERS_PER_BATCH = 50;
const MAX_BATCHES = 4;
/** Blocks that are fetched by their hash, where the endpoint has another one at that number: as after a reorg. */
const MAX_BY_HASH = 128;

/**
 * Fetches the headers of a range and of the blocks up to the trusted one, and links each to the one above it by the hash
 * of its fields.
 *
 * @throws AppError `badInput` if the trusted block is below the range or too far above it; any network kind.
 * @example const { headers, missing } = await fetchHeaderChain(reader, { fromBlock: 1n, toBlock: 9n, trustHash }, work);
 */
export async function fetchHeaderChain(
  reader: ProofReader,
  { fromBlock, toBlock, trustHash }: HeaderRange,
  work: SlicedWork,
): Promise<HeaderChain> {
  const anchor = await reader.fetchHeader(trustHash ?? toBlock);
  if (!anchor.header) {
    const other = anchor.isAltered && toBlock > 0n ? await reader.fetchHeader(toBlock - 1n) : undefined;
    const alteredAt = other?.header ? toBlock : undefined;
    return { trustedHash: trustHash, blocks: 0, headers: [], missing: anchor.missing, alteredAt };
  }
  const { number: top, hash: trustedHash } = anchor.header;
  requireTrustedBlock(top, { fromBlock, toBlock });
  const found = new Map<bigint, HeaderResult>([[top, anchor]]);
  const numbers = Array.from({ length: Number(top - fromBlock) }, (_, index) => fromBlock + BigInt(index));
  let isMissing = false;
  await forEachLimited(
    toChunks(numbers, HEADERS_PER_BATCH),
    async (chunk) => {
      const results = await Promise.all(chunk.map((number) => reader.fetchHeader(number)));
      for (const [index, result] of results.entries()) found.set(chunk[index] ?? 0n, result);
      isMissing ||= results.some(({ header }) => !header);
      if (work.slices.isOver()) await work.slices.rest(work);
    },
    { limit: MAX_BATCHES, goesOn: () => !isMissing },
  );
  const headers: ProvenHeader[] = [];
  let [hash, byHash, blocks] = [trustedHash, 0, 0];
  for (let number = top; number >= fromBlock; number--) {
    let result = found.get(number);
    if (result?.header && result.header.hash !== hash && byHash < MAX_BY_HASH) {
      byHash++;
      result = await reader.fetchHeader(hash);
    }
    const header = result?.header;
    if (header?.hash !== hash || header.number !== number) {
      const template =
        'The endpoint does not return block {0} with the hash {1}, to which the trusted hash leads.';
      if (result) found.set(number, result);
      const [missingAt, first] = findMissing(found);
      const missing = result?.missing ?? first?.missing ?? createMessage(template, decimal(number), hash);
      const alteredAt = result?.isAltered ? number : first?.isAltered ? missingAt : undefined;
      return { trustedHash, blocks, headers, missing, alteredAt };
    }
    blocks++;
    if (number <= toBlock) headers.push(header);
    hash = header.parentHash;
  }
  return { trustedHash, blocks, headers, missing: undefined };
}

function requireTrustedBlock(top: bigint, { fromBlock, toBlock }: Omit<HeaderRange, 'trustHash'>): void {
  if (top < toBlock) {
    const template =
      'The trusted block is {0}, below the last block {1} of the range. Use the hash of a later block.';
    throw badInput('trust-hash', createMessage(template, decimal(top), decimal(toBlock)));
  }
  if (top - fromBlock >= BigInt(MAX_PROOF_BLOCKS)) {
    const template =
      'The trusted block {0} is over {1} blocks above the first block {2}. Use the hash of an earlier block.';
    throw badInput('trust-hash', createMessage(template, decimal(top), MAX_PROOF_BLOCKS, decimal(fromBlock)));
  }
}

/** What ended the fetching of headers, which may be below the first that is not there. */
function findMissing(found: ReadonlyMap<bigint, HeaderResult>) {
  return [...found].find(([, { missing }]) => missing !== undefined) ?? [];
}

/** @example toChunks([1, 2, 3], 2) // [[1, 2], [3]] */
export function toChunks<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}
