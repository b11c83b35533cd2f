import { blockscout } from './blockscout/blockscout.ts';
import { calls, transactionCalls } from './calls/calls.ts';
import { covalent } from './covalent/covalent.ts';
import type { SourceKind } from './kind/sourceKind.ts';

/** Every source, the preferred first. A new one is a folder beside `covalent` and one line here. */
export const sourceKinds: readonly SourceKind[] = [covalent, transactionCalls, blockscout, calls];
