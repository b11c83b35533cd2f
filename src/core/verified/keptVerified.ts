import * as z from 'zod/mini';
import type { KeptText } from '../base/keptText.ts';
import type { SourceLabel } from '../base/source.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { type Address, parseAddress } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import { plainText } from '../values/plainText.ts';
import type { AbiSource } from './firstVerified.ts';
import type { VerifiedContract, VerifiedSource } from './verifiedContract.ts';

/** Contracts that are kept; the oldest go first. An ABI has some 20,000 characters. */
const MOST_KEPT = 1_000;
/** Of one contract: an ABI of 24 KiB of code has some 100,000. */
const LONGEST_LINE = 512 * 1024;
const MOST_CHARACTERS = 32 * 1024 * 1024;
const LONGEST_ITEM = 16_384;

/** Verified contracts of all chains and services, from one start of the program to the next. */
export interface KeptVerified {
  /** `source`, which is asked only of what is not kept: for a chain. */
  of(source: VerifiedSource, chainId: number): AbiSource;
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
  abi: z.array(z.string().check(z.maxLength(LONGEST_ITEM))),
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
 * const kept = createKeptVerified({ text, slices });
 * const source = kept.of(sourcify, 1);
 */
export function createKeptVerified(deps: {
  readonly text: KeptText;
  readonly slices: TimeSlices;
}): KeptVerified {
  let lines: Promise<Map<string, string>> | undefined;
  let isChanged = false;
  let saving = Promise.resolve();

  async function load(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const text = await deps.text.load().catch(() => undefined);
    if (text === undefined || text.length > MOST_CHARACTERS) return found;
    for (let at = 0; at < text.length; ) {
      const next = text.indexOf('\n', at);
      const end = next === -1 ? text.length : next;
      const line = text.slice(at, end);
      // The key stands before the contract, so that this is read only when it is looked for.
      const gap = line.indexOf('\t');
      if (gap > 0 && line.length <= LONGEST_LINE && found.size < MOST_KEPT)
        found.set(line.slice(0, gap), line.slice(gap + 1));
      at = end + 1;
      if (deps.slices.isOver()) await deps.slices.rest();
    }
    return found;
  }

  async function keep(key: string, contract: VerifiedContract, chainId: number): Promise<void> {
    const line = toLine(contract, chainId);
    if (line === undefined || line.length > LONGEST_LINE) return;
    lines ??= load();
    const kept = await lines;
    kept.delete(key);
    kept.set(key, line);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    isChanged = true;
  }

  async function write(): Promise<void> {
    if (!isChanged || !lines) return;
    isChanged = false;
    const kept = await lines;
    let room = MOST_CHARACTERS;
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
    of: (source, chainId) => ({
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
    ...{ origin: source.origin, chainId, address, matchId, match, name, abi, readAt },
    ...{ block: created?.block.toString(), transaction: created?.transaction },
  });
}

function fromLine(
  line: string,
  asked: { readonly address: Address; readonly chainId: number; readonly source: SourceLabel },
): VerifiedContract | undefined {
  const { data } = Line.safeParse(parsed(line));
  const { address, chainId, source } = asked;
  if (data?.origin !== source.origin || data.chainId !== chainId) return undefined;
  if (parseAddress(data.address) !== address) return undefined;
  const { name, abi, match, matchId, readAt, block, transaction } = data;
  return {
    ...{ source, readAt, address, abi, match, matchId },
    name: name === undefined ? undefined : plainText(name),
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
