import type { InjectedRequest } from '../http/recordingServer.ts';
import { behindIndex } from '../index/behindIndex.ts';
import type { ExplorerIndex } from '../index/explorerIndex.ts';

/** Several machines behind one address, of which some are behind the others. */
export type Replicas = {
  readonly blocksBehind: number;
  /** Whether a request is answered by one that is behind. Called once a request, in the order of arrival. */
  readonly isBehind: (request: InjectedRequest) => boolean;
};

/** Gives for each request the index of the machine that answers it. */
export function createMachines(
  index: ExplorerIndex,
  replicas: Replicas | undefined,
): (request: InjectedRequest) => ExplorerIndex {
  if (!replicas) return () => index;
  const behind = behindIndex(index, replicas.blocksBehind);
  return (request) => (replicas.isBehind(request) ? behind : index);
}
