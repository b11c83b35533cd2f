import { join } from 'node:path';
import { campaign, campaignOptions } from '../test/attack/support/campaign.ts';
import { sumCounts } from '../test/support/runMocha.ts';
import { buildAll } from './support/build.ts';
import { runInLanes } from './support/lanes/runInLanes.ts';
import { packageExtension } from './support/packages.ts';
import { runScript } from './support/script.ts';
import { report, selectTests } from './support/testFiles.ts';

/** `[--short] [--seed N] [--grep PATTERN] [FILE…]` */
await runScript(async (resources) => {
  const { files, grep } = selectTests('test/attack/**/*.attack.ts', campaignOptions);
  console.log(`Seed ${campaign.seed}. The same attacks again: npm run attack -- --seed ${campaign.seed}`);
  process.env.CHAINSIDE_HEADLESS = join((await buildAll()).npm, 'cli.js');
  // One after the other: what they take of the machine is measured.
  const start = { kind: 'attack', vsix: await packageExtension(), grep } as const;
  const args = ['--seed', `${campaign.seed}`, ...(campaign.short ? ['--short'] : [])];
  return report(sumCounts(await runInLanes({ start, files, lanes: 1, args }, resources)));
});
