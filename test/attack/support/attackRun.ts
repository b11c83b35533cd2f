import type Mocha from 'mocha';
import { boundsHooks, formatMetrics } from './bounds.ts';
import { forgetLastRun, formatLastRun } from './cli.ts';
import { endHostileEditor } from './hostileEditor.ts';

/** Hold each attack to its bounds. */
export const attackHooks: Mocha.RootHookObject = {
  beforeEach: [boundsHooks.beforeEach, forgetLastRun],
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed' && formatLastRun() !== '') console.error(formatLastRun());
  },
};

/** Ends the hostile editor that all attacks share, and prints what each attack took. */
export async function endAttacks(): Promise<void> {
  await endHostileEditor();
  console.log(`\nMost that each took:\n${formatMetrics()}`);
}
