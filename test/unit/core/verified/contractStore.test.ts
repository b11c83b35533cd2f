import assert from 'node:assert/strict';
import {
  type Address,
  createTimeSlices,
  createVerifiedContractStore,
  systemClock,
  type VerifiedContract,
  type VerifiedProvider,
} from '../../../../src/core/index.ts';

const label = { name: 'sourcify', origin: 'https://s.example', takesKey: false };
const at = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`;

/** A disk, and a service that knows what `contractOf` gives. */
function setUp(contractOf: (address: Address) => Partial<VerifiedContract> | undefined, text?: string) {
  const disk = { text, saves: 0, isFull: false };
  const asked: Address[] = [];
  const source: VerifiedProvider = {
    ...{ label, offers: {}, proxyAt: async () => undefined },
    async verifiedContract(address) {
      asked.push(address);
      const found = contractOf(address);
      return found && { ...known(address), ...found };
    },
    verifiedSources: async () => undefined,
    verifiedOn: async () => ({ source: label, readAt: 0, chainIds: [] }),
  };
  const open = () =>
    createVerifiedContractStore({
      text: {
        load: async () => disk.text,
        save: async (saved) => {
          if (disk.isFull) throw new Error('The disk is full.');
          disk.text = saved;
          disk.saves++;
        },
      },
      slices: createTimeSlices(systemClock),
    });
  return { disk, asked, source, open };
}

function known(address: Address): VerifiedContract {
  return {
    ...{
      source: label,
      readAt: 5,
      address,
      name: 'Shop',
      abi: ['event Paid()'],
      match: 'exact',
      matchId: '7',
    },
    created: { block: 9n, transaction: `0x${'1'.repeat(64)}` },
  };
}

describe('Verified contracts that are kept', () => {
  it('are asked for no more after another start, and are the same', async () => {
    const { asked, source, open } = setUp(() => ({}));
    const first = open();
    const fresh = await first.wrap(source, 1).verifiedContract(at(1));
    await first.save();
    const second = open();
    assert.deepEqual(await second.wrap(source, 1).verifiedContract(at(1)), fresh);
    assert.deepEqual(asked, [at(1)]);
    await second.wrap(source, 2).verifiedContract(at(1));
    assert.equal(asked.length, 2);
  });

  it('are none that can change: proxies, twins, and what has no id', async () => {
    const proxy = { type: 'any', implementations: [{ address: at(9) }] };
    for (const more of [{ proxy }, { match: 'twin' as const }, { matchId: undefined as unknown as string }]) {
      const { disk, asked, source, open } = setUp(() => more);
      const kept = open();
      await kept.wrap(source, 1).verifiedContract(at(1));
      await kept.wrap(source, 1).verifiedContract(at(1));
      await kept.save();
      assert.deepEqual([asked.length, disk.saves], [2, 0]);
    }
    const missing = setUp(() => undefined);
    assert.equal(await missing.open().wrap(missing.source, 1).verifiedContract(at(1)), undefined);
  });

  it('are written again after that has failed, one time after the other', async () => {
    const { disk, source, open } = setUp(() => ({}));
    const kept = open();
    await kept.wrap(source, 1).verifiedContract(at(1));
    disk.isFull = true;
    await assert.rejects(kept.save(), /full/);
    disk.isFull = false;
    await Promise.all([kept.save(), kept.save()]);
    assert.deepEqual([disk.saves, disk.text?.includes('Shop')], [1, true]);
  });

  it('stay cleared where they were being saved at that moment', async () => {
    const { source } = setUp(() => ({}));
    const written: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const save = async (text: string) => {
      begin();
      if (text !== '') await released;
      written.push(text);
    };
    const store = createVerifiedContractStore({
      text: { load: async () => undefined, save },
      slices: createTimeSlices(systemClock),
    });
    await store.wrap(source, 1).verifiedContract(at(1));
    const saving = store.save();
    await begun;
    const clearing = store.clear();
    release();
    await Promise.all([saving, clearing]);
    assert.equal(written.at(-1), '');
  });

  it('are asked for anew once they are cleared, or where that is wanted', async () => {
    const { disk, asked, source, open } = setUp(() => ({}));
    const kept = open();
    const own = kept.wrap(source, 1);
    await own.verifiedContract(at(1));
    await own.verifiedContract(at(1), { fresh: true });
    await kept.save();
    await kept.clear();
    assert.equal(disk.text, '');
    await own.verifiedContract(at(1));
    assert.equal(asked.length, 3);
  });

  it('are a thousand at most, the newest', async () => {
    const { disk, asked, source, open } = setUp(() => ({}));
    const kept = open();
    for (let n = 1; n <= 1_100; n++) await kept.wrap(source, 1).verifiedContract(at(n));
    await kept.save();
    assert.equal(disk.text?.trim().split('\n').length, 1_000);
    asked.length = 0;
    const again = open().wrap(source, 1);
    await again.verifiedContract(at(1_100));
    await again.verifiedContract(at(1));
    assert.deepEqual(asked, [at(1)]);
  });

  it('are passed over where a kept text is broken, or tells of something else', async () => {
    const key = `https://s.example 1 ${at(1)}`;
    const line = (more: object) =>
      JSON.stringify({
        ...{ origin: label.origin, chainId: 1, address: at(1), matchId: '7', match: 'exact' },
        ...{ name: 'Kept', abi: [], readAt: 1, ...more },
      });
    const texts = [
      'nonsense',
      `${key}\t{`,
      `${key}\t${line({ chainId: 2 })}`,
      `${key}\t${line({ address: at(2) })}`,
      `${key}\t${line({ origin: 'https://evil.example' })}`,
      `${key}\t${line({ abi: [5] })}`,
      `${key}\t${line({ block: '-1' })}`,
      `${key}\t${line({ name: 'x'.repeat(600_000) })}`,
    ];
    for (const text of texts) {
      const { source, open } = setUp(() => ({}), text);
      assert.equal((await open().wrap(source, 1).verifiedContract(at(1)))?.name, 'Shop', text.slice(0, 200));
    }
    const { source, open } = setUp(() => ({}), `broken\n${key}\t${line({ name: 'Ke\u202ept' })}\n`);
    assert.equal((await open().wrap(source, 1).verifiedContract(at(1)))?.name, 'Ke<U+202E>pt');
  });
});
