import {
  type AbiItemText,
  createTimeSlices,
  type IndexedContract,
  type IndexedDeployment,
  parseAbiItem,
  systemClock,
} from '../../core/index.ts';
import type { CliContext } from '../context.ts';
import { indexFolder } from '../projectFolder.ts';

/** Prints the contracts, then the deployments of the projects below a folder, one a line, then how many. */
export async function printContracts(folder: string | undefined, context: CliContext): Promise<void> {
  const started = systemClock.elapsed();
  const { index, skippedCount } = await indexFolder(folder, context);
  const ms = Math.round(systemClock.elapsed() - started);
  const { contracts, deployments } = index;
  await printInSlices(contracts, (contract) => ({ contract: contractToJson(contract) }), context);
  await printInSlices(deployments, (deployment) => ({ deployment: deploymentToJson(deployment) }), context);
  const counts = { contracts: contracts.length, deployments: deployments.length, skipped: skippedCount };
  await context.output.printLines([{ index: { ...counts, ms } }]);
}

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
}: IndexedDeployment) {
  return {
    chainId,
    address,
    contract: contract ?? null,
    file,
    block: block?.toString() ?? null,
    commit: commit ?? null,
    transaction: transaction ?? null,
  };
}
