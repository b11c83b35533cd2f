import { hasForge } from '../../../scripts/support/foundry/forge.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { type AbiEvent, parseAbiItem } from '../../../src/core/abi/item.ts';
import { listStandardItems } from '../../../src/core/standards/lookup.ts';
import { foundryProject } from '../realProjects/foundryProject.ts';
import { hardhat3Project } from '../realProjects/hardhat3Project.ts';
import { indexedProject } from '../realProjects/indexedProject.ts';

/** The events of the bundled lists, and those of the projects that tests are made with, each once. */
export async function knownEvents(): Promise<readonly AbiEvent[]> {
  const texts = new Set([...listStandardItems()].map(({ text }) => text));
  const projects = [await hardhat3Project(), fromRoot('test', 'fixtures', 'projects')];
  if (hasForge()) projects.push(await foundryProject());
  for (const project of projects) {
    const { index } = await indexedProject(project);
    for (const text of index.contracts.flatMap(({ abi }) => abi)) texts.add(text);
  }
  return [...texts].flatMap((text) => {
    const item = parseAbiItem(text);
    return item?.kind === 'event' ? item : [];
  });
}
