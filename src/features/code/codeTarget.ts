import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type Address,
  badInput,
  type ContractAt,
  type ContractIndex,
  createBuildReader,
  createTimeSlices,
  findContractAt,
  type IndexedContract,
  type IndexedDeployment,
  isAppError,
  requireAddress,
  systemClock,
} from '../../core/index.ts';
import type { CodeTarget } from '../../host/code/codeVerdicts.ts';
import { listContractChoices, readRunCode } from '../../host/code/contractChoices.ts';
import { createDeploymentComparator } from '../../host/contracts/knownEvents.ts';
import {
  type CheckedDeploymentDeps,
  type ChosenDeployments,
  checkDeployments,
  parseDeploymentChoice,
  pickDeployment,
} from '../../host/contracts/queryDeployment.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { parseChainId } from '../../host/names/addressName.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import { askForAddress } from '../../host/names/addressPicker.ts';
import { parseRowArgument } from '../../host/rowArguments.ts';
import { askOnNetwork, confirmChainSwitch } from '../../host/session/chains.ts';
import { pickOne } from '../../host/ui/dialogs.ts';

interface TargetDeps extends CheckedDeploymentDeps {
  readonly contracts: WorkspaceContracts;
  readonly names: () => Promise<AddressNames>;
}

const MAX_TEXT_CHARS = 1_000;
const text = z.string().check(z.maxLength(MAX_TEXT_CHARS));

/** The contract of an address, by a link of the document. */
const Chosen = z.object({
  ...{ address: text, contract: text },
  ...{ source: z.optional(text), artifact: z.optional(text) },
});

/** A row of the Contracts view. */
const ContractRow = z.object({
  kind: z.enum(['contract', 'deployment']),
  indexed: z.object({ name: text, source: z.optional(text), artifact: z.optional(text) }),
});
type ListedContract = z.infer<typeof ContractRow>['indexed'];

/**
 * The contract and the address to compare, from the argument of the command; the user chooses what it does not say.
 * Undefined if they cancel.
 *
 * @throws AppError `badInput` for another argument.
 */
export async function resolveTarget(
  argument: unknown,
  deps: TargetDeps,
): Promise<ResolvedTarget | undefined> {
  const index = await deps.contracts.index();
  const given = argument instanceof vscode.Uri ? undefined : argument;
  const choice = parseDeploymentChoice(given);
  if (choice) return chooseDeployment(choice, index, deps);
  const chosen = Chosen.safeParse(given).data;
  const named = chosen && findContract(index, { ...chosen, name: chosen.contract });
  if (chosen && named) return { address: requireAddress(chosen.address), contract: named };
  const { kind, indexed } = ContractRow.safeParse(given).data ?? {};
  const contract = indexed && findContract(index, indexed);
  if (contract && kind === 'contract') return chooseAddress(contract, index, deps);
  const row = typeof given === 'string' ? undefined : parseRowArgument(given);
  const address = typeof given === 'string' ? requireAddress(given) : (row?.contract ?? row?.account);
  if (address) {
    const chainId = row?.chainId ?? deps.session.network.chainId;
    const name = row?.contractName;
    const called = name === undefined ? undefined : findContract(index, { name });
    const expected = indexed ? (contract ?? toMissingContract(indexed)) : called;
    return chooseContractAt({ address, chainId, expected }, index, deps);
  }
  if (given !== undefined && given !== null && !row) throw badInput('contract', 'Expected an address.');
  const picked = await pickContract(index, deps, findShownContracts(index, deps.contracts));
  return picked && chooseAddress(picked, index, deps);
}

/** What is compared, and the contract of the proxy that was meant by its address. */
export interface ResolvedTarget extends CodeTarget {
  readonly proxy?: IndexedContract | undefined;
}

/** The contract of the index with the name and the path. */
export function findContract(
  index: ContractIndex,
  { name, source, artifact }: ListedContract,
): IndexedContract | undefined {
  const named = index.contractNamed(name);
  return (
    named.find((one) => source !== undefined && one.source === source) ??
    named.find((one) => source === undefined && one.artifact === artifact) ??
    (named.length === 1 ? named[0] : undefined)
  );
}

/** A contract whose files are gone, as while a build writes them. */
function toMissingContract({ name, source, artifact }: ListedContract): IndexedContract {
  return { ...{ name, source, artifact, line: undefined, project: '' }, abi: [], itemLines: [], isOwn: true };
}

async function chooseDeployment(
  { name, source, deployments }: ChosenDeployments,
  index: ContractIndex,
  deps: TargetDeps,
): Promise<ResolvedTarget | undefined> {
  const found = await checkDeployments(deployments, deps);
  const picked = await pickDeployment(found, vscode.l10n.t('Deployments of {0}', name), deps);
  const expected = findContract(index, { name, source });
  return picked && chooseContractAt({ ...picked, expected }, index, deps);
}

interface ChosenAddress {
  readonly address: Address;
  readonly chainId: number;
  /** The contract that a row or a lens lists it under. A build may replace what led to it. */
  readonly expected: IndexedContract | undefined;
}

/**
 * The contract that the workspace says is there, of a proxy its implementation; else the expected one, or one that the user
 * picks.
 */
async function chooseContractAt(
  { address, chainId, expected }: ChosenAddress,
  index: ContractIndex,
  deps: TargetDeps,
): Promise<ResolvedTarget | undefined> {
  if (chainId === deps.session.network.chainId) await deps.checkDeployments([address]);
  const [deployment] = index.deploymentsAt(address, chainId);
  const known = (deployment && index.contractOf(deployment)) ?? expected;
  if (!(await confirmChainSwitch(deps, chainId, known?.name ?? address))) return undefined;
  const { contract: found, proxy } = known
    ? await findBehind(address, known, { chainId, index, deps })
    : { contract: undefined, proxy: undefined };
  const contract = found ?? expected ?? (await pickContract(index, deps, [], address));
  return contract && { address, contract, proxy };
}

/** The known contract, or that of the implementation if it is the one of a proxy; undefined if that is unknown. */
async function findBehind(
  address: Address,
  known: IndexedContract,
  { chainId, index, deps }: { chainId: number; index: ContractIndex; deps: TargetDeps },
): Promise<ContractAt> {
  const { client, signal } = deps.session.connection;
  const { files } = deps.contracts;
  const own = { contract: known, proxy: undefined };
  if (!files || known.artifact === undefined) return own;
  try {
    const block = await client.getBlockNumber({ signal });
    const builds = createBuildReader(files);
    const slices = createTimeSlices(systemClock);
    return await findContractAt({ address, block }, { client, index, chainId, builds, slices }, { signal });
  } catch (error) {
    // The comparison itself reports it.
    if (!isAppError(error)) throw error;
    return own;
  }
}

/** A deployment of the contract on a chain, else an address that the user enters. */
async function chooseAddress(
  contract: IndexedContract,
  index: ContractIndex,
  deps: TargetDeps,
): Promise<CodeTarget | undefined> {
  const { name } = contract;
  const active = deps.session.network.chainId;
  const isItsOwn = (one: IndexedDeployment) => index.contractOf(one) === contract;
  const here = index.deployments.filter((one) => parseChainId(one.chainId) === active && isItsOwn(one));
  await deps.checkDeployments(here.map(({ address }) => address));
  const deployments = index.deployments
    .filter((one) => isItsOwn(one) && parseChainId(one.chainId) !== undefined)
    .sort(createDeploymentComparator(active));
  const title = vscode.l10n.t('Compare {0} with Deployed Code', name);
  if (deployments.length > 0) {
    const choices = deployments.flatMap(({ address, chainId, block, file, time }) => {
      const id = parseChainId(chainId);
      return id === undefined ? [] : { address, chainId: id, contractName: name, block, file, time };
    });
    const onChain = choices.filter(({ chainId }) => chainId === active);
    const picked = await pickDeployment(onChain.length > 0 ? onChain : choices, title, deps);
    if (!picked || !(await confirmChainSwitch(deps, picked.chainId, name))) return undefined;
    return { address: picked.address, contract };
  }
  const names = await deps.names();
  const prompt = vscode.l10n.t('Address of the contract or its proxy');
  const address = await askOnNetwork(deps, () =>
    askForAddress(title, prompt, { names, chainId: deps.session.network.chainId }),
  );
  return address && { address, contract };
}

/** Those that the document in front declares. */
function findShownContracts(index: ContractIndex, contracts: WorkspaceContracts): readonly IndexedContract[] {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const path = uri && contracts.pathOf(uri);
  return path === undefined ? [] : index.contracts.filter(({ source }) => source === path);
}

/** Contracts with a build; those that fit come first: of the open document, or with the selectors of the code. */
async function pickContract(
  index: ContractIndex,
  deps: TargetDeps,
  first: readonly IndexedContract[],
  address?: Address,
): Promise<IndexedContract | undefined> {
  const built = index.contracts.filter(({ artifact, abi }) => artifact !== undefined && abi.length > 0);
  const shown = first.filter((contract) => built.includes(contract));
  if (shown.length === 1) return shown[0];
  const list = async () => {
    const code = address && (await readRunCode(address, deps.session.connection));
    return listContractChoices(built, { first: shown, code });
  };
  const picked = await pickOne(await list(), {
    title: vscode.l10n.t('Compare with Deployed Code'),
    placeHolder: vscode.l10n.t('Choose the contract that should be there'),
    matchOnDescription: true,
  });
  return picked?.contract;
}
