import type { LaneTests } from '../../../scripts/support/lanes/messages.ts';
import { boundsHooks, courseTable } from './bounds.ts';
import { endHostileEditor } from './hostileEditor.ts';

/** How attacks are run: held to their bounds, with one hostile editor for all files of a process. */
export const attackTests: LaneTests = {
  options: { timeout: 120_000, rootHooks: boundsHooks },
  async end() {
    await endHostileEditor();
    return `\nMost that each took:\n${courseTable()}`;
  },
};
