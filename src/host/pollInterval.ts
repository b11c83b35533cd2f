import { isLoopbackUrl } from '../core/index.ts';

/** A request to this machine costs nothing, and a local chain gets blocks at once. */
const LOCAL_POLL_MS = 1000;

/** Between two requests for the latest block, in milliseconds. */
export function getPollIntervalMs(rpcUrl: string, pollSeconds: number): number {
  return isLoopbackUrl(rpcUrl) ? LOCAL_POLL_MS : pollSeconds * 1000;
}
