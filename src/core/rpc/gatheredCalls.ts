import type { CallsTogether } from './callsTogether.ts';
import type { RpcCallOptions, RpcClient } from './rpcClient.ts';

/**
 * Calls of an endpoint that are made at the same time, with the same options, go together as {@link CallsTogether} do.
 *
 * @param begin as `createCallsTogether` gives it.
 * @returns a function as `call` of {@link RpcClient}, which throws as that does.
 * @example
 * const call = gatherCalls(createCallsTogether(rpc, batches));
 * await Promise.all([call('eth_call', one), call('eth_call', other)]); // one request
 */
export function gatherCalls(begin: (options?: RpcCallOptions) => CallsTogether): RpcClient['call'] {
  const open: { readonly options: RpcCallOptions; readonly calls: CallsTogether }[] = [];

  function beginGroup(options: RpcCallOptions): CallsTogether {
    const group = { options, calls: begin(options) };
    open.push(group);
    queueMicrotask(() => {
      open.splice(open.indexOf(group), 1);
      void group.calls.send();
    });
    return group.calls;
  }

  return (method, params, options = {}) => {
    const group = open.find((other) => isSame(other.options, options));
    return (group?.calls ?? beginGroup(options)).call(method, params);
  };
}

function isSame(a: RpcCallOptions, b: RpcCallOptions): boolean {
  const fields = Object.keys({ ...a, ...b }) as (keyof RpcCallOptions)[];
  return fields.every((field) => a[field] === b[field]);
}
