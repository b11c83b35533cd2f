import {
  badInput,
  describeConfirmation,
  fetchWrittenState,
  formatMessage,
  formatQuantity,
  type StateKind,
  sanitizeText,
  stateRowToJson,
  stateVerdictToJson,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import { createOperationDeps } from '../operationDeps.ts';
import { isProvenEnough, printProof } from '../proof.ts';

const KINDS: readonly StateKind[] = ['holders', 'roles', 'allowances'];

/**
 * Prints state that is rebuilt from logs, one row a line, then its verdict.
 *
 * @returns whether no proof contradicts it, and the logs are proven if they must be.
 * @throws AppError as `fetchWrittenState` does; `badInput` for `kind` and `address`.
 */
export async function printState(line: CommandLine, context: CliContext): Promise<boolean> {
  const { output, signal } = context;
  const { subject = '', stateOf, block, pages } = line;
  const kind = KINDS.find((one) => one === subject);
  if (kind === undefined) {
    const shown =
      subject === '' ? 'The kind of state is missing.' : `${sanitizeText(subject, 60)} is no kind of state.`;
    throw badInput(
      'kind',
      `${shown} Enter state holders, state roles or state allowances, then the address.`,
    );
  }
  const [address, owner] = stateOf;
  if (address === undefined)
    throw badInput('address', `The address is missing. Enter state ${kind} ADDRESS.`);
  const deps = createOperationDeps(line, context);
  const { prove, trustHash } = line;
  const written = {
    ...{ kind, address, owner, block },
    isExhaustive: pages === Number.POSITIVE_INFINITY,
    prove: prove === undefined ? undefined : { trustHash },
  };
  const { rows, verdict } = await fetchWrittenState(written, deps, { signal });
  await output.printLines(rows.map(stateRowToJson));
  const json = stateVerdictToJson(verdict);
  await output.printLines([{ verdict: json }]);
  const { reasons, restsOn, details = [] } = json;
  output.printMessage(
    `${formatQuantity(rows.length, 'row')} in block ${json.block}: ${formatMessage(describeConfirmation(verdict))}`,
  );
  if (verdict.proof) printProof(verdict.proof, output);
  for (const reason of [...reasons, ...restsOn, ...details]) output.printMessage(`- ${reason}`);
  return isProvenEnough(verdict.proof, prove);
}
