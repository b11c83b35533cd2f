import { deployProxyKinds, type ProxyKinds } from '../../localnet/chain/proxyKinds.ts';
import { defaultDialect } from '../../localnet/explorer/dialects.ts';
import { type Localnet, startLocalnet } from '../../localnet/start.ts';
import { deployVerified, type VerifiedDeployment } from '../../localnet/verified/deployVerified.ts';

/** A local network that others share, to which transactions and blocks may be added. */
export type GrowingLocalnet = Omit<Localnet, 'stop'>;

/** A local network whose chain stays as it is at the start. */
export type SharedLocalnet = Omit<GrowingLocalnet, 'mine' | 'mineWhile' | 'pauseFor'>;

let still: Promise<Localnet> | undefined;
let growing: Promise<Localnet> | undefined;
let verified: Promise<VerifiedDeployment> | undefined;
let proxyKinds: Promise<ProxyKinds> | undefined;

/**
 * For the test files that only read the chain: they share one local network, which ends with their process. Its servers
 * are as at the start for each file.
 */
export async function sharedLocalnet(): Promise<SharedLocalnet> {
  still ??= startLocalnet();
  return resetServers(await still);
}

/** As {@link sharedLocalnet}, for the test files that add contracts and blocks: they also find those of other files. */
export async function growingLocalnet(): Promise<GrowingLocalnet> {
  growing ??= startLocalnet();
  return resetServers(await growing);
}

/** The verified contracts of {@link growingLocalnet}: deployed once, as the explorer finds contracts by equal code. */
export async function sharedVerified(): Promise<VerifiedDeployment> {
  const { node, verified: registry, chain, catchUp } = await growingLocalnet();
  verified ??= deployVerified(node, { registry, chainId: chain.chainId });
  await verified;
  await catchUp();
  return verified;
}

/** Proxies of every kind on {@link growingLocalnet}. */
export async function sharedProxyKinds(): Promise<ProxyKinds> {
  const { node, catchUp } = await growingLocalnet();
  proxyKinds ??= deployProxyKinds(node);
  await proxyKinds;
  await catchUp();
  return proxyKinds;
}

function resetServers(localnet: Localnet): Localnet {
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
