import { type Localnet, type LocalnetOptions, startLocalnet } from '../../../localnet/start.ts';
import { hasForge } from '../foundry/forge.ts';
import { runHarborScript, tradeInHarbor, writeHarborProject } from '../foundry/harbor.ts';
import { commitAll } from '../foundry/repository.ts';
import { doing } from '../progress.ts';

/**
 * Writes the sample project into `folder`, which need not be there, and starts a local network whose contracts it has
 * deployed: by forge, which leaves `out/` and `broadcast/`. Where npm has no forge, the network deploys them itself.
 */
export async function startWithSample(
  folder: string,
  options: Omit<LocalnetOptions, 'deploy'> = {},
): Promise<Localnet> {
  await writeHarborProject(folder);
  await commitAll(folder, 'Rewards, orders and a vault');
  if (!hasForge()) {
    console.log(
      'npm has no forge for this system: the sample is without what forge writes of its deployments.',
    );
    return doing('Starting the local chain', () => startLocalnet(options));
  }
  const localnet = await doing('Starting the local chain and deploying the sample to it', () =>
    startLocalnet({ ...options, deploy: (url) => runHarborScript(folder, 'Deploy', { url }) }),
  );
  try {
    await doing('Trading on the local chain', () => localnet.mineWhile((url) => tradeInHarbor(folder, url)));
    await commitAll(folder, 'Deployments on the local network');
    return localnet;
  } catch (error) {
    await localnet.stop();
    throw error;
  }
}
