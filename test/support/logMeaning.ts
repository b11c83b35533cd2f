import { createLogDecoder, type VersionedLookup } from '../../src/core/index.ts';
import type { LogMeaning } from '../../src/host/meaning/logMeaning.ts';

/** What gives logs the meaning that a lookup has, and asks nobody for more. */
export function meaningBy(lookup: VersionedLookup): LogMeaning {
  return {
    lookup,
    decoder: (chainId) => createLogDecoder({ lookup, chainId }),
    nameOf: () => undefined,
    addressesNamed: () => [],
    unitsOf: () => undefined,
    wantUnits: () => undefined,
    wantEvents: () => undefined,
    createdAt: () => undefined,
    identityAt: () => undefined,
    wantCreated: async () => false,
    verifiedOn: async () => [],
    wantVersions: () => undefined,
    readVersions: async () => false,
    readMeaning: async () => undefined,
    canOpen: () => false,
    openOrigin: async () => undefined,
    onDidChange: () => ({ dispose: () => undefined }),
  };
}
