import {
  badInput,
  compareDeployedCode,
  comparisonToJson,
  type HttpDeps,
  isSameCode,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import { createOperationDeps, readOwnVersion } from '../operationDeps.ts';
import { printLines, printMessage } from '../output.ts';

/**
 * Prints how deployed code equals the build of a contract, as one line.
 *
 * @returns whether it is the same code, but for metadata and what a deployment fills in.
 * @throws AppError as `compareDeployedCode` does.
 */
export async function printCodeComparison(
  line: CommandLine,
  http: HttpDeps,
  { signal }: { readonly signal: AbortSignal },
): Promise<boolean> {
  const { subject, contract, block } = line;
  if (subject === undefined)
    throw badInput(
      'address',
      'The address is missing. Write code ADDRESS, or the name of a deployment in DIR.',
    );
  const deps = createOperationDeps({ line, http, files: undefined, signal, version: await readOwnVersion() });
  const comparison = await compareDeployedCode({ address: subject, contract, block }, deps, { signal });
  const json = comparisonToJson(comparison);
  await printLines([json]);
  printMessage(`${json.contract} at ${json.address}: ${json.match}`);
  for (const reason of json.reasons) printMessage(`- ${reason}`);
  return isSameCode(comparison.match);
}
