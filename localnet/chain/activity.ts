import { AbiFunction } from 'ox';
import { calls } from './calls.ts';
import type { DemoChain } from './demoChain.ts';
import type { NodeRpc } from './nodeRpc.ts';
import { createRandom } from './random.ts';
import type { Address, Send } from './transactions.ts';

/** Mines new blocks with a transfer of tokens and one of coins in each. */
export type Activity = {
  mine(blocks?: number): Promise<void>;
  /** Does `work` while nothing is sent from here: the accounts and their nonces are its own for that time. */
  pauseFor(work: () => Promise<void>): Promise<void>;
  /** Mines one block each so many seconds, until stopped; none afterwards for those that a pause left out. */
  mineEvery(seconds: number): void;
  stop(): Promise<void>;
};

export function createActivity(rpc: NodeRpc, send: Send, chain: DemoChain): Activity {
  const { deployer, ...others } = chain.accounts;
  const traders = Object.values(others);
  const random = createRandom(7);
  const pick = (): Address => traders[random.below(traders.length)] ?? deployer;
  let queue = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const mineOne = async (): Promise<void> => {
    const amount = BigInt(1 + random.below(10_000)) * 10_000n;
    const data = AbiFunction.encodeData(calls.transfer, [pick(), amount]);
    await send({ from: pick(), to: chain.contracts.usd.address, data });
    await send({ from: pick(), to: pick(), value: BigInt(1 + random.below(1000)) * 10n ** 13n });
    await rpc.call('evm_mine', []);
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  };
  const mine = (blocks = 1): Promise<void> =>
    inTurn(async () => {
      for (let left = blocks; left > 0; left -= 1) await mineOne();
    });
  return {
    mine,
    pauseFor: inTurn,
    mineEvery(seconds) {
      let isDue = false;
      timer = setInterval(() => {
        if (isDue) return;
        isDue = true;
        const done = () => {
          isDue = false;
        };
        mine().then(done, done);
      }, seconds * 1000);
    },
    async stop() {
      clearInterval(timer);
      await queue;
    },
  };
}
