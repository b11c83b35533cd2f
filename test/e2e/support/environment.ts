import type { Browser } from 'playwright-core';
import type { Localnet } from '../../../localnet/start.ts';
import type { InstalledWorkbench } from '../../../scripts/support/workbench/install.ts';

/** What all end-to-end tests of a run share. `scripts/testE2e.ts` provides it before it loads them. */
export interface Environment {
  readonly browser: Browser;
  readonly workbench: InstalledWorkbench;
  /** The packaged extension. */
  readonly vsix: string;
  /** Folder that it is installed in, with which every workbench begins. */
  readonly installed: string;
  /** Folder of the built-in extensions that every workbench has. */
  readonly builtIn: string;
  readonly localnet: Localnet;
}

let provided: Environment | undefined;

export function provideEnvironment(environment: Environment): void {
  provided = environment;
}

export function environment(): Environment {
  if (provided === undefined) throw new Error('End-to-end tests are run by npm run test:e2e.');
  return provided;
}
