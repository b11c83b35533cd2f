import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from '../../../scripts/support/cachedFolder.ts';
import {
  harborHash,
  runHarborScript,
  tradeInHarbor,
  writeHarborProject,
} from '../../../scripts/support/foundry/harbor.ts';
import { commitAll } from '../../../scripts/support/foundry/repository.ts';
import { withAnvil } from './withAnvil.ts';

/**
 * A folder with the project in `localnet/project` as forge leaves it: built, deployed to chain 31337, upgraded once,
 * in a git repository; and once more deployed in vain. Made once for these sources and versions; nothing may be written into it.
 */
export async function foundryProject(): Promise<string> {
  const recipe = createHash('sha256').update(await readFile(import.meta.filename));
  const hash = recipe
    .update(await harborHash())
    .digest('hex')
    .slice(0, 16);
  return cachedFolder(join('real-projects', `foundry-${hash}`), async (empty) => {
    await writeHarborProject(empty);
    await commitAll(empty, 'Rewards, orders and a vault');
    await withAnvil(async (url) => {
      await runHarborScript(empty, 'Deploy', { url });
      await tradeInHarbor(empty, url);
      await failToDeploy(empty, url);
    });
    await commitAll(empty, 'Deployments on the local network');
    // It names the folder in which this has run.
    await rm(join(empty, 'cache'), { recursive: true });
  });
}

/** Leaves the record of a deployment that ran out of gas: forge foresees all other failures, and sends nothing. */
async function failToDeploy(project: string, url: string): Promise<void> {
  await writeFile(join(project, 'script', 'Spare.s.sol'), spareScript);
  const failure = await runHarborScript(project, 'Spare', { url, gasPercent: 60 }).catch((error) => error);
  if (!/Transaction Failure/.test(String(failure))) throw new Error(`It was to fail: ${failure}`);
}

const spareScript = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Disperse} from "../src/Disperse.sol";
import {KEEPER} from "./Addresses.sol";
import {Script} from "./Vm.sol";

contract Spare is Script {
    function run() external sentBy(KEEPER) {
        new Disperse();
    }
}
`;
