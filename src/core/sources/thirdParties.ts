import type { SourceKind } from './kind/sourceKind.ts';
import { signatures } from './signatures/signatures.ts';
import { sourcify } from './sourcify/sourcify.ts';

/** Services that have nothing to do with the network: each is opened only where the user has allowed it. */
export const thirdParties: readonly SourceKind[] = [sourcify, signatures];
