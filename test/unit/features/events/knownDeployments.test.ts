import assert from 'node:assert/strict';
import { type ContractIndex, createContractIndex, systemClock } from '../../../../src/core/index.ts';
import { createDeploymentCache } from '../../../../src/features/source/findDeployments.ts';
import type { WorkspaceContracts } from '../../../../src/host/contracts/workspaceContracts.ts';

const PAID = 'event Paid()';

describe('deployments as far as they are known', () => {
  it('begin to be read with the first look, and are gone through again after a change only', async () => {
    const index = createContractIndex();
    let asked = 0;
    const contracts = {
      known: undefined as ContractIndex | undefined,
      state: { kind: 'idle' } as WorkspaceContracts['state'],
      index: async () => {
        asked++;
        return index;
      },
    };
    const known = createDeploymentCache(contracts as unknown as WorkspaceContracts, systemClock);
    assert.equal(await known.read(), undefined);
    assert.equal(asked, 1);

    contracts.known = index;
    contracts.state = { kind: 'reading', looked: 1, found: 2 };
    assert.equal(await known.read(), undefined);
    contracts.state = { kind: 'ready' };
    const first = await known.read();
    assert.deepEqual(first?.having(PAID), []);
    assert.equal(await known.read(), first);

    const place = { block: undefined, transaction: undefined, commit: undefined };
    const vault = { name: 'Vault', source: 'A.sol', line: 1, itemLines: undefined, abi: [PAID] };
    index.put('A.sol', { contracts: [vault], deployments: [], labels: [] });
    const deployment = {
      ...place,
      chainId: '1',
      address: `0x${'11'.repeat(20)}`,
      contract: 'Vault',
    } as const;
    index.put('a.json', { contracts: [], deployments: [deployment], labels: [] });
    contracts.state = { kind: 'reading', looked: 1, found: 2 };
    assert.equal(await known.read(), first);
    contracts.state = { kind: 'ready' };
    assert.equal((await known.read())?.having(PAID).length, 1);
  });
});
