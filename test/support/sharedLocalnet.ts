import { defaultDialect } from '../../localnet/explorer/dialects.ts';
import { type Localnet, startLocalnet } from '../../localnet/start.ts';

/** A local network whose chain stays as it is at the start. */
export type SharedLocalnet = Omit<Localnet, 'mine' | 'mineWhile' | 'pauseFor' | 'stop'>;

let started: Promise<Localnet> | undefined;

/**
 * For the test files that only read the chain: they share one local network, which ends with their process. Its servers
 * are as at the start for each file.
 */
export async function sharedLocalnet(): Promise<SharedLocalnet> {
  started ??= startLocalnet();
  const localnet = await started;
  const { explorer, dataApi, portal } = localnet;
  for (const server of [explorer, dataApi, portal]) {
    server.setIntercept(undefined);
    server.forgetRequests();
  }
  explorer.setDialect(defaultDialect);
  explorer.setRest({});
  dataApi.setKeyPlaces('anywhere');
  return localnet;
}
