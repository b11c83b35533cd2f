import { type AppError, badInput, isAppError, toMessage } from '../base/errors.ts';
import { createMessage, foreign, type Message, sanitizeText } from '../base/text.ts';
import { isWrittenAddress, requireWrittenAddress } from '../eth/address.ts';
import { type Address, formatShortAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import {
  getContractPath,
  type IndexedContract,
  listMeantContracts,
  preferOwn,
} from '../project/index/joinContracts.ts';
import { parseReadBlock } from '../reads/readBlock.ts';
import { findAddressesByName, type NameOptions } from './namedAddresses.ts';
import { type ChosenName, createIndexKnowledge, toNameError } from './resolveQuery.ts';

/** What the project says of a chain to the checks in its files. */
export interface FileContext {
  readonly index: ContractIndex;
  readonly chainId: number;
  /** Names of the project only: those of one user mean nothing to others. */
  readonly resolveAddress: ResolveAddress;
  /** A name that means this address only. */
  readonly nameOf: (address: Address) => string | undefined;
  readonly options?: NameOptions;
  /** The names that were looked up, and are those of several deployments. */
  readonly chosen: ReadonlyMap<string, ChosenName>;
}

/** Finds the address that a text of a file means. @throws AppError `badInput` for `field`. */
export type ResolveAddress = (text: string, field: string) => Address;

/** @example createFileContext(index, 1).resolveAddress('Vault', 'code.address'); */
export function createFileContext(
  index: ContractIndex,
  chainId: number,
  options: NameOptions = {},
): FileContext {
  const knowledge = createIndexKnowledge(index, chainId, options);
  const { findAddressesByName, nameOf = () => undefined, chosen } = knowledge;
  return {
    index,
    chainId,
    nameOf,
    chosen,
    options,
    resolveAddress(text, field) {
      const name = text.trim();
      if (isWrittenAddress(name)) return requireWrittenAddress(name, field);
      const addresses = findAddressesByName(name);
      const [only, ...others] = addresses;
      if (only && others.length === 0) return only;
      throw toNameError({ field, name, count: addresses.length, addresses }, knowledge);
    },
  };
}

/** An address for people: its name if it has one, and then only the ends of the address. */
export function formatNamedAddress(address: Address, { nameOf }: Pick<FileContext, 'nameOf'>): string {
  const text = toChecksumAddress(address);
  const name = nameOf(address);
  return name === undefined ? text : `${sanitizeText(name, 80)} (${formatShortAddress(text)})`;
}

/** @throws AppError `badInput` for `field` if the block is none that `resolveReadBlock` reads. */
export function validateBlock(block: string | number, field: string): void {
  try {
    parseReadBlock(block);
  } catch (error) {
    throw isAppError(error, 'badInput') ? withField(error, field) : error;
  }
}

/**
 * The contract of the project that a file names: `Vault`, or with its path, `src/Vault.sol:Vault`, from the root of the
 * workspace or of its project.
 *
 * @throws AppError `badInput` for `field` if there is none, or several.
 * @example findNamedContract(index, 'src/Vault.sol:Vault', 'code.contract').name; // 'Vault'
 */
export function findNamedContract(
  index: Pick<ContractIndex, 'contractNamed'>,
  text: string,
  field: string,
): IndexedContract {
  const found = listMeantContracts(text, index.contractNamed);
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const reason = explainFound(found, text);
  throw badInput(field, only ? reason : { code: 'unknownName', ...reason });
}

/**
 * Why the text of a file means no contract of the project, or several; undefined if it means one.
 *
 * @param folder of the project that the file belongs to.
 * @example explainNamedContract(index, 'src/Vault.sol:Vault', '');
 */
export function explainNamedContract(
  index: Pick<ContractIndex, 'contractNamed'>,
  text: string,
  folder: string,
): Message | undefined {
  const found = listMeantContracts(text, index.contractNamed, folder);
  return found.length === 1 ? undefined : explainFound(found, text);
}

function explainFound(found: readonly IndexedContract[], text: string): Message {
  const shown = sanitizeText(text, 120);
  if (found.length === 0)
    return createMessage(
      'The project has no contract {0}. Build it, or write the name of another.',
      foreign(shown),
    );
  const choices = found.slice(0, MAX_SUGGESTED).map((one) => `${getContractPath(one)}:${one.name}`);
  return createMessage(
    'Several contracts are called {0}. Enter one of {1}.',
    foreign(shown),
    foreign(choices.join(', ')),
  );
}

const MAX_SUGGESTED = 5;

/**
 * The address of the only deployment of a contract on the chain, or of that of the newest run.
 *
 * @throws AppError `badInput` for `field` if there is none, or several.
 * @example findOnlyDeployment(contract, context, 'code.contract');
 */
export function findOnlyDeployment(
  contract: IndexedContract,
  { index, chainId, options }: Pick<FileContext, 'chainId' | 'index' | 'options'>,
  field: string,
): Address {
  const isOnlyOne = preferOwn(index.contractNamed(contract.name)).length === 1;
  const found = index.deployments.filter(
    (one) =>
      one.chainId === String(chainId) &&
      (one.contractType ?? one.contract) === contract.name &&
      (isOnlyOne || index.contractOf(one) === contract),
  );
  const exact = found.filter((one) => one.contract === contract.name);
  const entries = (exact.length > 0 ? exact : found).map(({ address, ...deployment }) => ({
    name: contract.name,
    address,
    deployment,
  }));
  const [only, ...others] = findAddressesByName(contract.name, entries, options);
  if (only && others.length === 0) return only;
  const template = only
    ? 'The project has several deployments of {0} on this chain. Enter the "address" of one.'
    : 'The project has no deployment of {0} on this chain. Enter its "address".';
  throw badInput(field, createMessage(template, foreign(contract.name)));
}

/** Runs functions one by one, and collects the mistakes of the file that they find. */
export function createErrorCollector(): {
  readonly errors: AppError[];
  collect<T>(run: () => T): T | undefined;
} {
  const errors: AppError[] = [];
  return {
    errors,
    collect(run) {
      try {
        return run();
      } catch (error) {
        if (!isAppError(error, 'badInput')) throw error;
        errors.push(error);
        return undefined;
      }
    },
  };
}

/** The same error at another field. */
export function withField(error: AppError, field: string): AppError {
  return badInput(field, toMessage(error));
}
