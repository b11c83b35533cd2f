import { createMessage, groupDigits, type Message } from '../base/text.ts';
import { type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { type CallFrame, isCreation, type TracedTransaction } from './callFrame.ts';

/** A trace beside the receipt of its transaction. */
export type ReceiptMatch =
  | { readonly state: 'same'; readonly root: CallFrame; readonly reasons: readonly Message[] }
  | { readonly state: 'other'; readonly reason: Message };

/**
 * Compares the calls of a trace with the receipt, which decides: what failed by its receipt has an error, whatever the
 * trace has. `other`: the trace cannot be of this transaction.
 *
 * @example const match = matchReceipt(root, transaction);
 */
export function matchReceipt(root: CallFrame, transaction: TracedTransaction): ReceiptMatch {
  const { status, failure, gasUsed, position, type = 0 } = transaction;
  if (status === 'success' && root.error !== undefined) {
    const reason = createMessage(
      'The trace says that the transaction failed, but its receipt says that it succeeded: the trace is not shown.',
    );
    return { state: 'other', reason };
  }
  const differences = listDifferences(root, transaction);
  if (differences.length > 1 && type <= MAX_ORDINARY_TYPE) {
    const reason = createMessage(
      'The trace is of another transaction: sender, target or data differ. It is not shown.',
    );
    return { state: 'other', reason };
  }
  const reasons: Message[] = [...differences];
  // Some nodes give the root the gas of the block up to here. A refund is at most half of the gas.
  if (position === 0 && gasUsed !== undefined && root.gasUsed !== undefined && root.gasUsed > 2n * gasUsed)
    reasons.push(
      createMessage(
        'By the trace, the transaction used {0} gas; by its receipt {1}.',
        groupDigits(root.gasUsed),
        groupDigits(gasUsed),
      ),
    );
  if (status !== 'failed' || root.error !== undefined)
    return { state: 'same', root: addErrors(root, false), reasons };
  reasons.push(
    createMessage('The trace does not say that the transaction failed: that is taken from its receipt.'),
  );
  const message = failure?.state === 'told' ? failure.message : undefined;
  const error = root.output === '0x' ? message || 'failed by its receipt' : REVERTED;
  return { state: 'same', root: addErrors(fail(root, error), true), reasons };
}

/** Those of rollups may run another call than the one that they have. */
const MAX_ORDINARY_TYPE = 4;
const REVERTED = 'execution reverted';

/**
 * The calls of a simulation, which has no receipt: one that returned what only a revert returns has failed.
 *
 * @example matchSimulation(root).error; // 'execution reverted'
 */
export function matchSimulation(root: CallFrame): CallFrame {
  const hasFailed = root.error === undefined && isRevertData(root.output);
  return addErrors(hasFailed ? fail(root, REVERTED) : root, hasFailed);
}

/** What differs between the trace and the transaction. Spellings of one address differ on some chains. */
function listDifferences(root: CallFrame, transaction: TracedTransaction): readonly Message[] {
  const { from, to, created, input, value } = transaction;
  // zkSync begins with its own code, which then runs the transaction.
  if (root.from === ZERO_ADDRESS && from !== ZERO_ADDRESS) return [];
  // Several calls (Tempo) are in no input.
  const hasCall = to !== undefined || input !== '0x';
  const isCreated = isCreation(root);
  const target = isCreated ? created : to;
  const found: Message[] = [];
  if (root.from !== from) found.push(createMessage('The trace has another sender than the transaction.'));
  if (hasCall && isCreated !== (to === undefined))
    found.push(createMessage('The trace and the transaction disagree on whether a contract was created.'));
  else if (hasCall && root.to !== undefined && target !== undefined && root.to !== target)
    found.push(
      isCreated
        ? createMessage('The trace has another address of the new contract than the receipt.')
        : createMessage('The trace has another target than the transaction.'),
    );
  if (hasCall && root.input !== input)
    found.push(createMessage('The trace has other data than the transaction.'));
  if (hasCall && root.value !== undefined && root.value !== value)
    found.push(createMessage('The trace has another value than the transaction.'));
  return found;
}

/** A creation that failed has no address. */
function fail(frame: CallFrame, error: string): CallFrame {
  return { ...frame, error, to: isCreation(frame) ? undefined : frame.to };
}

/**
 * Gives errors to the calls of failed ones that only their data shows to have failed: a Panic or an Error, or, if the
 * server reports no errors at all, what ended the caller.
 */
function addErrors(root: CallFrame, isErrorless: boolean): CallFrame {
  const top: CallFrame[] = [];
  const open: { readonly frame: CallFrame; readonly into: CallFrame[] }[] = [{ frame: root, into: top }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { frame, into } = next;
    if (frame.error === undefined) {
      into.push(frame);
      continue;
    }
    const calls: CallFrame[] = [];
    into.push({ ...frame, calls });
    for (let place = frame.calls.length - 1; place >= 0; place--) {
      const call = frame.calls[place];
      if (!call) continue;
      const isPassedOn = isErrorless && place === frame.calls.length - 1 && call.output === frame.output;
      const hasFailed = isRevertData(call.output) || (isPassedOn && isError(call.output));
      open.push({ frame: call.error === undefined && hasFailed ? fail(call, REVERTED) : call, into: calls });
    }
  }
  return top[0] as CallFrame;
}

/** Returned values are whole words; an error has four bytes more. */
const isError = (data: Hex) => data.length >= SELECTOR_CHARS && (data.length - SELECTOR_CHARS) % 64 === 0;

const SELECTOR_CHARS = 10;
/** Of `Error(string)` and of `Panic(uint256)`. */
const REVERTS = /^0x(?:08c379a0|4e487b71)/;

/** Whether data can only be that of a revert: an Error or a Panic of Solidity. */
function isRevertData(data: Hex): boolean {
  return data.length > SELECTOR_CHARS && REVERTS.test(data) && isError(data);
}
