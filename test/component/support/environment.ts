import type { Browser } from 'playwright-core';
import type { Localnet } from '../../../localnet/start.ts';

/** What all component tests of a run share. `scripts/testComponent.ts` provides it before it loads them. */
export interface Environment {
  readonly browser: Browser;
  /** Folder of the extension, built for production. */
  readonly extension: string;
  readonly localnet: Localnet;
}

let provided: Environment | undefined;

export function provideEnvironment(environment: Environment): void {
  provided = environment;
}

export function environment(): Environment {
  if (provided === undefined) throw new Error('Component tests are run by npm run test:component.');
  return provided;
}
