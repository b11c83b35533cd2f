import type { EnumsByItem } from '../../abi/enums.ts';
import type { AbiItemText } from '../../abi/item.ts';
import { sanitizeName } from '../../base/names.ts';
import { sanitizeText } from '../../base/text.ts';
import {
  type Address,
  type Hex,
  MAX_SAFE_BIGINT,
  parseAddress,
  parseHexData,
  parseQuantity,
} from '../../eth/hex.ts';

export interface ContractFacts {
  readonly name: string;
  /** The path of its source as the file has it, relative to its project's root; undefined if the file has none. */
  readonly source: string | undefined;
  /** The line of its declaration, from 1; only in facts of a source. */
  readonly line: number | undefined;
  readonly abi: readonly AbiItemText[];
  /** The lines of the declarations in `abi`, from 1; only in facts of a source. */
  readonly itemLines: readonly number[] | undefined;
  /** Of the items that have any. */
  readonly enums?: EnumsByItem;
  /** Whether `abi` has the items of a proxy that runs the contract, too. */
  readonly isOfProxy?: boolean;
  /** Only in facts of a source: the ABI of a build lacks most functions of a library. */
  readonly isLibrary?: boolean;
}

export interface DeploymentFacts {
  /** Decimal. */
  readonly chainId: string;
  readonly address: Address;
  /** Name of the contract, or the deployment's own; undefined if the file has none. */
  readonly contract: string | undefined;
  /** Name of the contract, if the deployment has another: hardhat-deploy lets a script name each deployment. */
  readonly contractType?: string | undefined;
  readonly block: bigint | undefined;
  readonly transaction: Hex | undefined;
  /** The Git commit of the repository, as the tool wrote it. */
  readonly commit: string | undefined;
  /** When the tool deployed it, in milliseconds since the epoch; only if the file has it. */
  readonly time?: number | undefined;
  /** The contract as a person wrote it for this address, `Token` or `src/Token.sol:Token`; not of a tool. */
  readonly chosen?: string | undefined;
}

export interface LabelFacts {
  readonly address: Address;
  readonly name: string;
  /** Decimal; undefined if the name applies to every chain. */
  readonly chainId: string | undefined;
}

/** A unit that a team gives a field. */
export interface UnitFacts {
  /** `Vault.Deposited.amount`, `Vault.totalAssets` */
  readonly field: string;
  /** As `parseAmountUnit` reads it. */
  readonly unit: string;
}

/** Everything read from one file. Plain data except for bigint: stored between sessions. */
export interface FileFacts {
  readonly contracts: readonly ContractFacts[];
  readonly deployments: readonly DeploymentFacts[];
  readonly labels: readonly LabelFacts[];
  /** Only of a team's labels. */
  readonly units?: readonly UnitFacts[];
  /** Why not everything was read, in one line; set if a limit was reached. */
  readonly truncation?: string;
}

/** Facts of a file that may be large, read in the steps of a generator. */
export type FactsInSteps = Generator<void, FileFacts>;

export const emptyFacts: FileFacts = { contracts: [], deployments: [], labels: [] };

export function createDeployment(
  location: Pick<DeploymentFacts, 'chainId' | 'address' | 'contract'>,
): DeploymentFacts {
  return { ...location, block: undefined, transaction: undefined, commit: undefined };
}

export interface FactsFile {
  /** Relative to the project's root, '/'-separated. */
  readonly path: string;
  readonly text: string;
  /** The text of the file that `listCompanionPaths` returns for it, if there is one. */
  readonly companion?: string | undefined;
}

/** Limits what is read from one file, and records which limits were reached. */
export interface ReadBounds {
  /** The first `max` of `items`; `label` is their name in `summary`. */
  first<Item>(max: number, label: string, items: Iterable<Item>): Generator<Item, void>;
  /** Whether one more may be read after `count`. */
  allow(count: number, max: number, label: string): boolean;
  /** Which limits were reached, in one line; empty if none was. */
  readonly summary: Pick<FileFacts, 'truncation'>;
}

export function createReadBounds(): ReadBounds {
  const reached = new Set<string>();

  function allow(count: number, max: number, label: string): boolean {
    if (count < max) return true;
    reached.add(`${max} ${label}`);
    return false;
  }

  return {
    allow,
    *first(max, label, items) {
      let count = 0;
      for (const item of items) {
        if (!allow(count++, max, label)) return;
        yield item;
      }
    },
    get summary() {
      return reached.size === 0
        ? {}
        : { truncation: `Only the first ${[...reached].join(' and ')} are read.` };
    },
  };
}

/** The longest identifiers of real contracts have about 80. */
export const MAX_NAME_CHARS = 128;
const MAX_SOURCE_PATH_CHARS = 512;
const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`;

/** A name in a file, safe to show; undefined if it is not a string, empty, or looks like an address. */
export function readName(value: unknown): string | undefined {
  return typeof value === 'string' ? sanitizeName(value, MAX_NAME_CHARS) : undefined;
}

/** The path of a source, '/'-separated; undefined if it is not a string, empty or too long. */
export function readSourcePath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_SOURCE_PATH_CHARS) return undefined;
  return sanitizeText(value.replaceAll('\\', '/'), MAX_SOURCE_PATH_CHARS) || undefined;
}

/**
 * A chain ID as decimal text, from a number, decimal digits or `0x` hex; undefined for zero, which is not a chain ID, and
 * for numbers above 2^53 - 1.
 *
 * @example readChainId('0x1') // '1'
 */
export function readChainId(value: unknown): string | undefined {
  const id = readInteger(value);
  return id !== undefined && id > 0n && id <= MAX_SAFE_BIGINT ? id.toString() : undefined;
}

/** Reads a number, decimal digits or `0x` hex. */
export function readBlockNumber(value: unknown): bigint | undefined {
  const block = readInteger(value);
  return block !== undefined && block <= MAX_SAFE_BIGINT ? block : undefined;
}

export function readTransactionHash(value: unknown): Hex | undefined {
  return parseHexData(value, 32);
}

/** The address of a contract; undefined for the zero address, which means none. */
export function readContractAddress(value: unknown): Address | undefined {
  const address = parseAddress(value);
  return address === ZERO_ADDRESS ? undefined : address;
}

/** A Git commit hash, abbreviated or in full. */
export function readCommit(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{4,64}$/i.test(value) ? value.toLowerCase() : undefined;
}

/**
 * A time as tools write it: a date, or seconds or milliseconds since the epoch.
 *
 * @example readTime(1795948161) // 1795948161000
 */
export function readTime(value: unknown): number | undefined {
  const time =
    typeof value === 'string' && /^\d{4}-/.test(value) ? Date.parse(value) : Number(readInteger(value));
  if (!Number.isSafeInteger(time) || time <= 0) return undefined;
  return time < MAX_SECONDS ? time * 1000 : time;
}

/** In the year 5138; in milliseconds, it is in 1973. */
const MAX_SECONDS = 1e11;

function readInteger(value: unknown): bigint | undefined {
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) return BigInt(value);
  return typeof value === 'string' && !value.startsWith('0x') ? undefined : parseQuantity(value);
}
