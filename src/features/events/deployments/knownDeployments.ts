import { type Clock, type ContractIndex, createTimeSlices } from '../../../core/index.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import { type DeployedContracts, deployedContracts } from './deployedContracts.ts';

/** The deployed contracts as far as they are known. */
interface KnownDeployments {
  /** Never waits for the workspace to be read: undefined until it has been, which the index then tells. */
  read(): Promise<DeployedContracts | undefined>;
}

/** Goes through the index once for each state of it. */
export function createKnownDeployments(contracts: WorkspaceContracts, clock: Clock): KnownDeployments {
  let last: Promise<DeployedContracts> | undefined;
  let lastIndex: ContractIndex | undefined;
  let lastVersion = -1;
  return {
    async read() {
      const { known } = contracts;
      // Begins with the first source that is looked at.
      if (!known) void contracts.index().catch(() => undefined);
      if (!known || contracts.state.kind !== 'ready') return last;
      if (known !== lastIndex || known.version !== lastVersion) {
        lastIndex = known;
        lastVersion = known.version;
        last = deployedContracts(known, createTimeSlices(clock));
      }
      return last;
    },
  };
}
