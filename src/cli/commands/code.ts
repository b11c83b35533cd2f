import { badInput, compareDeployedCode, comparisonToJson, isSameCode } from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import type { Outcome } from '../exitCode.ts';
import { createOperationDeps } from '../operationDeps.ts';

/**
 * Prints how deployed code equals the build of a contract, as one line.
 *
 * @returns whether it is the same code, except metadata and what a deployment fills in; 3 if it cannot be compared.
 * @throws AppError as `compareDeployedCode` does.
 */
export async function printCodeComparison(line: CommandLine, context: CliContext): Promise<Outcome> {
  const { output, signal } = context;
  const { subject, contract, block } = line;
  if (subject === undefined)
    throw badInput(
      'address',
      'The address is missing. Enter code ADDRESS, or the name of a deployment in DIR.',
    );
  const deps = createOperationDeps(line, context);
  const comparison = await compareDeployedCode({ address: subject, contract, block }, deps, { signal });
  const json = comparisonToJson(comparison);
  await output.printLines([json]);
  output.printMessage(`${json.contract} at ${json.address}: ${json.match}`);
  for (const reason of json.reasons) output.printMessage(`- ${reason}`);
  if (comparison.isOutdated) return 1;
  if (comparison.match === 'unknown' || !comparison.isBlockCertain) return 3;
  return isSameCode(comparison.match);
}
