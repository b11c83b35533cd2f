import {
  type AbiItemText,
  badInput,
  type ChainClient,
  type ContractIndex,
  createTimeSlices,
  formatIsoTime,
  type IndexedContract,
  type IndexedDeployment,
  parseAbiItem,
  systemClock,
} from '../../core/index.ts';
import type { CliContext } from '../context.ts';
import { reconcileChainId } from '../endpoint.ts';
import { indexFolder, settleProject } from '../projectFolder.ts';

/**
 * Prints the contracts of the projects below a folder, then the records of deployments, one per line, then the files that
 * could not be read, or not as a whole, then how many. With a client, each record of its chain has its state.
 */
export async function printContracts(
  folder: string | undefined,
  { client, chainId }: { readonly client: ChainClient | undefined; readonly chainId: number | undefined },
  context: CliContext,
): Promise<void> {
  const started = systemClock.elapsed();
  const { index, skipped, skippedCount } = await indexFolder(folder, context);
  const ms = Math.round(systemClock.elapsed() - started);
  if (client && folder !== undefined) await settleChain({ index, folder }, { client, chainId }, context);
  const { contracts, deployments, deploymentRecords } = index;
  await printInSlices(contracts, (contract) => ({ contract: contractToJson(contract) }), context);
  await printInSlices(
    deploymentRecords,
    (deployment) => ({ deployment: deploymentToJson(deployment) }),
    context,
  );
  await printInSlices(skipped, ({ path, reason }) => ({ skipped: { file: path, reason } }), context);
  const counts = { contracts: contracts.length, deployments: deployments.length, skipped: skippedCount };
  await context.output.printLines([{ index: { ...counts, ms } }]);
}

/** @throws AppError if the endpoint does not report its chain ID, or its head. */
async function settleChain(
  project: { readonly index: ContractIndex; readonly folder: string },
  { client, chainId }: { readonly client: ChainClient; readonly chainId: number | undefined },
  context: CliContext,
): Promise<void> {
  const id = reconcileChainId(chainId, await client.getChainId(context));
  if (id === undefined)
    throw badInput('chain-id', 'The server does not report its chain ID. Set it with --chain-id N.');
  await settleProject(project, { client, chainId: id, most: MAX_CHECKED }, context);
}

/** Addresses; a project with more has lists of tokens. */
const MAX_CHECKED = 5_000;

/** Prints in time slices, so that Ctrl-C works in between. */
async function printInSlices<T>(
  values: readonly T[],
  toJson: (value: T) => unknown,
  { output, signal }: CliContext,
): Promise<void> {
  const slices = createTimeSlices(systemClock);
  let lines: unknown[] = [];
  for (const value of values) {
    lines.push(toJson(value));
    if (!slices.isOver()) continue;
    await output.printLines(lines);
    lines = [];
    await slices.rest({ signal });
  }
  await output.printLines(lines);
}

function getSignatures({ abi }: IndexedContract, kind: 'event' | 'error'): readonly string[] {
  return abi.filter((text) => text.startsWith(`${kind} `)).flatMap((text) => getSignature(text) ?? []);
}

/** Parsed signatures: most contracts share most of their items. */
const signatureCache = new Map<AbiItemText, string | undefined>();

function getSignature(text: AbiItemText): string | undefined {
  if (!signatureCache.has(text)) signatureCache.set(text, parseAbiItem(text)?.signature);
  return signatureCache.get(text);
}

function contractToJson(contract: IndexedContract) {
  const { name, source, line, artifact, abi } = contract;
  return {
    name,
    source: source ?? null,
    line: line ?? null,
    artifact: artifact ?? null,
    events: getSignatures(contract, 'event'),
    errors: getSignatures(contract, 'error'),
    functions: abi.filter((text) => text.startsWith('function ')).length,
  };
}

function deploymentToJson({
  chainId,
  address,
  contract,
  file,
  block,
  commit,
  transaction,
  time,
  state,
  runs,
}: IndexedDeployment) {
  return {
    chainId,
    address,
    contract: contract ?? null,
    file,
    block: block?.toString() ?? null,
    commit: commit ?? null,
    transaction: transaction ?? null,
    time: (time !== undefined && formatIsoTime(time)) || null,
    state: state ?? null,
    ...(runs && {
      runs: runs.map((run) => ({ implementation: run.implementation, contract: run.contract?.name ?? null })),
    }),
  };
}
