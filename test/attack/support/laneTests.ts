import type Mocha from 'mocha';
import type { LaneTests } from '../../../scripts/support/lanes/messages.ts';
import { boundsHooks, formatMetrics } from './bounds.ts';
import { forgetLastRun, formatLastRun } from './cli.ts';
import { endHostileEditor } from './hostileEditor.ts';

const hooks: Mocha.RootHookObject = {
  beforeEach: [boundsHooks.beforeEach, forgetLastRun],
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed' && formatLastRun() !== '') console.error(formatLastRun());
  },
};

/** How attacks are run: held to their bounds, with one hostile editor for all files of a process. */
export const attackTests: LaneTests = {
  options: { timeout: 300_000, rootHooks: hooks },
  async end() {
    await endHostileEditor();
    return `\nMost that each took:\n${formatMetrics()}`;
  },
};
