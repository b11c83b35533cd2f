import { createLogDecoder, type VersionedLookup } from '../../src/core/index.ts';
import type { LogDecoding } from '../../src/host/logDecoding.ts';

/** What logs mean by a lookup alone: nothing has a name or units, and nobody is asked for more. */
export function createOfflineDecoding(lookup: VersionedLookup): LogDecoding {
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
