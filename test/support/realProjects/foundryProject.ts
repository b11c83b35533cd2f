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
 * in a git repository; with a contract that calls a library of its own, and once more deployed in vain. Made once for these sources and versions; nothing may be written into it.
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
      await writeFile(join(empty, 'src', 'Counter.sol'), counter);
      await writeFile(join(empty, 'script', 'Count.s.sol'), countScript);
      await runHarborScript(empty, 'Count', { url });
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

/** With a library that forge deploys by itself, and links. */
const counter = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

library Tally {
    function sum(uint256[] memory amounts) external pure returns (uint256 total) {
        for (uint256 i = 0; i < amounts.length; ++i) total += amounts[i];
    }
}

contract Counter {
    event Counted(address indexed by, uint256 total, uint256[] amounts);

    function count(uint256[] memory amounts) external {
        emit Counted(msg.sender, Tally.sum(amounts), amounts);
    }
}
`;

const countScript = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Counter} from "../src/Counter.sol";
import {KEEPER} from "./Addresses.sol";
import {Script} from "./Vm.sol";

contract Count is Script {
    function run() external sentBy(KEEPER) {
        uint256[] memory amounts = new uint256[](2);
        (amounts[0], amounts[1]) = (40, 2);
        new Counter().count(amounts);
    }
}
`;

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
