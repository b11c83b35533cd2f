import { registerHooks } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import fc from 'fast-check';
import { runs } from './fullRun.ts';

// V8 stops optimizing regular expressions once a process has compiled many of them, as an extension host may. Long texts
// overflow the stack of such expressions sooner, so tests run in that state.
setFlagsFromString('--no-regexp-optimization');

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
  async afterAll() {
    if (usesEditor) await (await import('./vscode/module.ts')).editor.reset();
  },
};
