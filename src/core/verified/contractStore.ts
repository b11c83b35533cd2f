import * as z from 'zod/mini';
import type { TextStore } from '../base/expiringCache.ts';
import { sanitizeName } from '../base/names.ts';
import type { ProviderLabel } from '../base/provenance.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { type Address, type Hex, parseAddress } from '../eth/hex.ts';
import type { AbiProvider } from './fetchVerified.ts';
import type { VerifiedContract, VerifiedProvider } from './verifiedContract.ts';

/**
 * Stores contracts permanently, keyed by the ID of their verification, which is immutable. Proxies are not
 * stored because their implementation can change, nor are contracts without such an ID. Corrupt lines are
 * skipped.
 *
 * @param deps.slices the time slices in which the stored text is parsed.
 * @example
 * const store = createVerifiedContractStore({ text, slices });
 * const provider = store.wrap(sourcifyProvider, 1);
 */
export function createVerifiedContractStore(deps: {
  readonly text: TextStore;
  readonly slices: TimeSlices;
}): VerifiedContractStore {
  let lines: Promise<Map<string, string>> | undefined;
  let isChanged = false;
  let saving = Promise.resolve();

  async function load(): Promise<Map<string, string>> {
    const loaded = new Map<string, string>();
    const text = await deps.text.load().catch(() => undefined);
    if (text === undefined || text.length > MAX_STORED_CHARS) return loaded;
    for (let at = 0; at < text.length; ) {
      const next = text.indexOf('\n', at);
      const end = next === -1 ? text.length : next;
      const line = text.slice(at, end);
      // The key precedes the contract, so that a contract is only parsed when it is requested.
      const tab = line.indexOf('\t');
      if (tab > 0 && line.length <= MAX_LINE_CHARS && loaded.size < MAX_STORED_CONTRACTS)
        loaded.set(line.slice(0, tab), line.slice(tab + 1));
      at = end + 1;
      if (deps.slices.isOver()) await deps.slices.rest();
    }
    return loaded;
  }

  async function store(key: string, contract: VerifiedContract, chainId: number): Promise<void> {
    const line = formatLine(contract, chainId);
    if (line === undefined || line.length > MAX_LINE_CHARS) return;
    lines ??= load();
    const stored = await lines;
    stored.delete(key);
    stored.set(key, line);
    for (const oldest of stored.keys()) {
      if (stored.size <= MAX_STORED_CONTRACTS) break;
      stored.delete(oldest);
    }
    isChanged = true;
  }

  async function write(): Promise<void> {
    if (!isChanged || !lines) return;
    isChanged = false;
    const stored = await lines;
    let remaining = MAX_STORED_CHARS;
    const newestFirst = [...stored].reverse().flatMap(([key, line]) => {
      remaining -= key.length + line.length + 2;
      return remaining >= 0 ? [`${key}\t${line}\n`] : [];
    });
    try {
      await deps.text.save(newestFirst.reverse().join(''));
    } catch (error) {
      isChanged = true;
      throw error;
    }
  }

  return {
    wrap: (provider, chainId) => ({
      proxyAt: provider.proxyAt,
      async verifiedContract(address, options) {
        const key = `${provider.label.origin} ${chainId} ${address}`;
        lines ??= load();
        const line = (await lines).get(key);
        const stored =
          line && !options?.fresh ? parseLine(line, { address, chainId, source: provider.label }) : undefined;
        if (stored) return stored;
        const contract = await provider.verifiedContract(address, options);
        if (contract) await store(key, contract, chainId);
        return contract;
      },
    }),
    save() {
      // Sequential, so that the newest state is written last.
      const saved = saving.then(write);
      saving = saved.catch(() => undefined);
      return saved;
    },
    clear() {
      lines = Promise.resolve(new Map());
      isChanged = false;
      // Waits for a save that has begun, which would restore them.
      const cleared = saving.then(() => deps.text.save(''));
      saving = cleared.catch(() => undefined);
      return cleared;
    },
  };
}

/** Stores verified contracts of all chains and providers between sessions. */
export interface VerifiedContractStore {
  /** Requests only contracts that are not stored. */
  wrap(provider: VerifiedProvider, chainId: number): AbiProvider;
  /** Writes what has been added since the last call. @throws the store's error; the next call tries again. */
  save(): Promise<void>;
  clear(): Promise<void>;
}

/** Beyond this, the oldest are evicted. An ABI has about 20,000 characters. */
const MAX_STORED_CONTRACTS = 1_000;
/** The ABI of 24 KiB of code has about 100,000. */
const MAX_LINE_CHARS = 512 * 1024;
const MAX_STORED_CHARS = 32 * 1024 * 1024;
const MAX_STORED_ITEM_CHARS = 16_384;

const StoredContract = z.object({
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

function formatLine(contract: VerifiedContract, chainId: number): string | undefined {
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

function parseLine(
  line: string,
  expected: { readonly address: Address; readonly chainId: number; readonly source: ProviderLabel },
): VerifiedContract | undefined {
  const { data } = StoredContract.safeParse(parseJson(line));
  const { address, chainId, source } = expected;
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
    name: name === undefined ? undefined : sanitizeName(name),
    ...(block !== undefined && {
      created: {
        block: BigInt(block),
        ...(transaction !== undefined && { transaction: transaction as Hex }),
      },
    }),
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
