import assert from 'node:assert/strict';
import type { ExtensionContext } from 'vscode';
import type { ChainsideApi } from '../../../src/api.d.ts';
import { activate, deactivate } from '../../../src/extension.ts';
import { editor } from './module.ts';

/** Has the extension activated in the editor of unit tests while the tests of a suite run; returns its API. */
export function useExtension(): () => ChainsideApi {
  let context: ExtensionContext | undefined;
  let api: ChainsideApi | undefined;
  before(() => {
    context = editor.createContext();
    api = activate(context);
  });
  after(async () => {
    for (const part of context?.subscriptions.reverse() ?? []) part.dispose();
    await deactivate();
  });
  return () => api ?? assert.fail('The extension is not activated.');
}
