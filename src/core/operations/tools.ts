import type { ZodMiniType } from 'zod/mini';
import {
  decodeDataInput,
  getAddressInput,
  getNetworkInput,
  getTransactionInput,
  queryEventsInput,
  resolveContractInput,
} from './kit/inputs.ts';

/** An operation as a tool shows it to a model. All of them only read. */
export interface OperationTool {
  readonly name: string;
  readonly title: string;
  /** What it does, what comes back, and when not to use it; at most 1,024 characters. */
  readonly description: string;
  readonly input: ZodMiniType;
  /** Whether the same call gives the same answer as long as the chain does not move on. */
  readonly idempotent: boolean;
}

/** The operations, the one to begin with first. */
export const operationTools = [
  {
    name: 'get_network',
    title: 'Network',
    description:
      'Which chain is asked here: chain id, endpoint, newest block and its age, what the endpoint can tell, and how many contracts and deployments of the project are known. Asks two or three requests. Use it once at the start, or where an answer seems to be of another chain. Do NOT use it to wait for a block or to poll.',
    input: getNetworkInput,
    idempotent: true,
  },
  {
    name: 'resolve_contract',
    title: 'Contract by Name or Address',
    description:
      'What a name of the project, or an address, stands for: deployments by chain with block and file, source file and line, events as they are declared (to be used in query_events), number of functions, labels, and for an address on this chain what is there: token, proxy and what it runs, creation. Use it before query_events where you do not know the events of a contract. Do NOT use it for balances (get_address), nor for contracts that are neither in the project nor at an address that you have.',
    input: resolveContractInput,
    idempotent: true,
  },
  {
    name: 'get_address',
    title: 'Address',
    description:
      'What is at an address now: exact native balance in wei, token balances (at most 20, the rest counted), whether it is an account, a contract or a delegated account, its names. Amounts are decimal strings in smallest units. A state says whether a figure is known, zero or failed: "unknown" is never zero. Do NOT use it for history (query_events), for past blocks, or to sum up balances of many holders.',
    input: getAddressInput,
    idempotent: true,
  },
  {
    name: 'query_events',
    title: 'Event Logs',
    description:
      'Event logs, with a verdict whether the answer is whole. mode count (default) gives the exact number, the first block and the last row decoded, without rows: use it for "how many" and "when last". sample gives 5 rows; rows gives pages of decoded rows with next_call to go on; file writes all rows as NDJSON or Parquet and gives path and SHA-256: use it for more than some hundred rows. Names of deployments and events of the project work as they are. A dear question comes back with an estimate instead: narrow it or confirm. Do NOT page through rows to count or to find the last one, do NOT use it for one known transaction (get_transaction) or for balances (get_address). If complete is not true, say so and give the reasons.',
    input: queryEventsInput,
    idempotent: true,
  },
  {
    name: 'decode_data',
    title: 'Decode Hex',
    description:
      'What hex may mean: calldata, revert data, a function or error selector, a topic0, encoded values; by the project, by standards, and by sources that the user allowed. Gives candidates with their source, the most trusted first: more than one means that it is not sure. Sends no request unless such sources are open. Do NOT use it for a transaction hash (get_transaction) or for rows of query_events, which are decoded already.',
    input: decodeDataInput,
    idempotent: true,
  },
  {
    name: 'get_transaction',
    title: 'Transaction',
    description:
      'One transaction by its hash: status, block, time, sender, receiver, value and fee in wei, call and logs decoded, tokens moved, and of a failed one why, with lines of the project that may have reverted. Do NOT use it in a loop over many hashes: query_events gives rows of many transactions at once.',
    input: getTransactionInput,
    idempotent: true,
  },
] as const satisfies readonly OperationTool[];
