import { createMessage, foreign, type Message, sanitizeText } from '../base/text.ts';
import { pushAll } from '../base/values.ts';
import type { Address } from '../eth/hex.ts';
import { hashText } from '../eth/keccak.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import type { ContractBuild } from '../traces/readBuilds.ts';
import type { MatchedCode } from './matchCode.ts';
import { type CompareContext, matchPlaced, type PlacedCode } from './placedCode.ts';

/** What the code at the addresses of linked libraries is. */
export interface LinkedLibraries {
  /** Libraries with other code than their build, or with none. */
  readonly differing: readonly Message[];
  /** Libraries that are not compared. */
  readonly unknown: readonly Message[];
}

/** Of one contract, with the libraries that its libraries are linked to. */
const MAX_LIBRARIES = 50;
const MAX_NAME_CHARS = 100;

/**
 * Compares the code at each address that a library was linked to with the build of the library, and so on for the
 * libraries of libraries.
 *
 * @throws AppError of any network kind; the reason of the signal when it aborts.
 * @example const { differing } = await compareLibraries(build, matched, context);
 */
export async function compareLibraries(
  build: ContractBuild,
  matched: MatchedCode,
  context: CompareContext,
): Promise<LinkedLibraries> {
  const { deps, builds, slices, options } = context;
  const differing: Message[] = [];
  const unknown: Message[] = [];
  const seen = new Set<string>();
  const pending = listLibraries(build, matched);

  async function compareOne({ id, address, project }: LinkedLibrary): Promise<void> {
    const name = getLibraryName(id);
    const placed = await context.fetchCode(address);
    if (placed.code === '0x') {
      differing.push(
        createMessage('There is no code at {1}, the address of the library {0}.', foreign(name), address),
      );
      return;
    }
    const known = await readLibraries(id, project);
    if (known.length === 0) {
      unknown.push(
        createMessage(
          'The code of the library {0} at {1} is not compared: the project has no build of it.',
          foreign(name),
          address,
        ),
      );
      return;
    }
    for (const library of known) {
      const inner = await matchPlaced(placed, library, context);
      if (!inner.isSame) continue;
      pushAll(pending, listLibraries(library, inner));
      return;
    }
    const other = await findOther(placed, id, project);
    differing.push(
      other === undefined
        ? createMessage(
            'The code of the library {0} at {1} does not equal its build.',
            foreign(name),
            address,
          )
        : createMessage(
            'The code of the library {0} at {1} belongs to {2}.',
            foreign(name),
            address,
            foreign(other),
          ),
    );
  }

  /** The builds that an ID may mean, found by its source, or else by its name. */
  async function readLibraries(id: string, project: string): Promise<readonly ContractBuild[]> {
    const inProject = deps.contracts.filter(
      (contract) => contract.project === project && contract.artifact !== undefined,
    );
    const exact = inProject.filter((contract) => isNamedBy(contract, id));
    const named = exact.length > 0 ? exact : inProject.filter(({ name }) => name === getLibraryName(id));
    const found: ContractBuild[] = [];
    for (const contract of named.slice(0, MAX_LIBRARIES)) {
      const library = await builds.read(contract);
      if (library && library.runtime.digits !== '') found.push(library);
    }
    return found;
  }

  /** The library of the contract that is at the address of another one. */
  async function findOther(placed: PlacedCode, id: string, project: string): Promise<string | undefined> {
    for (const other of listLibraries(build, matched)) {
      for (const library of other.id === id ? [] : await readLibraries(other.id, project)) {
        if ((await matchPlaced(placed, library, context)).isSame) return getLibraryName(other.id);
      }
    }
    return undefined;
  }

  // Libraries of libraries are added meanwhile.
  for (const library of pending) {
    const key = `${library.id}\n${library.address}`;
    if (seen.has(key)) continue;
    if (seen.size === MAX_LIBRARIES) {
      unknown.push(createMessage('Only {0} linked libraries are compared.', MAX_LIBRARIES));
      break;
    }
    seen.add(key);
    await compareOne(library);
    if (slices.isOver()) await slices.rest(options);
  }
  return { differing, unknown };
}

interface LinkedLibrary {
  readonly id: string;
  readonly address: Address;
  readonly project: string;
}

function listLibraries({ contract: { project } }: ContractBuild, { filled }: MatchedCode): LinkedLibrary[] {
  return filled.flatMap(({ kind, id, value }) =>
    kind === 'library' ? [{ id, address: value, project }] : [],
  );
}

/**
 * The name of a library, by the ID of its places.
 *
 * @example getLibraryName('src/Math.sol:Math') // 'Math'
 */
export function getLibraryName(id: string): string {
  return sanitizeText(id.slice(id.lastIndexOf(':') + 1), MAX_NAME_CHARS);
}

/**
 * Whether an ID is of a contract: `src/Math.sol:Math`, cut after 36 characters before solc 0.5, since then `$` and the start
 * of its hash, where a file has no references.
 */
function isNamedBy({ name, source, project }: IndexedContract, id: string): boolean {
  if (source === undefined) return false;
  const path = `${project === '' ? source : source.slice(project.length + 1)}:${name}`;
  // Hardhat 3 compiles `project/contracts/Math.sol`.
  return [path, `project/${path}`].some(
    (each) =>
      each === id ||
      each.slice(0, MAX_ID_CHARS) === id ||
      id === `$${hashText(each).slice(2, 2 + HASH_DIGITS)}$`,
  );
}

const MAX_ID_CHARS = 36;
const HASH_DIGITS = 34;
