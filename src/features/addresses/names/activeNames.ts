import type { Address } from '../../../core/index.ts';
import type { OpenedNames } from '../../../host/names/openNames.ts';
import type { Session } from '../../../host/session/session.ts';

/** Names on the active network. */
export interface ActiveNames {
  readonly names: OpenedNames;
  readonly chainId: number;
  name(address: Address): string | undefined;
  /** Settles when all names are known, or after a moment. */
  ready(): Promise<unknown>;
}

export function createActiveNames(names: OpenedNames, session: Session): ActiveNames {
  return {
    names,
    get chainId() {
      return session.network.chainId;
    },
    name: (address) => names.nameOf(address, session.network.chainId)?.name,
    ready: () => names.soon(),
  };
}
