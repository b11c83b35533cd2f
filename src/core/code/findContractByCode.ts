import { parseAbiItem } from '../abi/item.ts';
import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import type { Hex } from '../eth/hex.ts';
import { hashData } from '../eth/keccak.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import { findBuild } from '../traces/findBuilds.ts';
import type { BuildReader } from '../traces/readBuilds.ts';
import { matchCode } from './matchCode.ts';
import type { PlacedCode } from './placedCode.ts';

/**
 * How code fits a build, immutable variables, libraries and metadata aside: `exact` with an equal hash of all sources,
 * `unknown` without a build.
 */
export type CodeFit = 'code' | 'different' | 'exact' | 'unknown';

/** Finds contracts by deployed code. Remembers what it has compared. */
export interface CodeFinder {
  match(contract: IndexedContract | undefined, placed: PlacedCode, options?: Abortable): Promise<CodeFit>;
  /** The contract with this code, of those whose functions it has; one with an equal hash of its sources first. */
  find(code: Hex, options?: Abortable): Promise<FoundContract | undefined>;
}

/** A contract, and others of the project with the same code: nothing says which one it is. */
export interface FoundContract {
  readonly contract: IndexedContract;
  readonly others: readonly IndexedContract[];
}

/** Builds that are read for one code. */
const MAX_CANDIDATES = 40;
/** Of the functions of a contract: a compiler may write some selectors in another way. */
const MIN_SHARE = 0.8;
/** A contract without functions has only a constructor or a fallback, as proxies have. */
const MAX_PLAIN_CODE_CHARS = 2 + 2 * 4 * 1024;

/** @example await createCodeFinder({ contracts, builds, clock }).find(code); */
export function createCodeFinder({
  contracts,
  builds,
  clock,
}: {
  readonly contracts: readonly IndexedContract[];
  readonly builds: BuildReader;
  readonly clock: Clock;
}): CodeFinder {
  const fits = new Map<IndexedContract, Map<string, CodeFit>>();
  const found = new Map<string, FoundContract | undefined>();
  const selectors = new Map<IndexedContract, readonly string[]>();
  const slices = createTimeSlices(clock);

  async function match(
    contract: IndexedContract | undefined,
    { code, address }: PlacedCode,
    options: Abortable = {},
  ): Promise<CodeFit> {
    if (contract?.artifact === undefined) return 'unknown';
    const known = fits.get(contract) ?? new Map<string, CodeFit>();
    fits.set(contract, known);
    // The code of a library has its own address.
    const key = `${address} ${hashData(code)}`;
    const before = known.get(key);
    if (before) return before;
    const runtime = (await builds.read(contract))?.runtime;
    const matched = runtime && runtime.digits !== '' ? matchCode(runtime, code, address) : undefined;
    const fit = !matched
      ? 'unknown'
      : !matched.isSame
        ? 'different'
        : matched.metadata === 'hash' && matched.embedded.length === 0
          ? 'exact'
          : 'code';
    known.set(key, fit);
    if (slices.isOver()) await slices.rest(options);
    return fit;
  }

  async function listCandidates(code: Hex, options: Abortable): Promise<readonly IndexedContract[]> {
    const isPlain = code.length <= MAX_PLAIN_CODE_CHARS;
    const pushed = listPushedSelectors(code);
    const scored: { readonly contract: IndexedContract; readonly count: number }[] = [];
    for (const contract of contracts) {
      if (contract.artifact === undefined) continue;
      const all = selectors.get(contract) ?? listSelectors(contract);
      selectors.set(contract, all);
      const count = all.filter((selector) => pushed.has(selector)).length;
      if (all.length === 0 ? isPlain : count >= all.length * MIN_SHARE) scored.push({ contract, count });
      if (slices.isOver()) await slices.rest(options);
    }
    const order = (a: (typeof scored)[number], b: (typeof scored)[number]) =>
      b.count - a.count || Number(b.contract.isOwn) - Number(a.contract.isOwn);
    return scored.sort(order).map(({ contract }) => contract);
  }

  return {
    match,
    async find(code, options = {}) {
      const key = hashData(code);
      if (!found.has(key)) {
        const candidates = (await listCandidates(code, options)).slice(0, MAX_CANDIDATES);
        const run = { kind: 'runtime', code, likely: [], function: undefined } as const;
        const build = await findBuild(run, { contracts: candidates, builds, slices, ...options });
        found.set(key, build && { contract: build.build.contract, others: build.others });
      }
      return found.get(key);
    },
  };
}

/**
 * The selectors of a contract's functions, as hex digits.
 *
 * @example listSelectors({ abi: ['function total() view returns (uint256)'] }) // ['2ddbd13a']
 */
export function listSelectors({ abi }: Pick<IndexedContract, 'abi'>): readonly string[] {
  return abi.flatMap((text) => {
    if (!text.startsWith('function ')) return [];
    const known = selectorCache.get(text) ?? parseSelector(text);
    if (selectorCache.size >= MAX_CACHED) selectorCache.clear();
    selectorCache.set(text, known);
    return known === '' ? [] : [known];
  });
}

/** Most contracts share most of their functions. */
const selectorCache = new Map<string, string>();
const MAX_CACHED = 50_000;

/** Hex digits; empty if the text is not a function. */
function parseSelector(text: string): string {
  const item = parseAbiItem(text);
  return item?.kind === 'function' ? item.selector.slice(2) : '';
}

/** The digits of what `PUSH4`, and `PUSH3` for a leading zero, push; in data between functions, some more. */
export function listPushedSelectors(code: Hex): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 2; at < code.length; ) {
    const operation = Number.parseInt(code.slice(at, at + 2), 16);
    const digits = operation >= 0x60 && operation <= 0x7f ? 2 * (operation - 0x5f) : 0;
    if (digits === 8 || digits === 6) found.add(code.slice(at + 2, at + 2 + digits).padStart(8, '0'));
    at += 2 + digits;
  }
  return found;
}
