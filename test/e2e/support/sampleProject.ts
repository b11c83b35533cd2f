import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Localnet } from '../../../localnet/start.ts';
import { startWithSample } from '../../../scripts/support/demo/sampleWorkspace.ts';
import { localnetSettings } from '../../../scripts/support/workbench/localnetSettings.ts';
import { useWorkbench, type Workbench } from './workbench.ts';

/** A window on the sample project, as the demo opens it, with the network that has its contracts. */
interface SampleWindow {
  workbench(): Workbench;
  localnet(): Localnet;
}

/** For a suite: the sample project in a workbench, and a local network of its own. */
export function useSampleWindow(): SampleWindow {
  let started: { readonly localnet: Localnet; readonly folder: string } | undefined;
  const sample = () => {
    if (started === undefined) throw new Error('The network of the sample has not been started.');
    return started;
  };
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chainside-sample-'));
    started = { folder, localnet: await startWithSample(join(folder, 'rewards')) };
  });
  const workbench = useWorkbench(() => ({
    settings: localnetSettings(sample().localnet),
    fillFolder: (folder) => cp(join(sample().folder, 'rewards'), folder, { recursive: true }),
  }));
  after(async () => {
    await started?.localnet.stop();
    if (started) await rm(started.folder, { recursive: true, force: true });
  });
  return { workbench, localnet: () => sample().localnet };
}
