import { boundsHooks, courseTable } from '../test/attack/support/bounds.ts';
import { campaign, campaignOptions } from '../test/attack/support/campaign.ts';
import { hostileEditorHooks } from '../test/attack/support/hostileEditor.ts';
import { runScript } from './support/script.ts';
import { runTestFiles, selectTests } from './support/testFiles.ts';
import { prepareEndToEnd } from './support/workbench/endToEnd.ts';

/** `[--short] [--seed N] [--grep PATTERN] [FILE…]` */
await runScript(async (resources) => {
  const selection = selectTests('test/attack/**/*.attack.ts', campaignOptions);
  console.log(`Seed ${campaign.seed}. The same attacks again: npm run attack -- --seed ${campaign.seed}`);
  await prepareEndToEnd(resources);
  const code = await runTestFiles(selection, 120_000, { ...boundsHooks, ...hostileEditorHooks });
  console.log(`\nMost that each took:\n${courseTable()}`);
  return code;
});
