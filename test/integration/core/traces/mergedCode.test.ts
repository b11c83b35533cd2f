import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AbiFunction } from 'ox';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { createSend } from '../../../../localnet/chain/transactions.ts';
import { removeFolder } from '../../../../scripts/support/script.ts';
import type { TransactionTrace } from '../../../../src/core/index.ts';
import { describeInFullRun } from '../../../support/fullRun.ts';
import { type BuildName, compileSources, writeProject } from '../../../support/traces/buildCorpus.ts';
import { createRandom, makeContract } from '../../../support/traces/randomContract.ts';
import { deploy, fundSender, sender } from '../../../support/traces/sendFailures.ts';
import { createTracer } from '../../../support/traces/tracer.ts';

type FailedAt = NonNullable<Extract<TransactionTrace, { state: 'told' }>['failedAt']>;

const FUNCTIONS = 12;
const ARGUMENTS = [
  [0n, 0n],
  [1n, 3n],
  [4n, 4n],
  [2n, 5n],
] as const;

// In a short run, the corpus of failures has merged code.
describeInFullRun('the line where merged code failed', () => {
  let anvil: Anvil;
  const folders: string[] = [];

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    await fundSender(createNodeRpc(anvil.url));
  });
  after(async () => {
    await anvil.stop();
    await Promise.all(folders.map(removeFolder));
  });

  /** Calls each function with all arguments; where those that failed did so, by call. */
  async function failAll(text: string, build: BuildName): Promise<ReadonlyMap<string, FailedAt>> {
    const corpus = await compileSources({ 'src/Random.sol': { content: text } }, build);
    const folder = await mkdtemp(join(tmpdir(), 'chainside-merged-'));
    folders.push(folder);
    await writeProject(folder, corpus, 'foundry');
    const node = createNodeRpc(anvil.url);
    const send = createSend(node);
    const { address } = await deploy(node, `0x${corpus.bytecodes.Random?.object ?? ''}`);
    const calls: (readonly [call: string, hash: `0x${string}`])[] = [];
    for (let index = 0; index < FUNCTIONS; index++) {
      const item = AbiFunction.from(`function f${index}(uint256 a, uint256 b)` as never);
      for (const args of ARGUMENTS) {
        const data = AbiFunction.encodeData(item, args as never);
        const hash = await send({ from: sender, to: address, data, gas: 2_000_000n });
        calls.push([`f${index}(${args})`, hash]);
      }
    }
    await node.call('evm_mine', []);
    const trace = await createTracer(anvil.url, folder);
    const found = new Map<string, FailedAt>();
    for (const [call, hash] of calls) {
      const { failedAt } = await trace(hash);
      if (failedAt) found.set(call, failedAt);
    }
    return found;
  }

  for (let seed = 1; seed <= 20; seed++) {
    it(`is that of the same code without optimizer, or is not certain: contract ${seed}`, async function () {
      this.timeout(60_000);
      const text = makeContract(createRandom(seed), FUNCTIONS);
      const plain = await failAll(text, 'plain');
      const optimized = await failAll(text, 'optimized');
      assert.deepEqual([...optimized.keys()], [...plain.keys()]);
      assert.ok(plain.size > FUNCTIONS);
      let certain = 0;
      for (const [call, truth] of plain) {
        const found = optimized.get(call) ?? assert.fail(call);
        assert.ok(truth.certain, call);
        if (found.certain) {
          certain++;
          assert.deepEqual(found, truth, call);
        } else
          assert.ok(
            found.candidates.some(({ line }) => line === truth.line),
            call,
          );
      }
      assert.ok(certain > plain.size / 2, `${certain} of ${plain.size}`);
    });
  }
});
