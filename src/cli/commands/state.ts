import {
  badInput,
  fetchWrittenState,
  formatQuantity,
  type StateKind,
  sanitizeText,
  stateRowToJson,
  stateVerdictToJson,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import { createOperationDeps } from '../operationDeps.ts';

const KINDS: readonly StateKind[] = ['holders', 'roles', 'allowances'];

/**
 * Prints state that is rebuilt from logs, one row a line, then its verdict.
 *
 * @throws AppError as `fetchWrittenState` does; `badInput` for `kind` and `address`.
 */
export async function printState(line: CommandLine, context: CliContext): Promise<void> {
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
  const written = { kind, address, owner, block, isExhaustive: pages === Number.POSITIVE_INFINITY };
  const { rows, verdict } = await fetchWrittenState(written, deps, { signal });
  await output.printLines(rows.map(stateRowToJson));
  const json = stateVerdictToJson(verdict);
  await output.printLines([{ verdict: json }]);
  const { proven, proof, reasons, details = [] } = json;
  output.printMessage(
    `${formatQuantity(rows.length, 'row')} in block ${json.block}, ${proven ? 'proven' : 'not proven'}: ${proof.balances} equal what the contract says.`,
  );
  for (const reason of [...reasons, ...details]) output.printMessage(`- ${reason}`);
}
