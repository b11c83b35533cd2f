import { deployProxyKinds, type ProxyKinds } from './chain/proxyKinds.ts';
import { type Gateway, startGateway } from './gateway/gateway.ts';
import { type SignatureServer, startSignatures } from './signatures/server.ts';
import { type SourcifyServer, startSourcify } from './sourcify/server.ts';
import type { Localnet } from './start.ts';
import { deployUpgrades, type UpgradedContracts } from './upgrades/upgradedContracts.ts';
import { deployVerified, type VerifiedDeployment } from './verified/deployVerified.ts';

export type ServicePorts = {
  readonly sourcify?: number;
  readonly signatures?: number;
  readonly gateway?: number;
};

/** What a chain has around it: contracts of others, and services that tell of them. */
export type Services = {
  readonly sourcify: SourcifyServer;
  readonly signatures: SignatureServer;
  readonly gateway: Gateway;
  /** Takes the gateway's key. */
  readonly gatewayKey: string;
  readonly verified: VerifiedDeployment;
  readonly proxies: ProxyKinds;
  readonly upgraded: UpgradedContracts;
  stop(): Promise<void>;
};

const gatewayKey = 'proapi_local';
const plan = { credits: 100_000, perSecond: 5 };

/**
 * Puts contracts on the local chain that no project has: verified ones, a proxy of every kind, upgraded ones; and starts
 * the services that tell of them.
 */
export async function startServices(localnet: Localnet, ports: ServicePorts = {}): Promise<Services> {
  const { node, verified: registry, chain, explorer } = localnet;
  const { chainId } = chain;
  let deployed: Pick<Services, 'verified' | 'proxies' | 'upgraded'> | undefined;
  await localnet.pauseFor(async () => {
    deployed = {
      verified: await deployVerified(node, { registry, chainId }),
      proxies: await deployProxyKinds(node),
      upgraded: await deployUpgrades(node),
    };
  });
  if (!deployed) throw new Error('nothing was deployed');
  const ask = (method: string, params: readonly unknown[]) =>
    node.call(method, params).catch(() => undefined);
  const started = {
    sourcify: await startSourcify({ registry, ask, chainId, port: ports.sourcify ?? 0 }),
    signatures: await startSignatures({ registry, port: ports.signatures ?? 0 }),
    gateway: await startGateway({
      ...{ explorers: { [chainId]: explorer }, plans: { [gatewayKey]: plan }, port: ports.gateway ?? 0 },
    }),
  };
  return {
    ...{ ...started, ...deployed, gatewayKey },
    async stop() {
      for (const server of Object.values(started)) await server.stop();
    },
  };
}
