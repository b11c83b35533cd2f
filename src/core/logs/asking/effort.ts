import type { RpcCallOptions } from '../../rpc/rpcClient.ts';

/** How hard a failed request is tried again. */
export type Effort = Required<Pick<RpcCallOptions, 'retries' | 'longestWaitMs' | 'persistent'>>;
