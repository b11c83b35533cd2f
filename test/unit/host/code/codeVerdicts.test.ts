import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import { type Address, systemClock } from '../../../../src/core/index.ts';
import { type CodeVerdictsDeps, createCodeVerdicts } from '../../../../src/host/code/codeVerdicts.ts';
import { memoryProject } from '../../../support/memory.ts';
import { contractFacts, toAddress } from '../../../support/projectFacts.ts';

const PROXY = toAddress('1');
const IMPLEMENTATION = toAddress('2');
const OTHER = toAddress('3');
const CODE = '0x6001600101';
const ARTIFACT = 'out/Vault.sol/Vault.json';

describe('verdicts on code that a chain has', () => {
  /** A proxy on a node of this machine, whose blocks and implementations the test sets. */
  function open(codes: Readonly<Record<Address, string>>) {
    const state = { block: 1n, implementations: [] as readonly Address[] };
    const files = memoryProject({
      [ARTIFACT]: JSON.stringify({ abi: [], deployedBytecode: { object: CODE }, bytecode: { object: CODE } }),
    });
    const contract = {
      ...{ ...contractFacts('Vault'), project: '', artifact: ARTIFACT, isOwn: true, itemLines: [] },
    };
    const client = {
      getCode: async ({ to }: { to: Address }) => codes[to] ?? '0x',
      fetchImplementations: async () => state.implementations,
    };
    const connection = {
      ...{ client, signal: new AbortController().signal },
      network: { chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' },
    };
    const verdicts = createCodeVerdicts({
      session: { connection, isChosen: true, network: connection.network },
      contracts: {
        ...{ files, state: { kind: 'ready' }, onDidChange: new EventEmitter<void>().event },
        index: async () => ({ contracts: [contract], deployments: [] }),
      },
      head: {
        get state() {
          return { head: { block: state.block } };
        },
      },
      ...{ clock: systemClock, log: { debug: assert.fail } },
    } as unknown as CodeVerdictsDeps);
    const target = { address: PROXY, contract };
    return {
      async read(changes: Partial<typeof state>) {
        Object.assign(state, { block: state.block + 1n, ...changes });
        await verdicts.readListed([target]);
        const { match, implementation } = verdicts.get(target) ?? {};
        return [match, implementation];
      },
      files,
    };
  }

  it('are new where a proxy gets an implementation, or another one beside the compared one', async () => {
    const { read } = open({ [PROXY]: '0x5f5ff4', [IMPLEMENTATION]: '0x6002', [OTHER]: CODE });
    assert.deepEqual(await read({}), ['different', undefined]);
    assert.deepEqual(await read({}), ['different', undefined]);
    assert.deepEqual(await read({ implementations: [IMPLEMENTATION] }), ['different', IMPLEMENTATION]);
    assert.deepEqual(await read({ implementations: [IMPLEMENTATION, OTHER] }), ['exact', OTHER]);
    assert.deepEqual(await read({ implementations: [] }), ['different', undefined]);
  });

  it('stay where the code is the own code of the proxy', async () => {
    const { read } = open({ [PROXY]: CODE });
    assert.deepEqual(await read({}), ['exact', undefined]);
    assert.deepEqual(await read({ implementations: [IMPLEMENTATION] }), ['exact', undefined]);
  });
});
