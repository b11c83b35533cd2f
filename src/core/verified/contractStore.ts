import * as z from 'zod/mini';
import type { TextStore } from '../base/expiringCache.ts';
import type { ProviderLabel } from '../base/provenance.ts';
import { sanitizeText } from '../base/text.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { type Address, type Hex, parseAddress } from '../eth/hex.ts';
import type { AbiProvider } from './fetchVerified.ts';
import type { VerifiedContract, VerifiedProvider } from './verifiedContract.ts';

/** Contracts that are kept; the oldest go first. An ABI has some 20,000 characters. */
const MAX_STORED_CONTRACTS = 1_000;
/** Of one contract: an ABI of 24 KiB of code has some 100,000. */
const MAX_LINE_CHARS = 512 * 1024;
const MAX_STORED_CHARS = 32 * 1024 * 1024;
const MAX_STORED_ITEM_CHARS = 16_384;

/** Verified contracts of all chains and services, from one start of the program to the next. */
export interface VerifiedContractStore {
  /** `source`, which is asked only of what is not kept: for a chain. */
  wrap(source: VerifiedProvider, chainId: number): AbiProvider;
  /** Writes what has come since the last time. @throws what the place does, and tries again the next time. */
  save(): Promise<void>;
  clear(): Promise<void>;
}

const Line = z.object({
  origin: z.string().check(z.maxLength(300)),
  chainId: z.int(),
  address: z.string(),
  matchId: z.string().check(z.maxLength(64)),
  match: z.enum(['exact', 'partial']),
  name: z.optional(z.string()),
  abi: z.array(z.string().check(z.maxLength(MAX_STORED_ITEM_CHARS))),
  block: z.optional(z.string().check(z.regex(/^\d{1,16}$/))),
  transaction: z.optional(z.string().check(z.regex(/^0x[0-9a-f]{64}$/))),
  readAt: z.number(),
});

/**
 * Keeps contracts for good by the id of their verification, under which nothing changes. A proxy is not kept, since
 * what it leads to can change; nor is what has no such id. What is broken in a kept text is passed over.
 *
 * @param deps.slices in which a kept text is read.
 * @example
 * const kept = createVerifiedContractStore({ text, slices });
 * const source = kept.of(sourcifyProvider, 1);
 */
export function createVerifiedContractStore(deps: {
  readonly text: TextStore;
  readonly slices: TimeSlices;
}): VerifiedContractStore {
  let lines: Promise<Map<string, string>> | undefined;
  let isChanged = false;
  let saving = Promise.resolve();

  async function load(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const text = await deps.text.load().catch(() => undefined);
    if (text === undefined || text.length > MAX_STORED_CHARS) return found;
    for (let at = 0; at < text.length; ) {
      const next = text.indexOf('\n', at);
      const end = next === -1 ? text.length : next;
      const line = text.slice(at, end);
      // The key stands before the contract, so that this is read only when it is looked for.
      const gap = line.indexOf('\t');
      if (gap > 0 && line.length <= MAX_LINE_CHARS && found.size < MAX_STORED_CONTRACTS)
        found.set(line.slice(0, gap), line.slice(gap + 1));
      at = end + 1;
      if (deps.slices.isOver()) await deps.slices.rest();
    }
    return found;
  }

  async function keep(key: string, contract: VerifiedContract, chainId: number): Promise<void> {
    const line = toLine(contract, chainId);
    if (line === undefined || line.length > MAX_LINE_CHARS) return;
    lines ??= load();
    const kept = await lines;
    kept.delete(key);
    kept.set(key, line);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_STORED_CONTRACTS) break;
      kept.delete(oldest);
    }
    isChanged = true;
  }

  async function write(): Promise<void> {
    if (!isChanged || !lines) return;
    isChanged = false;
    const kept = await lines;
    let room = MAX_STORED_CHARS;
    const written = [...kept].reverse().flatMap(([key, line]) => {
      room -= key.length + line.length + 2;
      return room >= 0 ? [`${key}\t${line}\n`] : [];
    });
    try {
      await deps.text.save(written.reverse().join(''));
    } catch (error) {
      isChanged = true;
      throw error;
    }
  }

  return {
    wrap: (source, chainId) => ({
      proxyAt: source.proxyAt,
      async verifiedContract(address, options) {
        const key = `${source.label.origin} ${chainId} ${address}`;
        lines ??= load();
        const line = (await lines).get(key);
        const known =
          line && !options?.fresh ? fromLine(line, { address, chainId, source: source.label }) : undefined;
        if (known) return known;
        const contract = await source.verifiedContract(address, options);
        if (contract) await keep(key, contract, chainId);
        return contract;
      },
    }),
    save() {
      // One after another, so that the last one written is the newest.
      const saved = saving.then(write);
      saving = saved.catch(() => undefined);
      return saved;
    },
    async clear() {
      lines = Promise.resolve(new Map());
      isChanged = false;
      await deps.text.save('');
    },
  };
}

/** Undefined for what is not kept. */
function toLine(contract: VerifiedContract, chainId: number): string | undefined {
  const { matchId, proxy, match, created, source, address, name, abi, readAt } = contract;
  if (matchId === undefined || proxy || match === 'twin') return undefined;
  return JSON.stringify({
    origin: source.origin,
    chainId,
    address,
    matchId,
    match,
    name,
    abi,
    readAt,
    block: created?.block.toString(),
    transaction: created?.transaction,
  });
}

function fromLine(
  line: string,
  asked: { readonly address: Address; readonly chainId: number; readonly source: ProviderLabel },
): VerifiedContract | undefined {
  const { data } = Line.safeParse(parsed(line));
  const { address, chainId, source } = asked;
  if (data?.origin !== source.origin || data.chainId !== chainId) return undefined;
  if (parseAddress(data.address) !== address) return undefined;
  const { name, abi, match, matchId, readAt, block, transaction } = data;
  return {
    source,
    readAt,
    address,
    abi,
    match,
    matchId,
    name: name === undefined ? undefined : sanitizeText(name),
    ...(block !== undefined && {
      created: {
        block: BigInt(block),
        ...(transaction !== undefined && { transaction: transaction as Hex }),
      },
    }),
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
