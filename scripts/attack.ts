import { join } from 'node:path';
import { attackHooks, endAttacks } from '../test/attack/support/attackRun.ts';
import { campaign, campaignOptions } from '../test/attack/support/campaign.ts';
import { buildAll } from './support/build.ts';
import { packageExtension } from './support/packages.ts';
import { runScript } from './support/script.ts';
import { countTests, report, selectTests } from './support/testFiles.ts';
import { prepareEndToEnd } from './support/workbench/endToEnd.ts';

const PATIENCE_MS = 300_000;

/** `[--short] [--seed N] [--node PATH] [--grep PATTERN] [FILE…]`: `--node` runs the command line. */
await runScript(async (resources) => {
  const selection = selectTests('test/attack/**/*.attack.ts', campaignOptions);
  console.log(`Seed ${campaign.seed}. The same attacks again: npm run attack -- --seed ${campaign.seed}`);
  process.env.CHAINSIDE_HEADLESS = join((await buildAll()).npm, 'cli.js');
  await prepareEndToEnd(resources, await packageExtension());
  const run = await countTests(selection, { timeout: PATIENCE_MS, rootHooks: attackHooks });
  await endAttacks();
  return report(run);
});
