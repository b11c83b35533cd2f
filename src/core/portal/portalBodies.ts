import * as z from 'zod/mini';
import type { HttpAnswer } from '../http/httpAnswer.ts';
import { refusalJson } from '../http/httpAnswer.ts';
import { parseHexData } from '../values/hex.ts';
import type { BlockRef, PortalMetadata, StreamQuestion } from './portal.ts';

/** Blocks of its own that it tells after a fork: real ones tell some tens. */
const MOST_PREVIOUS = 1000;
const MOST_HEIGHT = Number.MAX_SAFE_INTEGER;

const height = z.int().check(z.minimum(0), z.maximum(MOST_HEIGHT));
const Ref = z.object({ number: height, hash: z.string() });
const Conflict = z.object({ previousBlocks: z.array(z.unknown()) });
const Metadata = z.object({
  dataset: z.string(),
  start_block: z.optional(z.catch(z.nullable(height), null)),
  metadata: z.optional(
    z.catch(z.nullish(z.object({ evm: z.optional(z.object({ chain_id: z.optional(height) })) })), null),
  ),
});

/** The fields of a block and of a log that are asked for. */
const FIELDS = {
  block: { number: true, hash: true, parentHash: true, timestamp: true },
  log: {
    ...{ address: true, topics: true, data: true },
    ...{ transactionHash: true, transactionIndex: true, logIndex: true },
  },
};

/** What a stream request asks for; without a last block all that the portal has. */
export function bodyOf({
  fromBlock,
  toBlock,
  parentBlockHash,
  logs,
}: Omit<StreamQuestion, 'toBlock'> & { readonly toBlock: bigint | undefined }) {
  return {
    ...{ type: 'evm', fromBlock: Number(fromBlock) },
    ...(toBlock === undefined ? {} : { toBlock: Number(toBlock) }),
    ...(parentBlockHash === undefined ? {} : { parentBlockHash }),
    ...{ fields: FIELDS, logs },
  };
}

/** The newest block by the headers of an answer. */
export function headIn(headers: Headers): bigint | undefined {
  const text = headers.get('x-sqd-head-number')?.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? BigInt(text) : undefined;
}

/** Blocks of the portal's own chain, where the answer tells of a fork. */
export function previousBlocksIn(answer: HttpAnswer): readonly BlockRef[] | undefined {
  const conflict = answer.status === 409 ? Conflict.safeParse(refusalJson(answer)) : undefined;
  return conflict?.success ? refsIn(conflict.data.previousBlocks) : undefined;
}

/** Undefined for what is no metadata of a portal. */
export function readMetadata(body: unknown): PortalMetadata | undefined {
  const parsed = Metadata.safeParse(body);
  if (!parsed.success) return undefined;
  const { start_block: first, metadata } = parsed.data;
  const startBlock = first === undefined || first === null ? undefined : BigInt(first);
  return { chainId: metadata?.evm?.chain_id, startBlock };
}

function refsIn(list: readonly unknown[]): readonly BlockRef[] {
  return list.slice(-MOST_PREVIOUS).flatMap((entry) => readRef(entry) ?? []);
}

/** A block by height and hash; undefined for what is none. */
export function readRef(value: unknown): BlockRef | undefined {
  const parsed = Ref.safeParse(value);
  const hash = parsed.success ? parseHexData(parsed.data.hash, 32) : undefined;
  return parsed.success && hash ? { number: BigInt(parsed.data.number), hash } : undefined;
}
