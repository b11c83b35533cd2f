import assert from 'node:assert/strict';
import type { ConsoleMessage, Page } from 'playwright-core';

/** What the workbench itself complains about in this setting, with or without an extension. */
const workbenchNoise = [
  /Could not locate the bindings file/,
  /build\/Release\/watchdog/,
  /\[Service Worker\] registration/,
  // This server has no key to keep secrets under; they live as long as the window.
  /getServerKeyPart/,
  /Long running operations during shutdown are unsupported in the web/,
  /bad HTTP response code \(404\) was received when fetching the script/,
];
const workbenchResources = /\/(vsda|_static|mint-key|update\/check|manifest\.json|static\/node_modules)/;

/** Collects the errors of a page, its webviews and its extension host as they come. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isNoise(message))
      errors.push(`${message.text()} (${message.location().url})`);
  });
  return errors;
}

/** For a suite in a workbench, as its last test. */
export function leavesNoError(workbench: () => { readonly errors: readonly string[] }): void {
  it('leaves no error in the console', () => {
    assert.deepEqual(
      workbench().errors.filter((error) => /webview|chainside|Content Security Policy/i.test(error)),
      [],
    );
  });
}

function isNoise(message: ConsoleMessage): boolean {
  const text = message.text();
  if (text.startsWith('Failed to load resource')) return workbenchResources.test(message.location().url);
  return workbenchNoise.some((noise) => noise.test(text));
}
