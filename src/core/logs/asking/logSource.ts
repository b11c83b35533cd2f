import type { Abortable } from '../../base/abortable.ts';
import type { Wait } from '../../base/waits.ts';
import type { RpcClient } from '../../rpc/rpcClient.ts';
import type { Strays } from '../guards/strays.ts';
import type { Direction } from '../query/direction.ts';
import type { LogFilter } from '../query/logFilter.ts';
import type { DialectMemory } from '../server/dialectMemory.ts';
import type { Pace } from '../server/pace.ts';
import type { SecondWitness } from '../server/secondWitness.ts';
import type { AskCovered } from './coveredLogs.ts';
import type { Effort } from './effort.ts';

/** What one query asks with: its own connection, so that its requests are counted, and what is known of the server. */
export interface LogSource {
  readonly rpc: RpcClient;
  readonly memory: DialectMemory;
  readonly filter: LogFilter;
  readonly direction: Direction;
  readonly pace: Pace;
  /** In place of {@link rpc} for logs, where every answer of the server says through which block it is whole. */
  readonly askCovered?: AskCovered | undefined;
  /** Of what the query does now. */
  readonly effort: Effort;
  readonly strays: Strays;
  /** Shows what a crowded block holds that `eth_getLogs` hides. */
  readonly witness: SecondWitness;
  /** From this block on, not each of the machines behind the server's address may know all blocks. */
  readonly unsettledFrom: bigint;
  /** Hears of the newest block that a machine says it knows. */
  readonly noteHead: (head: bigint) => void;
  /** Every wait before the server is asked again goes through it. */
  readonly wait: Wait;
  /** Makes sure that {@link memory} is about the server as it is now: asks it, once a query. */
  identify(options: Abortable): Promise<void>;
}
