import type { AbiItemText } from '../../abi/item.ts';
import { sanitizeText } from '../../base/text.ts';
import {
  type Address,
  type Hex,
  MAX_SAFE_BIGINT,
  parseAddress,
  parseHexData,
  parseQuantity,
} from '../../eth/hex.ts';

/** A contract that a file of the workspace knows. */
export interface ContractFacts {
  readonly name: string;
  /** Where it is declared, as the file says it: a path from the root of its project. Undefined where it does not say. */
  readonly source: string | undefined;
  /** The line of its declaration, from 1, where the file itself shows it. */
  readonly line: number | undefined;
  readonly abi: readonly AbiItemText[];
  /** The lines on which the items of `abi` are declared, from 1, where the file itself shows them: a source. */
  readonly itemLines: readonly number[] | undefined;
}

/** A contract at an address of a chain. */
export interface DeploymentFacts {
  /** Decimal. */
  readonly chainId: string;
  readonly address: Address;
  /** Name of the contract; undefined where the file does not say. */
  readonly contract: string | undefined;
  readonly block: bigint | undefined;
  readonly transaction: Hex | undefined;
  /** Of the repository, as the tool wrote it down. */
  readonly commit: string | undefined;
}

/** A name that a file gives to an address. */
export interface LabelFacts {
  readonly address: Address;
  readonly name: string;
  /** Decimal; undefined where it holds on every chain. */
  readonly chainId: string | undefined;
}

/** All that one file of the workspace tells. Plain data but for bigint: kept between sessions. */
export interface FileFacts {
  readonly contracts: readonly ContractFacts[];
  readonly deployments: readonly DeploymentFacts[];
  readonly labels: readonly LabelFacts[];
  /** What else it may tell and is not read, in one line, where a bound was met. */
  readonly truncation?: string;
}

/** What a file tells that tells nothing. */
export const emptyFacts: FileFacts = { contracts: [], deployments: [], labels: [] };

/** A deployment of which a file tells the place only. */
export function createDeployment(
  place: Pick<DeploymentFacts, 'chainId' | 'address' | 'contract'>,
): DeploymentFacts {
  return { ...place, block: undefined, transaction: undefined, commit: undefined };
}

/** A file of a project whose text is there. */
export interface FactsFile {
  /** From the root of the project, '/'-separated. */
  readonly path: string;
  readonly text: string;
  /** The text of the file that `getCompanionPath` names for it, where there is one. */
  readonly companion?: string | undefined;
}

/** The bounds of what is read of one file, and which of them were met. */
export interface ReadBounds {
  /** The first `most` of `items`, which are called `what`. */
  first<Item>(most: number, what: string, items: Iterable<Item>): Generator<Item, void>;
  /** Whether one more may be read where `count` have been. */
  allow(count: number, most: number, what: string): boolean;
  /** What is left out, in one line; nothing where no bound was met. */
  readonly summary: Pick<FileFacts, 'truncation'>;
}

export function createReadBounds(): ReadBounds {
  const met = new Set<string>();

  function allow(count: number, most: number, what: string): boolean {
    if (count < most) return true;
    met.add(`${most} ${what}`);
    return false;
  }

  return {
    allow,
    *first(most, what, items) {
      let count = 0;
      for (const item of items) {
        if (!allow(count++, most, what)) return;
        yield item;
      }
    },
    get summary() {
      return met.size === 0 ? {} : { truncation: `Only the first ${[...met].join(' and ')} are read.` };
    },
  };
}

/** Characters of a name from a file: the longest identifiers of real contracts have about 80. */
const MAX_NAME_CHARS = 128;
/** Characters of a path from a file. */
const MAX_SOURCE_PATH_CHARS = 512;

/** A name as a file has it, safe to show; undefined for what is no text, or an empty one. */
export function readName(value: unknown): string | undefined {
  return typeof value === 'string' ? sanitizeText(value, MAX_NAME_CHARS) || undefined : undefined;
}

/** The path of a source, '/'-separated; undefined for what is no text, an empty one, or longer than any path. */
export function readSourcePath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_SOURCE_PATH_CHARS) return undefined;
  return sanitizeText(value.replaceAll('\\', '/'), MAX_SOURCE_PATH_CHARS) || undefined;
}

/**
 * A chain id as decimal text, from a number, decimal digits or `0x` hex; undefined for zero, which no chain has, and for
 * what a number does not hold exactly.
 *
 * @example readChainId('0x1') // '1'
 */
export function readChainId(value: unknown): string | undefined {
  const id = readInteger(value);
  return id !== undefined && id > 0n && id <= MAX_SAFE_BIGINT ? id.toString() : undefined;
}

/** A block number, from a number, decimal digits or `0x` hex. */
export function readBlockNumber(value: unknown): bigint | undefined {
  const block = readInteger(value);
  return block !== undefined && block <= MAX_SAFE_BIGINT ? block : undefined;
}

export function readTransactionHash(value: unknown): Hex | undefined {
  return parseHexData(value, 32);
}

/** An address that is one of a contract: not the zero address, which stands for none. */
export function readContractAddress(value: unknown): Address | undefined {
  const address = parseAddress(value);
  return address === ZERO ? undefined : address;
}

/** A commit of git as a tool writes it, short or whole. */
export function readCommit(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{4,64}$/i.test(value) ? value.toLowerCase() : undefined;
}

function readInteger(value: unknown): bigint | undefined {
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) return BigInt(value);
  return typeof value === 'string' && !value.startsWith('0x') ? undefined : parseQuantity(value);
}

const ZERO: Address = `0x${'0'.repeat(40)}`;
