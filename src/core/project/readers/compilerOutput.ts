import { formatUnread, readAnyAbi } from './anyAbi.ts';
import {
  type ContractFacts,
  createReadBounds,
  emptyFacts,
  type FileFacts,
  readName,
  readSourcePath,
} from './facts.ts';
import { findMember, isObjectAt, type JsonSpan, parseSpan, scanMembers } from './jsonScan.ts';

/** Per file; the largest projects have some thousand. */
const MAX_CONTRACTS = 10_000;
/** `output` of a build, or the units of crytic-compile, around `contracts`. */
const MAX_DEPTH = 3;
/** The member with an ABI: solc-js before 0.5 calls it `interface`, Etherscan `ABI`. */
export const ABI_NAMES: ReadonlySet<string> = new Set(['abi', 'ABI', 'interface']);
const SOURCE_NAME = /\.(?:sol|vyi?|vyper|yul)$/i;

/**
 * Reads contracts from the output of a compiler: standard JSON and combined JSON of solc and Vyper, what crytic-compile
 * exports, the output in a build of Hardhat or Foundry, and the manifest of Ape. Empty for any other object.
 *
 * - https://docs.soliditylang.org/en/latest/using-the-compiler.html#output-description
 * - https://github.com/ethpm/ethpm-spec
 *
 * @throws AppError `badInput` if the text is not an object or ends too early.
 */
export function readCompilerOutput(text: string): FileFacts {
  const bounds = createReadBounds();
  const contracts: ContractFacts[] = [];
  let unread = 0;
  for (const found of listContracts(text, 0)) {
    if (!bounds.allow(contracts.length, MAX_CONTRACTS, 'contracts')) break;
    const read = toContract(text, found);
    unread += read?.unread ?? 0;
    if (read?.contract) contracts.push(read.contract);
  }
  return { ...emptyFacts, contracts, ...formatUnread(unread), ...bounds.summary };
}

interface FoundContract {
  readonly name: string;
  readonly source: string | undefined;
  /** The object of the contract. */
  readonly at: number;
}

function* listContracts(text: string, at: number, depth = 0): Generator<FoundContract, void> {
  if (depth > MAX_DEPTH || !isObjectAt(text, at)) return;
  for (const { name, from } of scanMembers(text, at)) {
    if (!isObjectAt(text, from)) continue;
    if (name === 'contracts') yield* listBySource(text, from);
    else if (name === 'contractTypes') {
      for (const member of scanMembers(text, from)) {
        yield { name: member.name, source: undefined, at: member.from };
      }
    } else if (name === 'output') yield* listContracts(text, from, depth + 1);
    else if (name === 'compilation_units') {
      for (const unit of scanMembers(text, from)) yield* listContracts(text, unit.from, depth + 1);
    } else if (SOURCE_NAME.test(name)) yield { name: getNameOfSource(name), source: name, at: from };
    // Written by hand: `{"Pay": {"abi": […]}}`.
    else if (depth === 0 && /^[A-Z]/.test(name)) yield { name, source: undefined, at: from };
  }
}

/** `"src/Pay.sol:Pay": {…}` of combined JSON, or `"src/Pay.sol": {"Pay": {…}}` of standard JSON. */
function* listBySource(text: string, at: number): Generator<FoundContract, void> {
  for (const { name: key, from } of scanMembers(text, at)) {
    if (!isObjectAt(text, from)) continue;
    const colon = key.lastIndexOf(':');
    // solc-js before 0.5 has `:Pay` for a text without a path.
    if (colon >= 0 && !SOURCE_NAME.test(key)) {
      yield { name: key.slice(colon + 1), source: key.slice(0, colon) || undefined, at: from };
    } else if (SOURCE_NAME.test(key)) {
      for (const member of scanMembers(text, from)) yield { name: member.name, source: key, at: member.from };
    }
  }
}

/** `PUSH20 0; ADDRESS`: solc puts the address of a library at its start when it is deployed. */
const LIBRARY_CODE = /^"(?:0x)?730{40}30/;
const CODE_PATHS: ReadonlyMap<string, readonly string[]> = new Map([
  ['bin-runtime', []],
  ['deployedBytecode', ['object']],
  ['evm', ['deployedBytecode', 'object']],
]);

/**
 * Whether a member of a compiled contract is the deployed code of a library, or has it.
 *
 * @example if (isLibraryCode(text, { name: 'deployedBytecode', from, to })) parts.isLibrary = true;
 */
export function isLibraryCode(text: string, { name, from }: JsonSpan & { readonly name: string }): boolean {
  const path = CODE_PATHS.get(name);
  if (!path) return false;
  let at: number | undefined = from;
  for (const step of path) if (at !== undefined && isObjectAt(text, at)) at = findMember(text, at, step);
  return at !== undefined && LIBRARY_CODE.test(text.slice(at, at + 60));
}

/** Vyper has one contract in a file, named like the file. */
function getNameOfSource(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(SOURCE_NAME, '');
}

function toContract(
  text: string,
  { name, source, at }: FoundContract,
): { readonly contract: ContractFacts | undefined; readonly unread: number } | undefined {
  if (!isObjectAt(text, at)) return undefined;
  let abi: JsonSpan | undefined;
  let isLibrary: true | undefined;
  const written: { contractName?: unknown; sourceId?: unknown } = {};
  for (const member of scanMembers(text, at)) {
    // Its chain is known to those who read maps of addresses.
    if (member.name === 'address') return undefined;
    if (ABI_NAMES.has(member.name)) abi = member;
    if (isLibraryCode(text, member)) isLibrary = true;
    if (member.name === 'contractName' || member.name === 'sourceId') {
      written[member.name] = parseSpan(text, member);
    }
  }
  const { facts: read, unread } = readAnyAbi(abi && parseSpan(text, abi), { isLibrary });
  const contractName = readName(written.contractName) ?? readName(name);
  if (read.abi.length === 0 || contractName === undefined) return { contract: undefined, unread };
  const path = readSourcePath(written.sourceId ?? source)?.replace(/^project:\//, '');
  const isRelative = path !== undefined && !/^(?:\/|[A-Za-z]:\/|<)/.test(path);
  const place = { source: isRelative ? path : undefined, line: undefined, itemLines: undefined };
  return { contract: { name: contractName, ...place, ...read }, unread };
}
