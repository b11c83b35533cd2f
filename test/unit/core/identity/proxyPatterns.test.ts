import assert from 'node:assert/strict';
import { handmadeProxies } from '../../../../localnet/chain/handmadeProxies.ts';
import { hashSignature } from '../../../../src/core/eth/keccak.ts';
import {
  decodeFacets,
  encodeGetAddress,
  getResolverSlots,
  hasDelegateCall,
  matchCodePattern,
  parseAddressWord,
  parseShortTextWord,
  proxySlots,
} from '../../../../src/core/identity/proxyPatterns.ts';
import { type ContractSnapshot, findProxyCandidates } from '../../../../src/core/identity/proxyReader.ts';
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
      assert.deepEqual(matchCodePattern(code), { type, implementation: to }, name);
    }
    const byWighawag: Hex = `0x3d3d3d3d363d3d3761002c603736393661002c013d73${to.slice(2)}5af43d3d93803e603557fd5bf3c0ffee`;
    assert.deepEqual(matchCodePattern(byWighawag), {
      ...{ type: 'clone_with_immutable_arguments', implementation: to },
    });
  });

  it('names the implementation in forms that leave out zeros, use PUSH0, log, or are of another maker', () => {
    const digits = to.slice(2);
    const short = digits.slice(8);
    const log = `${'9e'.repeat(32)}`;
    const forms: (readonly [type: string, implementation: string, code: string])[] = [
      ['eip1167', `00000000${short}`, `363d3d373d3d3d363d6f${short}5af43d82803e903d91602757fd5bf3`],
      ['eip1167', digits, `365f5f375f5f365f73${digits}5af43d5f5f3e5f3d91602a57fd5bf3`],
      ['eip1167', digits, `5f5f365f5f37365f73${digits}5af43d5f5f3e6029573d5ffd5b3d5ff3`],
      [
        'clone_with_immutable_arguments',
        digits,
        `36602c57343d527f${log}593da1005b363d3d373d3d3d3d610037806062363936013d73${digits}5af43d3d93803e606057fd5bf3c0ffee0002`,
      ],
      // Vyper's first, as Uniswap's exchanges have it.
      ['minimal_proxy', digits, `366000600037611000600036600073${digits}5af41558576110006000f3`],
    ];
    const longArguments = 'c0ffee'.repeat(40);
    for (const code of [
      `3d3d3d3d363d3d37363d73${digits}5af43d3d93803e602a57fd5bf3`,
      `365f5f375f5f365f73${digits}5af43d5f5f3e5f3d91602a57fd5bf3`,
      `5f5f365f5f37365f73${digits}5af43d5f5f3e6029573d5ffd5b3d5ff3`,
    ])
      forms.push(['clone_with_immutable_arguments', digits, `${code}${longArguments}`]);
    for (const [type, implementation, code] of forms) {
      assert.deepEqual(matchCodePattern(`0x${code}`), { type, implementation: `0x${implementation}` }, code);
    }
    const meta = `363d3d373d3d3d3d60368038038091363936013d73${digits}5af43d3d93803e603457fd5bf3`;
    for (const bytes of [0, 1, 32, 20_000]) {
      const length = bytes.toString(16).padStart(64, '0');
      assert.deepEqual(
        matchCodePattern(`0x${meta}${'5a'.repeat(bytes)}${length}`),
        { type: 'clone_with_immutable_arguments', implementation: to },
        `${bytes} bytes of ERC-3448`,
      );
    }
    // Without the data of the call it is no forwarding, and what is pushed as data is none either.
    assert.equal(matchCodePattern(`0x60006000600060006000${'73'}${digits}5af4`), undefined);
    assert.equal(matchCodePattern(`0x367f37${'00'.repeat(8)}73${digits}5af400`), undefined);
  });

  it('tells where the others keep it', () => {
    assert.deepEqual(matchCodePattern(handmadeProxies.sequence()), {
      ...{ type: 'sequence_wallet', storedIn: 'ownAddress' },
    });
    const kept = { uups7760: 'eip1967', beacon7760: 'beacon', safe: 'masterCopy', firstSafe: 'masterCopy' };
    for (const [name, place] of Object.entries(kept)) {
      const pattern = matchCodePattern(handmadeProxies[name as 'safe']());
      assert.equal(pattern && 'storedIn' in pattern && pattern.storedIn, place, name);
    }
  });

  it('is not seen where a byte differs, where it is longer, or in the middle of much code', () => {
    const clone = handmadeProxies.clone(to);
    assert.equal(matchCodePattern(clone.replace('5af43d', '5af13d') as Hex), undefined);
    assert.equal(matchCodePattern(`${handmadeProxies.delegated(to)}00`), undefined);
    assert.equal(matchCodePattern(`0x${'5b'.repeat(80)}${clone.slice(2)}`), undefined);
    assert.equal(matchCodePattern('0x'), undefined);
  });

  it('shows whether code can run that of others: not by data behind a PUSH, nor by the compiler’s metadata', () => {
    assert.equal(hasDelegateCall('0x5af4'), true);
    assert.equal(hasDelegateCall('0x5af2'), true);
    assert.equal(hasDelegateCall('0x60f4'), false);
    assert.equal(hasDelegateCall(`0x7f${'f4'.repeat(32)}00`), false);
    assert.equal(hasDelegateCall(`0x7f${'f4'.repeat(32)}f4`), true);
    assert.equal(hasDelegateCall('0x00a264f4f4f40005'), false);
    assert.equal(hasDelegateCall('0x'), false);
    // A length that goes beyond the code cuts nothing off.
    assert.equal(hasDelegateCall('0xf4ffff'), true);
  });
});

describe('what is believed of a contract', () => {
  const other = `0x${'b2'.repeat(20)}` as const;
  const nothing = { state: 'nothing' } as const;
  const returned = (address: Hex) => ({ state: 'returned', data: word(address.slice(2)) }) as const;
  const none = Object.fromEntries(
    [...Object.keys(proxySlots), 'ownAddress', 'resolverName', 'resolver'].map((name) => [name, word('0')]),
  ) as ContractSnapshot['slots'];
  const look = (code: Hex, more: Partial<ContractSnapshot> = {}): ContractSnapshot => ({
    ...{ address: self, code, slots: none, getters: [], facets: nothing, target: nothing, isComplete: true },
    ...more,
  });
  const typesOf = (one: ContractSnapshot) => findProxyCandidates(one).map(({ type }) => type);
  const claims = { getters: [returned(to)] };
  const list: Hex = `0x${[32, 1].map((n) => n.toString(16).padStart(64, '0')).join('')}${word(to.slice(2)).slice(2)}`;
  const facets = { facets: { state: 'returned', data: list } } as const;

  it('is no function that it has itself and cannot hand on, such as that of a beacon', () => {
    assert.deepEqual(typesOf(look('0x635c60da1b14', claims)), []);
    assert.deepEqual(typesOf(look('0x6352ef6b2c14', facets)), []);
  });

  it('is what it answers although its code has no such function, and cannot be seen to run others', () => {
    assert.deepEqual(typesOf(look('0x60806040', claims)), ['basic_implementation']);
    assert.deepEqual(typesOf(look('0x60806040', facets)), ['eip2535']);
  });

  it('is a slot first; a function that says otherwise is told beside it, whatever the code', () => {
    const slots = { ...none, eip1967: word(other.slice(2)) };
    const lying = look('0x635c60da1b14', { slots, ...claims });
    assert.deepEqual(typesOf(lying), ['eip1967', 'basic_implementation']);
  });

  it('is what target() returns, of code that can CALL it and has that function itself', () => {
    const target = { target: returned(to) };
    const proxy: Hex = '0x63d4b83992146000600060006000600060005af1';
    assert.deepEqual(typesOf(look(proxy, target)), ['call_target']);
    // Synthetix' first proxies can do either.
    assert.deepEqual(typesOf(look(`${proxy}5af4`, target)), ['call_target']);
    const [found] = findProxyCandidates(look(proxy, target));
    assert.deepEqual([found?.implementations, found?.isClaim], [[to], true]);
  });

  it('is no target() of a contract that cannot CALL, of another proxy, of much code, or of a Zodiac module', () => {
    const target = { target: returned(to) };
    const proxy: Hex = '0x63d4b83992146000600060006000600060005af1';
    const none1967 = { ...none, eip1967: word(other.slice(2)) };
    assert.deepEqual(typesOf(look('0x63d4b839921400', target)), []);
    assert.deepEqual(typesOf(look('0x60806040f1', target)), []);
    assert.deepEqual(typesOf(look(`${proxy}635aef7de614`, target)), []);
    assert.deepEqual(typesOf(look(`${proxy}${'5b'.repeat(6 * 1024)}`, target)), []);
    assert.deepEqual(typesOf(look(proxy, { target: nothing })), []);
    assert.deepEqual(typesOf(look(proxy, { target: returned(self) })), []);
    assert.deepEqual(typesOf(look(proxy, { ...target, slots: none1967 })), ['eip1967']);
  });

  it('is a delegation of an account to itself, and no slot that names the contract', () => {
    assert.deepEqual(typesOf(look(`0xef0100${self.slice(2)}`)), ['eip7702']);
    assert.deepEqual(typesOf(look(`0xef0100${'0'.repeat(40)}`)), []);
    assert.deepEqual(typesOf(look('0x5af4', { slots: { ...none, eip1967: word(self.slice(2)) } })), []);
  });

  it('asks a beacon by both names that beacons have for it', () => {
    const [beacon] = findProxyCandidates(look('0x5af4', { slots: { ...none, beacon: word(to.slice(2)) } }));
    const selector = (signature: string) => hashSignature(signature).slice(0, 10);
    assert.deepEqual(beacon?.getters, {
      contract: to,
      anyOf: [selector('implementation()'), selector('childImplementation()')],
    });
  });
});

describe('what proxies store and answer', () => {
  it('stands in the slots that the standards name', () => {
    const below = (name: string) => `0x${(BigInt(hashSignature(name)) - 1n).toString(16)}`;
    assert.equal(proxySlots.eip1967, below('eip1967.proxy.implementation'));
    assert.equal(proxySlots.eip1967Above, hashSignature('eip1967.proxy.implementation'));
    assert.equal(proxySlots.beacon, below('eip1967.proxy.beacon'));
    assert.equal(proxySlots.admin, below('eip1967.proxy.admin'));
    assert.equal(proxySlots.openZeppelin, hashSignature('org.zeppelinos.proxy.implementation'));
    assert.equal(proxySlots.eip1822, hashSignature('PROXIABLE'));
    const { name, registry } = getResolverSlots(self);
    assert.notEqual(name, registry);
  });

  it('is an address only where a word is one', () => {
    assert.equal(parseAddressWord(word(to.slice(2))), to);
    for (const none of ['0x', word('0'), word(`1${to.slice(2)}`), to, 7, null, `0x${'zz'.repeat(32)}`]) {
      assert.equal(parseAddressWord(none), undefined, String(none));
    }
    assert.equal(parseAddressWord(word(`1${to.slice(2)}`), { packed: true }), to);
  });

  it('is a short text only in the form of one', () => {
    assert.equal(parseShortTextWord(`0x6869${'0'.repeat(58)}04`), '0x6869');
    for (const none of [word('0'), word('5'), word('ff'), '0x04']) {
      assert.equal(parseShortTextWord(none), undefined, none);
    }
    assert.equal(encodeGetAddress('0x6869').length, 2 + 8 + 3 * 64);
  });

  it('is a list of facets without zero, itself and repetition, a hundred at most; one cut off is none', () => {
    const list = (count: number, words: readonly string[]): Hex =>
      `0x${[32, count].map((n) => n.toString(16).padStart(64, '0')).join('')}${words.join('')}`;
    const facet = (n: number) => n.toString(16).padStart(64, '0');
    const read = (data: Hex) => decodeFacets({ state: 'returned', data }, self);
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
    assert.deepEqual(decodeFacets({ state: 'nothing' }, self), none);
  });
});
