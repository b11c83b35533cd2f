import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { hashText } from '../eth/keccak.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import { createImportResolver } from '../project/source/importResolver.ts';
import { type ContractViews, fetchContractViews } from '../reads/contractViews.ts';
import { type ReadDeps, readView } from '../reads/readContract.ts';

/** Names roles of a contract by their hashes. */
export type FindRoleNames = (
  request: { readonly address: Address; readonly roles: readonly Hex[]; readonly block: bigint },
  options: Abortable,
) => Promise<ReadonlyMap<Hex, string>>;

interface RoleNamesDeps extends ReadDeps {
  readonly contracts: readonly IndexedContract[];
  /** The text of a source file; undefined if it cannot be read. */
  readonly readSource?: ((file: string) => Promise<string | undefined>) | undefined;
}

const MAX_GETTERS = 60;
const MAX_SOURCES = 400;
/** `MINTER_ROLE`, `roleMinter`. */
const ROLE_NAME = /role/i;

/**
 * Finds names of roles: first the constants that the contract itself returns, such as `MINTER_ROLE()`, then those that
 * sources declare as a hash: of the code that runs at the address with what it imports, then of the projects.
 *
 * @example const names = await createRoleNames(reads)({ address, roles, block }, {});
 */
export function createRoleNames(deps: RoleNamesDeps): FindRoleNames {
  return async ({ address, roles, block }, options) => {
    const wanted = new Set(roles);
    const names = new Map<Hex, string>();
    const add = (hash: unknown, name: string) => {
      if (wanted.has(hash as Hex) && !names.has(hash as Hex)) names.set(hash as Hex, name);
    };
    const views = await fetchViews(address, block, deps, options);
    for (const [name, value] of views ? await fetchConstants(views, block, deps, options) : [])
      add(value, name);
    if (names.size === wanted.size) return names;
    const own = deps.contracts.filter(({ isOwn }) => isOwn);
    const running = new Set(views?.from);
    const sources = new Set([
      ...running,
      ...[...own, ...deps.contracts].flatMap(({ source }) => source ?? []),
    ]);
    const read = async (source: string) => {
      sources.delete(source);
      const text = (await deps.readSource?.(source).catch(() => undefined)) ?? '';
      for (const [name, hash] of findRoleConstants(text)) add(hash, name);
      return text;
    };
    // A set has what is added while it is iterated.
    for (const source of running) {
      const text = await read(source);
      if (names.size === wanted.size) return names;
      for (const imported of findImports(text, source)) if (running.size < MAX_SOURCES) running.add(imported);
    }
    for (const source of [...sources].slice(0, MAX_SOURCES)) {
      await read(source);
      if (names.size === wanted.size) break;
    }
    return names;
  };
}

/** Undefined if the node does not have the state. */
async function fetchViews(
  address: Address,
  block: bigint,
  deps: ReadDeps,
  options: Abortable,
): Promise<ContractViews | undefined> {
  try {
    return await fetchContractViews({ address, block }, deps, options);
  } catch (error) {
    if (!isAppError(error) || isAppError(error, 'aborted')) throw error;
    return undefined;
  }
}

/** What the getters of roles return, as far as the ABI is known. */
async function fetchConstants(
  { address, views }: ContractViews,
  block: bigint,
  deps: ReadDeps,
  options: Abortable,
): Promise<readonly (readonly [name: string, value: unknown])[]> {
  const getters = views
    .filter(({ name, inputs, outputs: [output, ...others] }) => {
      const isHash = output?.type.text === 'bytes32' || output?.type.kind === 'uint';
      return inputs.length === 0 && isHash && others.length === 0 && ROLE_NAME.test(name);
    })
    .slice(0, MAX_GETTERS);
  const values = getters.map(async (item) => {
    const { values } = await readView({ address, item, args: [], block }, deps, options);
    const [value] = values;
    return [
      item.name,
      typeof value === 'bigint' ? `0x${value.toString(16).padStart(64, '0')}` : value,
    ] as const;
  });
  return (await Promise.allSettled(values)).flatMap((settled) =>
    settled.status === 'fulfilled' ? [settled.value] : [],
  );
}

const IMPORT = /\b(?:import|from)\s{0,20}["']([^"'\n]{1,300})["']/g;
const resolveImport = createImportResolver({ remappings: [], libs: ['lib', 'node_modules'] });

/** Where the files may be that a Solidity source imports. */
function findImports(text: string, from: string): readonly string[] {
  return [...text.slice(0, MAX_SOURCE_CHARS).matchAll(IMPORT)].flatMap(([, path = '']) =>
    resolveImport(from, path),
  );
}

const MAX_SOURCE_CHARS = 1024 * 1024;
/** In one source. */
const MAX_CONSTANTS = 1_000;
/** `bytes32 private constant MINTER = `, then a hash, or the text that is hashed. */
const SOLIDITY_CONSTANT =
  /\bbytes32(?:\s{1,20}[a-z]{1,20}){1,4}\s{1,20}([\w$]{1,100})\s{0,20}=\s{0,20}(?:(0x[0-9a-fA-F]{64})\b|keccak256\(\s{0,20}(?:(?:bytes|abi\.encodePacked)\(\s{0,20})?(?:unicode)?["']([^"'\\\n]{1,200})["']\s{0,20}\))/g;
const VYPER_CONSTANT =
  /^(\w{1,100})\s{0,9}:[^=\n]{0,80}bytes32[^=\n]{0,20}=\s{0,20}(?:(0x[0-9a-fA-F]{64})\b|keccak256\(\s{0,20}b?["']([^"'\\\n]{1,200})["']\s{0,20}\))/gm;

/**
 * The first constants of a source that are a hash, or the hash of a text, with their hashes.
 *
 * @example findRoleConstants('bytes32 public constant MINTER = keccak256("MINTER_ROLE");')[0]?.[0] // 'MINTER'
 */
export function findRoleConstants(text: string): readonly (readonly [name: string, hash: Hex])[] {
  const source = text.slice(0, MAX_SOURCE_CHARS);
  const found: (readonly [name: string, hash: Hex])[] = [];
  for (const pattern of [SOLIDITY_CONSTANT, VYPER_CONSTANT])
    for (const [, name = '', hash, value = ''] of source.matchAll(pattern)) {
      if (found.length === MAX_CONSTANTS) return found;
      found.push([name, hash === undefined ? hashText(value) : (hash.toLowerCase() as Hex)]);
    }
  return found;
}
