import assert from 'node:assert/strict';
import { handmadeProxies } from '../../../../localnet/chain/handmadeProxies.ts';
import { signatureHash } from '../../../../src/core/abi/signatureHash.ts';
import { runsOtherCode } from '../../../../src/core/identity/proxies/byteCode.ts';
import { codePatternOf } from '../../../../src/core/identity/proxies/codePatterns.ts';
import { facetsReturned, getAddressCall } from '../../../../src/core/identity/proxies/getters.ts';
import {
  addressInWord,
  proxySlots,
  resolverSlots,
  shortTextInWord,
} from '../../../../src/core/identity/proxies/slots.ts';
import type { Hex } from '../../../../src/core/index.ts';

const to = `0x${'a1'.repeat(20)}` as const;
const self = `0x${'5e'.repeat(20)}` as const;
const word = (digits: string): Hex => `0x${digits.padStart(64, '0')}`;

describe('the form of a proxy’s code', () => {
  it('names the implementation of clones and of delegated accounts', () => {
    const types = {
      clone: 'eip1167',
      shortClone: 'eip1167',
      cloneWithArguments: 'clone_with_immutable_arguments',
      innerClone: 'minimal_proxy',
      delegated: 'eip7702',
    } as const;
    for (const [name, type] of Object.entries(types)) {
      const code = handmadeProxies[name as keyof typeof types](to);
      assert.deepEqual(codePatternOf(code), { type, implementation: to }, name);
    }
    const byWighawag: Hex = `0x3d3d3d3d363d3d3761002c603736393661002c013d73${to.slice(2)}5af43d3d93803e603557fd5bf3c0ffee`;
    assert.deepEqual(codePatternOf(byWighawag), {
      ...{ type: 'clone_with_immutable_arguments', implementation: to },
    });
  });

  it('tells where the others keep it', () => {
    assert.deepEqual(codePatternOf(handmadeProxies.sequence()), {
      ...{ type: 'sequence_wallet', keptIn: 'ownAddress' },
    });
    const kept = { uups7760: 'eip1967', beacon7760: 'beacon', safe: 'masterCopy', firstSafe: 'masterCopy' };
    for (const [name, place] of Object.entries(kept)) {
      const pattern = codePatternOf(handmadeProxies[name as 'safe']());
      assert.equal(pattern && 'keptIn' in pattern && pattern.keptIn, place, name);
    }
  });

  it('is not seen where a byte differs, where it is longer, or in the middle of much code', () => {
    const clone = handmadeProxies.clone(to);
    assert.equal(codePatternOf(clone.replace('5af43d', '5af13d') as Hex), undefined);
    assert.equal(codePatternOf(`${handmadeProxies.delegated(to)}00`), undefined);
    assert.equal(codePatternOf(`0x${'5b'.repeat(80)}${clone.slice(2)}`), undefined);
    assert.equal(codePatternOf('0x'), undefined);
  });

  it('shows whether code can run that of others: not by data behind a PUSH, nor by the compiler’s metadata', () => {
    assert.equal(runsOtherCode('0x5af4'), true);
    assert.equal(runsOtherCode('0x5af2'), true);
    assert.equal(runsOtherCode('0x60f4'), false);
    assert.equal(runsOtherCode(`0x7f${'f4'.repeat(32)}00`), false);
    assert.equal(runsOtherCode(`0x7f${'f4'.repeat(32)}f4`), true);
    assert.equal(runsOtherCode('0x00a264f4f4f40005'), false);
    assert.equal(runsOtherCode('0x'), false);
    // A length that goes beyond the code cuts nothing off.
    assert.equal(runsOtherCode('0xf4ffff'), true);
  });
});

describe('what proxies store and answer', () => {
  it('stands in the slots that the standards name', () => {
    const below = (name: string) => `0x${(BigInt(signatureHash(name)) - 1n).toString(16)}`;
    assert.equal(proxySlots.eip1967, below('eip1967.proxy.implementation'));
    assert.equal(proxySlots.eip1967Above, signatureHash('eip1967.proxy.implementation'));
    assert.equal(proxySlots.beacon, below('eip1967.proxy.beacon'));
    assert.equal(proxySlots.admin, below('eip1967.proxy.admin'));
    assert.equal(proxySlots.openZeppelin, signatureHash('org.zeppelinos.proxy.implementation'));
    assert.equal(proxySlots.eip1822, signatureHash('PROXIABLE'));
    const { name, registry } = resolverSlots(self);
    assert.notEqual(name, registry);
  });

  it('is an address only where a word is one', () => {
    assert.equal(addressInWord(word(to.slice(2))), to);
    for (const none of ['0x', word('0'), word(`1${to.slice(2)}`), to, 7, null, `0x${'zz'.repeat(32)}`]) {
      assert.equal(addressInWord(none), undefined, String(none));
    }
    assert.equal(addressInWord(word(`1${to.slice(2)}`), { packed: true }), to);
  });

  it('is a short text only in the form of one', () => {
    assert.equal(shortTextInWord(`0x6869${'0'.repeat(58)}04`), '0x6869');
    for (const none of [word('0'), word('5'), word('ff'), '0x04']) {
      assert.equal(shortTextInWord(none), undefined, none);
    }
    assert.equal(getAddressCall('0x6869').length, 2 + 8 + 3 * 64);
  });

  it('is a list of facets without zero, itself and repetition, a hundred at most; one cut off is none', () => {
    const list = (count: number, words: readonly string[]): Hex =>
      `0x${[32, count].map((n) => n.toString(16).padStart(64, '0')).join('')}${words.join('')}`;
    const facet = (n: number) => n.toString(16).padStart(64, '0');
    const read = (data: Hex) => facetsReturned({ state: 'returned', data }, self);
    const words = [facet(1), facet(1), facet(0), self.slice(2).padStart(64, '0'), facet(2)];
    assert.deepEqual(
      read(list(5, words)).facets,
      [1, 2].map((n) => `0x${facet(n).slice(24)}`),
    );
    const many = read(
      list(
        150,
        Array.from({ length: 150 }, (_, n) => facet(n + 1)),
      ),
    );
    assert.deepEqual([many.facets.length, many.left], [100, 50]);
    const none = { facets: [], left: 0 };
    assert.deepEqual(read(list(3, [facet(1)])), none);
    assert.deepEqual(read(list(2 ** 40, [facet(1)])), none);
    assert.deepEqual(read(list(1, ['f'.repeat(64)])), none);
    assert.deepEqual(read(word('40')), none);
    assert.deepEqual(facetsReturned({ state: 'nothing' }, self), none);
  });
});
