import {
  type AbiItemText,
  createTimeSlices,
  type IndexedContract,
  type IndexedDeployment,
  parseAbiItem,
  systemClock,
} from '../core/index.ts';
import { indexFolder } from './line/knownFolder.ts';
import { printLines } from './line/output.ts';

/** Prints what the projects below a folder tell: contracts, then deployments, one a line, then how many. */
export async function printContracts(
  folder: string | undefined,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  const started = systemClock.elapsed();
  const { index, skippedCount } = await indexFolder(folder, options);
  const ms = Math.round(systemClock.elapsed() - started);
  const { contracts, deployments } = index;
  await printInSlices(contracts, (contract) => ({ contract: contractLine(contract) }), options);
  await printInSlices(deployments, (deployment) => ({ deployment: deploymentLine(deployment) }), options);
  const counts = { contracts: contracts.length, deployments: deployments.length, skipped: skippedCount };
  await printLines([{ index: { ...counts, ms } }]);
}

/** Ctrl-C is heard between two slices. */
async function printInSlices<T>(
  values: readonly T[],
  lineOf: (value: T) => unknown,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  const slices = createTimeSlices(systemClock);
  let lines: unknown[] = [];
  for (const value of values) {
    lines.push(lineOf(value));
    if (!slices.isOver()) continue;
    await printLines(lines);
    lines = [];
    await slices.rest(options);
  }
  await printLines(lines);
}

/** How an item is written in what is printed; most contracts share most of theirs. */
const signatures = new Map<AbiItemText, string | undefined>();

function signaturesOf({ abi }: IndexedContract, kind: 'event' | 'error'): readonly string[] {
  return abi.filter((text) => text.startsWith(`${kind} `)).flatMap((text) => signatureOf(text) ?? []);
}

function signatureOf(text: AbiItemText): string | undefined {
  if (!signatures.has(text)) signatures.set(text, parseAbiItem(text)?.signature);
  return signatures.get(text);
}

function contractLine(contract: IndexedContract) {
  const { name, source, line, artifact, abi } = contract;
  return {
    ...{ name, source: source ?? null, line: line ?? null, artifact: artifact ?? null },
    events: signaturesOf(contract, 'event'),
    errors: signaturesOf(contract, 'error'),
    functions: abi.filter((text) => text.startsWith('function ')).length,
  };
}

function deploymentLine({ chainId, address, contract, file, block, commit, transaction }: IndexedDeployment) {
  return {
    ...{ chainId, address, contract: contract ?? null, file },
    ...{ block: block?.toString() ?? null, commit: commit ?? null, transaction: transaction ?? null },
  };
}
