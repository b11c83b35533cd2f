import type { Abortable } from '../base/concurrency.ts';
import type { Message } from '../base/text.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { Address } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { ComparedRows, StateRow } from './contractState.ts';
import type { StateCall } from './stateCalls.ts';

/** Makes one kind of state of its logs, which it takes in the order of the chain and does not store. */
export interface StateReader {
  readonly filter: Pick<LogFilter, 'addresses' | 'topics'>;
  /** @throws AppError `tooHeavy` if there are more rows than memory is meant for; any of the network. */
  add(logs: readonly Log[], context: ReaderContext): Promise<void>;
  /** The rows after all logs, the largest first. */
  rows(context: CompareContext): Promise<readonly StateRow[]>;
  /** What the logs themselves contradict. */
  reasons(): readonly Message[];
  /**
   * Compares rows with calls at the block.
   *
   * @throws AppError of the network, `historyUnavailable`, `notServed`.
   */
  compare(rows: readonly StateRow[], context: CompareContext): Promise<StateComparison>;
}

export interface ReaderContext extends Abortable {
  readonly slices: TimeSlices;
}

export interface CompareContext extends ReaderContext {
  readonly call: StateCall;
  /** Whether all rows are compared, however many there are. */
  readonly isExhaustive: boolean;
  /** Rows that a list should have. The contract is asked for those that the logs do not give. */
  readonly expected: readonly ExpectedRow[];
}

/** Who holds tokens, may spend an owner's, or has a role. */
export interface ExpectedRow {
  readonly address: Address;
  /** The name or hash of a role. */
  readonly role?: string | undefined;
}

export interface StateComparison {
  readonly compared: ComparedRows;
  /** What contradicts the rows, or why there may be others. */
  readonly reasons: readonly Message[];
  /** Whether the calls rule out any other row, as a sum that equals the total supply does. */
  readonly isClosed: boolean;
  /** What the rows rest on besides, as in the verdict. */
  readonly restsOn?: readonly Message[] | undefined;
  /** The rows, if calls add to them or give their values. */
  readonly rows?: readonly StateRow[];
  /** As in `ContractState`. */
  readonly repeated?: readonly StateRow[];
  /** As in the verdict. */
  readonly details?: readonly Message[] | undefined;
}
