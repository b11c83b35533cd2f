import { registerHooks } from 'node:module';
import fc from 'fast-check';
import { recordFileCost } from './costs.ts';
import { runs } from './fullRun.ts';

// A failure prints its seed and path; `fc.assert` with both repeats it.
fc.configureGlobal({ numRuns: runs(1000), includeErrorInReport: true });

const vscode = new URL('vscode/module.ts', import.meta.url).href;
let usesEditor = false;
registerHooks({
  resolve(name, context, next) {
    if (name !== 'vscode') return next(name, context);
    usesEditor = true;
    return next(vscode, context);
  },
});

/** Files share a process, and with it the editor. */
export const mochaHooks: Mocha.RootHookObject = {
  async afterAll(this: Mocha.Context) {
    if (usesEditor) await (await import('./vscode/module.ts')).editor.reset();
    const root = this.test?.parent;
    const file = root?.suites[0]?.file;
    if (root && file) recordFileCost(file, root.total());
  },
};
