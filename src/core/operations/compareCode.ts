import { badInput } from '../base/errors.ts';
import { decimal, ownWord } from '../base/ownText.ts';
import { createMessage, foreign, sanitizeText } from '../base/text.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import type { CodeComparison } from '../code/codeComparison.ts';
import { isSameCode } from '../code/codeJson.ts';
import { compareCode } from '../code/compareCode.ts';
import { type ContractAt, findContractAt } from '../code/findContract.ts';
import type { Address } from '../eth/hex.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import { getContractPath, type IndexedContract } from '../project/index/joinContracts.ts';
import { readWholeBlock } from '../reads/oneBlock.ts';
import { readAtBlock } from '../reads/readBlock.ts';
import { createBuildReader } from '../traces/readBuilds.ts';
import { splitReasons, untrustedText } from './agentText.ts';
import type { OperationDeps, OperationOptions } from './operation.ts';
import { createNameBook, findNearest, resolveAddress } from './resolveEvents.ts';
import { markUntrusted, type OperationResult, toCompletion, toOperationResult } from './result.ts';
import type { CompareCodeInput } from './tools.ts';

/** A comparison of deployed code, with names in place of addresses. */
export interface WrittenCodeComparison {
  readonly address: string;
  /** `Vault`, or `src/Vault.sol:Vault`; default: the contract that the project says is there, else that of the code. */
  readonly contract?: string | undefined;
  /** As `resolveReadBlock` reads it; default: the latest. */
  readonly block?: string | number | undefined;
}

export interface WrittenComparison extends CodeComparison {
  /** Whether the block is the one that was asked for. */
  readonly isBlockCertain: boolean;
}

/**
 * Compares the code of an address with the build of a contract of the project.
 *
 * @throws AppError `badInput` for `address`, `contract`, `block` or `dir`; otherwise as {@link compareCode} does.
 */
export async function compareDeployedCode(
  { address: text, contract: name, block: written = 'latest' }: WrittenCodeComparison,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<WrittenComparison> {
  const { client, clock } = deps;
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const { index, files } = knowledge;
  if (!index || !files)
    throw badInput('dir', 'The folder with the project is missing. Set it with --dir DIR.');
  const address = resolveAddress(text, createNameBook(knowledge, chainId), 'address');
  const named = name === undefined ? undefined : findContract(name, index);
  const builds = createBuildReader(files);
  const { contracts, deployments } = index;
  const compare = async (block: bigint) => {
    const found = named
      ? { contract: named, proxy: undefined, unlisted: 0 }
      : await findContractAt(
          { address, block },
          { client, index, chainId, builds, slices: createTimeSlices(clock) },
          options,
        );
    const contract = found.contract ?? found.proxy ?? failWithoutContract(address, found);
    const request = { address, block, contract };
    const compareDeps = { client, chainId, contracts, deployments, files, clock, builds };
    return { found, comparison: await compareCode(request, compareDeps, options) };
  };
  const {
    found,
    comparison: compared,
    reasons,
  } = await readAtBlock(
    { text: written, client, now: clock.now() },
    async ({ block, reasons }) => ({
      ...(await readWholeBlock({ block, client }, () => compare(block), options)),
      reasons,
    }),
    options,
  );
  const isBlockCertain = reasons.length === 0;
  const { implementation, implementations } = compared;
  // A named contract may be one facet of a diamond.
  const isOneOf =
    !named && implementation !== undefined && implementations.length > 1 && isSameCode(compared.match);
  const oneOf = isOneOf
    ? [
        createMessage(
          '{0} is compared, one of {1} implementations. Name another contract to compare the others.',
          implementation,
          implementations.length,
        ),
      ]
    : [];
  const comparison = { ...compared, reasons: [...reasons, ...compared.reasons, ...oneOf], isBlockCertain };
  if (found.contract || !found.proxy) return comparison;
  const reason = found.unlisted
    ? createMessage(
        'Only the proxy is compared: none of its listed facets is a contract of the project, and {0} more are not listed. Name the contract.',
        found.unlisted,
      )
    : createMessage(
        'Only the proxy is compared: the project has no contract with the code of its implementation. Name the contract.',
      );
  return { ...comparison, reasons: [...comparison.reasons, reason] };
}

/**
 * Finds a contract by its name, or by its source and name.
 *
 * @throws AppError `badInput` for `contract` if there is none, or several.
 * @example findContract('src/Vault.sol:Vault', index)
 */
export function findContract(text: string, index: ContractIndex): IndexedContract {
  const colon = text.lastIndexOf(':');
  const name = text.slice(colon + 1).trim();
  const source = colon < 0 ? undefined : text.slice(0, colon).trim();
  const all = index.contractNamed(name);
  const fits = (contract: IndexedContract) =>
    source === undefined || getContractPath(contract) === source || contract.artifact === source;
  const found = all.filter(fits);
  const own = found.filter(({ isOwn }) => isOwn);
  const [contract, ...others] = own.length > 0 ? own : found;
  if (contract && others.length === 0) return contract;
  if (contract) {
    const names = [contract, ...others].slice(0, MAX_SUGGESTIONS).map(formatContract);
    throw badInput(
      'contract',
      createMessage('{0} contracts have this name. Enter one of {1}.', others.length + 1, listNames(names)),
      { names },
    );
  }
  const near =
    all.length > 0
      ? all.map(formatContract)
      : findNearest(
          name,
          index.contracts.map((one) => one.name),
        );
  const names = near.slice(0, MAX_SUGGESTIONS).map((each) => sanitizeText(each, 200));
  const shown = foreign(text, 120);
  throw badInput(
    'contract',
    names.length === 0
      ? createMessage('The project has no contract {0}.', shown)
      : createMessage('The project has no contract {0}. Near it are {1}.', shown, listNames(names)),
    { names },
  );
}

const MAX_SUGGESTIONS = 6;

const listNames = (names: readonly string[]) => foreign(names.join(', '));

const formatContract = (contract: IndexedContract) =>
  sanitizeText(`${getContractPath(contract)}:${contract.name}`, 200);

function failWithoutContract(address: Address, { unlisted }: Pick<ContractAt, 'unlisted'>): never {
  throw badInput(
    'contract',
    unlisted
      ? createMessage(
          'None of the listed facets of {0} is a contract of the project, and {1} more are not listed. Name the contract.',
          address,
          unlisted,
        )
      : createMessage('The project has no contract with the code of {0}. Name the contract.', address),
  );
}

/** Compares deployed code for an agent. @throws AppError as {@link compareDeployedCode} does. */
export async function compareDeployedCodeForAgent(
  input: CompareCodeInput,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const comparison = await compareDeployedCode(input, deps, options);
  const { address, implementation, contract, block, match, isOutdated } = comparison;
  const { immutables, libraries, settings, difference, otherBuild, reasons, isBlockCertain } = comparison;
  const { reasons: own, notes } = splitReasons(reasons);
  return toOperationResult(deps, await deps.chainId(options), {
    ...toCompletion(match === 'unknown' || isOutdated || !isBlockCertain ? 'unknown' : true, own),
    found: {
      address,
      ...(implementation && { implementation }),
      contract: { name: untrustedText(contract.name), file: untrustedText(getContractPath(contract)) },
      block: decimal(block),
      match: ownWord(match),
      same: isSameCode(match),
      ...(isOutdated && { isOutdated: true }),
      ...(!isBlockCertain && { isBlockCertain: false }),
      notes,
      immutables: markUntrusted(immutables.slice(0, MAX_ITEMS)),
      libraries: markUntrusted(libraries.slice(0, MAX_ITEMS)),
      settings: markUntrusted(settings.slice(0, MAX_ITEMS)),
      ...(difference && { difference: markUntrusted(difference) }),
      ...(otherBuild && { otherBuild: markUntrusted(otherBuild) }),
    },
  });
}

const MAX_ITEMS = 50;
