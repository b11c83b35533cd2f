import {
  badInput,
  type ContractState,
  createTimeSlices,
  describeConfirmation,
  englishMessage,
  fetchWrittenState,
  formatMessage,
  formatQuantity,
  joinStates,
  type StateKind,
  type StateRow,
  sanitizeText,
  stateRowToJson,
  stateVerdictToJson,
  systemClock,
  type WrittenContractState,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import { isProvenEnough, type Outcome } from '../exitCode.ts';
import { createOperationDeps } from '../operationDeps.ts';
import { printProof } from './logs.ts';

const KINDS: readonly StateKind[] = ['holders', 'roles', 'allowances'];

/**
 * Prints state that is rebuilt from logs, one row a line, then its verdict.
 *
 * @returns whether no proof contradicts it, and the logs are proven if they must be; 3 if the block of a time is not certain.
 * @throws AppError as `fetchWrittenState` does; `badInput` for `kind` and `address`.
 */
export async function printState(line: CommandLine, context: CliContext): Promise<Outcome> {
  const { output, signal } = context;
  const { subject = '', stateOf, block, compare, pages } = line;
  const kind = KINDS.find((one) => one === subject);
  if (kind === undefined) {
    const shown =
      subject === '' ? 'The kind of state is missing.' : `${sanitizeText(subject, 60)} is no kind of state.`;
    throw badInput(
      'kind',
      englishMessage`${shown} Enter state holders, state roles or state allowances, then the address.`,
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
  if (compare !== undefined) {
    const before = await fetchWrittenState({ ...written, block: compare }, deps, { signal });
    const after = await fetchWrittenState(written, deps, { signal });
    await printChanges(before, after, context);
    return judgeStates([before, after], prove);
  }
  const state = await fetchWrittenState(written, deps, { signal });
  const { rows, verdict } = state;
  await output.printLines(listRows(rows));
  const json = stateVerdictToJson(verdict);
  await output.printLines([{ verdict: json }]);
  const { reasons, restsOn, details = [] } = json;
  output.printMessage(
    `${formatQuantity(rows.length, 'row')} in block ${json.block}: ${formatMessage(describeConfirmation(verdict))}`,
  );
  if (verdict.proof) printProof(verdict.proof, output);
  for (const reason of [...reasons, ...restsOn, ...details]) output.printMessage(`- ${reason}`);
  return judgeStates([state], prove);
}

function judgeStates(states: readonly WrittenContractState[], prove: CommandLine['prove']): Outcome {
  if (!states.every(({ verdict }) => isProvenEnough(verdict.proof, prove))) return false;
  return states.every(({ isBlockCertain }) => isBlockCertain) || 3;
}

/** One by one: a million of them need more memory as JSON than as rows. */
function* listRows(rows: readonly StateRow[]) {
  for (const row of rows) yield stateRowToJson(row);
}

/** Prints each row that differs between two blocks, then both verdicts: neither is worth more than the other. */
async function printChanges(
  before: ContractState,
  after: ContractState,
  { output, signal }: CliContext,
): Promise<void> {
  const toJson = (row: StateRow | undefined) => (row ? stateRowToJson(row) : null);
  const slices = createTimeSlices(systemClock);
  const joined = await joinStates(before.rows, after.rows, { slices, signal });
  const changes = joined.filter(({ isChanged }) => isChanged);
  function* list() {
    for (const { before: old, after: row } of changes) yield { before: toJson(old), after: toJson(row) };
  }
  await output.printLines(list());
  const [verdict, compared] = [stateVerdictToJson(after.verdict), stateVerdictToJson(before.verdict)];
  await output.printLines([{ verdict, compared, changes: changes.length }]);
  output.printMessage(
    `${formatQuantity(changes.length, 'row')} changed from block ${compared.block} to ${verdict.block}.`,
  );
  for (const { block, reasons } of [compared, verdict])
    for (const reason of reasons) output.printMessage(`- block ${block}: ${reason}`);
}
