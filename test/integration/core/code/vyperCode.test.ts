import assert from 'node:assert/strict';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc, type NodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import {
  type CodeComparison,
  compareCode,
  createChainClient,
  formatMessage,
  type Hex,
  type IndexedContract,
  systemClock,
} from '../../../../src/core/index.ts';
import builds from '../../../fixtures/vyperBuilds.json' with { type: 'json' };
import { byTurns } from '../../../support/fullRun.ts';
import { memoryProject } from '../../../support/memory.ts';
import { pick } from '../../../support/pick.ts';
import { deploy, fundSender } from '../../../support/traces/sendFailures.ts';

const ARTIFACT = 'out/Failing.vy/Failing.json';
const TARGET = '0x00000000000000000000000000000000000a0001';
const contract: IndexedContract = {
  ...{ name: 'Failing', source: 'src/Failing.vy', project: '', line: undefined, isOwn: true },
  ...{ artifact: ARTIFACT, abi: [], itemLines: [] },
};
/** Of the one immutable variable, `limit`. */
const VALUE = '64'.padStart(64, '0');
const LAYOUT = { code_layout: { limit: { type: 'uint256', offset: 0, length: 32 } } };
const NO_LAYOUT = { code_layout: {} };

interface VyperArtifact {
  readonly deployedBytecode: string;
  readonly bytecode?: string;
  readonly layout?: object;
}

describe('deployed code of Vyper', () => {
  let anvil: Anvil;
  let node: NodeRpc;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    node = createNodeRpc(anvil.url);
    await fundSender(node);
  });
  after(() => anvil.stop());

  async function compare(artifact: VyperArtifact, code: string): Promise<CodeComparison> {
    await node.call('anvil_setCode', [TARGET, code]);
    const client = createChainClient({
      url: anvil.url,
      fetch: globalThis.fetch as never,
      clock: systemClock,
    });
    const block = BigInt((await node.call('eth_blockNumber', [])) as string);
    return compareCode(
      { address: TARGET, block, contract },
      {
        ...{ client, chainId: 31337, contracts: [contract], clock: systemClock },
        files: memoryProject({ [ARTIFACT]: JSON.stringify(artifact) }),
      },
    );
  }

  const expectMatch = async (artifact: VyperArtifact, code: string, match: CodeComparison['match']) => {
    const result = await compare(artifact, code);
    assert.equal(result.match, match, result.reasons.map(formatMessage).join());
    return result;
  };

  for (const [turn, [version, { evm }]] of Object.entries(builds).entries()) {
    const runtime = evm.deployedBytecode.object;
    const creation = evm.bytecode.object;
    const whole = { deployedBytecode: runtime, bytecode: creation, layout: LAYOUT };
    /** Since 0.3.10 the creation code says how long the immutable variables are. */
    const hasSizes = version !== '0.3.7';

    it(`of ${version} has the immutable variables that its constructor appends`, async () => {
      const { address } = await deploy(node, `${creation}${VALUE}` as Hex);
      const deployed = (await node.call('eth_getCode', [address, 'latest'])) as Hex;
      assert.equal(deployed, `${runtime}${VALUE}`);
      const named = await expectMatch(whole, deployed, 'immutables');
      assert.deepEqual(named.immutables, [
        { name: 'limit', offset: runtime.length / 2 - 1, value: `0x${VALUE}` },
      ]);
      const { layout: _, ...bare } = whole;
      const unnamed = await expectMatch(bare, deployed, hasSizes ? 'immutables' : 'unknown');
      if (hasSizes) assert.deepEqual(unnamed.immutables, [{ ...named.immutables[0], name: undefined }]);
    });

    it(`of ${version} is different with one changed byte, or a tail of another length`, async () => {
      const deployed = `${runtime}${VALUE}`;
      const last = runtime.endsWith('00') ? '01' : '00';
      const wrong = [
        ...[`${deployed}00`, deployed.slice(0, -2), `${deployed}${VALUE}`, runtime, runtime.slice(0, -2)],
        ...[`0x00${deployed.slice(4)}`, `${runtime.slice(0, -2)}${last}${VALUE}`, deployed.slice(0, 400)],
      ];
      const changed = Array.from({ length: 8 }, (_, index) => {
        const at = 2 + 2 * Math.floor((index * (runtime.length / 2 - 1)) / 8);
        const byte = Number.parseInt(runtime.slice(at, at + 2), 16) ^ 1;
        return `${runtime.slice(0, at)}${byte.toString(16).padStart(2, '0')}${runtime.slice(at + 2)}${VALUE}`;
      });
      for (const code of byTurns([...wrong, ...changed], 3, turn)) {
        const { offset } = (await expectMatch(whole, code, 'different')).difference ?? {};
        assert.ok(offset !== undefined && offset <= deployed.length / 2);
      }
    });

    it(`of ${version} without immutable variables is exact, and nothing may follow it`, async () => {
      const plain = { deployedBytecode: runtime, layout: NO_LAYOUT };
      const result = await expectMatch(plain, runtime, 'exact');
      assert.match(result.reasons.map(formatMessage).join(), /Vyper writes no hash/);
      for (const code of [`${runtime}00`, `${runtime}${VALUE}`]) await expectMatch(plain, code, 'different');
    });
  }

  it('takes no names from a layout in which immutable variables overlap', async () => {
    const { deployedBytecode, bytecode } = builds['0.4.3'].evm;
    const limit = { offset: 0, length: 32 };
    const names = Array.from({ length: 2_000 }, (_, index) => [`limit${index}`, limit] as const);
    const layout = { code_layout: Object.fromEntries(names) };
    const artifact = { deployedBytecode: deployedBytecode.object, bytecode: bytecode.object, layout };
    const result = await expectMatch(artifact, `${deployedBytecode.object}${VALUE}`, 'immutables');
    assert.deepEqual(pick(result.immutables, 'name'), [undefined]);
  });

  it('of 0.3.4 to 0.3.9 differs in the metadata where only the version of the compiler does', async () => {
    const { object } = builds['0.3.7'].evm.deployedBytecode;
    const own = 'a165767970657283000307000b';
    assert.ok(object.endsWith(own));
    const body = object.slice(0, -own.length);
    const built = { deployedBytecode: object, layout: LAYOUT };
    for (const block of [
      'a165767970657283000304',
      'a165767970657283000305000b',
      'a165767970657283000309000b',
      '',
    ]) {
      const result = await expectMatch(built, `${body}${block}${VALUE}`, 'different');
      assert.deepEqual(result.difference?.functions, []);
    }
  });
});
