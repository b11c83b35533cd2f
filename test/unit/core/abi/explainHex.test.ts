import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bytesToHex, encodeAbiParameters, parseAbiParameters, stringToHex } from 'viem';
import { parseAttribution } from '../../../../src/core/abi/callSuffix.ts';
import type { ChainAddress, Trust } from '../../../../src/core/abi/candidates.ts';
import { encodeParameters, toAbiWord } from '../../../../src/core/abi/encode.ts';
import { describeNoMeaning, explainHex, MAX_HEX_DIGITS } from '../../../../src/core/abi/explainHex.ts';
import {
  type DataMeaning,
  describePanicCode,
  formatNestedPath,
  type HexMeaning,
} from '../../../../src/core/abi/hexMeaning.ts';
import { parseAbiItem } from '../../../../src/core/abi/item.ts';
import { createAbiLookup, mergeLookups } from '../../../../src/core/abi/lookup.ts';
import { formatMessage } from '../../../../src/core/base/text.ts';
import type { Hex } from '../../../../src/core/eth/hex.ts';
import { findWordPreimage } from '../../../../src/core/index.ts';
import { getStandardLookup, listStandardItems } from '../../../../src/core/standards/lookup.ts';
import { arbitraryValues } from '../../../support/abi/arbitraryAbi.ts';
import { encodeItem } from '../../../support/decodingStubs.ts';

const lookup = getStandardLookup();
const weth = '0x4200000000000000000000000000000000000006';
const transfer = encodeItem('function transfer(address to, uint256 value)', weth, 5n);
const multicall = (...data: readonly Hex[]) => encodeItem('function multicall(bytes[] data)', data);
const panic = encodeItem('error Panic(uint256 code)', 0x11n);
const revert = (message: string) => encodeItem('error Error(string message)', message);

function known(...items: readonly (readonly [text: string, trust?: Trust])[]) {
  return createAbiLookup(
    items.map(([text, trust = 'workspace']) => {
      return { text, origin: { trust, from: 'src/Shop.sol', contract: 'Shop', line: 1 } };
    }),
  );
}

/** What it is, in short. */
function short(meaning: HexMeaning): string {
  if (!('item' in meaning)) return `${meaning.kind} ${meaning.inputs.map(({ type }) => type.text)}`;
  const fits = 'reason' in meaning ? ' unfit' : '';
  return `${meaning.kind} ${meaning.item.signature} ${meaning.origin.from}${fits}`;
}

function explained(hex: Hex, options: { at?: ChainAddress; with?: typeof lookup } = {}): readonly string[] {
  return explainHex(hex, { lookup: options.with ?? lookup, at: options.at }).map(short);
}

function data(hex: Hex): DataMeaning {
  const [first] = explainHex(hex, { lookup });
  assert.ok(first && 'item' in first && 'values' in first);
  return first;
}

/** Each nested meaning with its path, in order, inner ones behind the outer. */
function inside({ item, nested }: DataMeaning): readonly string[] {
  return nested.flatMap(({ path, meanings: [first] }) => {
    assert.ok(first);
    const place = formatNestedPath(item.inputs, path);
    return [`${place} ${first.item.name}`, ...inside(first).map((inner) => `${place} > ${inner}`)];
  });
}

describe('hex explained', () => {
  it('reads a selector as a function or an error', () => {
    assert.deepEqual(explained('0xa9059cbb'), ['function transfer(address,uint256) ERC-20']);
    assert.deepEqual(explained('0xd93c0665'), ['error EnforcedPause() Pausable']);
    assert.deepEqual(explained('0x08c379a0'), ['error Error(string) Solidity']);
    assert.deepEqual(explained('0xA9059CBB'), explained('0xa9059cbb'));
  });

  it('gives all that share a selector, the most trusted first', () => {
    // 0x00000000 of both: found by trying names.
    const lookupOf = known(
      ['function BlazingIt4490597615()', 'bundled'],
      ['error wycpnbqcyf()', 'deployment'],
      ['function wycpnbqcyf()'],
    );
    assert.deepEqual(explained('0x00000000', { with: lookupOf }), [
      'error wycpnbqcyf() src/Shop.sol',
      'function wycpnbqcyf() src/Shop.sol',
      'function BlazingIt4490597615() src/Shop.sol',
    ]);
  });

  it('reads a topic0 before a number', () => {
    assert.deepEqual(explained('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'), [
      'event Transfer(address,address,uint256) ERC-20',
      'event Transfer(address,address,uint256) ERC-721',
      'word uint256',
    ]);
  });

  it('reads a word as all that it may be', () => {
    assert.deepEqual(explained(toAbiWord(5n)), ['word uint256']);
    assert.deepEqual(explained(toAbiWord(weth)), ['word address', 'word uint256']);
    assert.deepEqual(explained(stringToHex('USDC', { size: 32 })), ['word string', 'word uint256']);
    assert.deepEqual(
      explainHex(`0x${'f'.repeat(64)}`, { lookup }).map((meaning) => 'values' in meaning && meaning.values),
      [[-1n], [2n ** 256n - 1n]],
    );
  });

  it('reads what Solidity reverts with', () => {
    const { kind, values } = data(revert('not enough'));
    assert.deepEqual([kind, values], ['revert', ['not enough']]);
    assert.equal(data(panic).note?.template, 'an integer overflowed or underflowed');
    assert.deepEqual(explained(panic, { with: mergeLookups() }), ['revert Panic(uint256) Solidity']);
  });

  it('has words for each documented panic, and for another', () => {
    const codes = [0x00n, 0x01n, 0x11n, 0x12n, 0x21n, 0x22n, 0x31n, 0x32n, 0x41n, 0x51n];
    const gateway = 'https://gateway.example/{sender}/{data}.json';
    const item =
      'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)';
    const offChainWith = (...urls: readonly string[]) =>
      explainHex(encodeItem(item, weth, urls, '0x3b3b57de', '0xb4a85801', '0x'), { lookup })[0];
    const offChain = offChainWith(gateway);
    assert.ok(offChain && 'note' in offChain && offChain.note && 'origin' in offChain);
    assert.match(
      formatMessage(offChain.note),
      /^the data are off chain, and the contract works: a client that calls the sender itself/,
    );
    assert.equal(offChain.origin.from, 'ERC-3668');
    const withoutUrl = offChainWith();
    assert.ok(withoutUrl && 'note' in withoutUrl && withoutUrl.note === undefined);
    const meaningOf = (code: bigint) => formatMessage(describePanicCode(code));
    assert.equal(new Set(codes.map(meaningOf)).size, codes.length);
    assert.ok(!codes.map(meaningOf).includes(meaningOf(0x99n)));
  });

  it('reads the calls inside a call, three deep', () => {
    const calls = multicall(transfer, transfer);
    const safe =
      'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)';
    const inSafe = encodeItem(safe, weth, 0n, calls, 0n, 0n, 0n, 0n, weth, weth, '0x');
    assert.deepEqual(inside(data(inSafe)), [
      'data multicall',
      'data > data[0] transfer',
      'data > data[1] transfer',
    ]);
    let deep = transfer;
    for (let level = 0; level < 5; level++) deep = multicall(deep);
    assert.equal(inside(data(deep)).at(-1), 'data[0] > data[0] > data[0] multicall');
  });

  it('reads the revert that an error carries', () => {
    const item = 'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)';
    const outer = encodeItem(item, 0n, 'AA23 reverted', revert('AA23'));
    assert.deepEqual(inside(data(outer)), ['inner Error']);
  });

  it('explains no more nested calls than a person reads', () => {
    const { nested } = data(multicall(...Array.from({ length: 1000 }, () => transfer)));
    assert.equal(nested.length, 256);
  });

  it('does not trust what is deployed somewhere for calls that go elsewhere', () => {
    const at: ChainAddress = { address: weth, chainId: 10 };
    const asked: unknown[] = [];
    const watched = {
      ...lookup,
      functions: (selector: Hex, place?: ChainAddress) => {
        asked.push([selector, place]);
        return lookup.functions(selector);
      },
    };
    explainHex(multicall(transfer), { lookup: watched, at });
    assert.deepEqual(asked, [
      ['0xac9650d8', at],
      ['0xa9059cbb', undefined],
    ]);
  });

  it('says why the bytes behind a known selector are not its arguments', () => {
    const [meaning, ...others] = explainHex(transfer.slice(0, -2) as Hex, { lookup });
    assert.ok(meaning && 'reason' in meaning && meaning.reason.template !== '');
    assert.deepEqual([short(meaning), others], ['calldata transfer(address,uint256) ERC-20 unfit', []]);
    assert.deepEqual(
      explained(`${panic}00`),
      ['revert Panic(uint256) Solidity unfit'],
      'nothing follows an error',
    );
  });

  it('gives what fits before what does not', () => {
    // Found by trying names as well: it has the selector of transfer.
    const other = mergeLookups(known(['function many_msg_babbage(bytes1 a)', 'deployment']), lookup);
    assert.deepEqual(
      explained('0xa9059cbb', { with: other })[0],
      'function many_msg_babbage(bytes1) src/Shop.sol',
    );
    assert.deepEqual(explained(transfer, { with: other }), [
      'calldata transfer(address,uint256) ERC-20',
      'calldata many_msg_babbage(bytes1) src/Shop.sol unfit',
    ]);
    const panics = known(['function Panic(uint256 a)', 'deployment'], ['error Panic(uint256 code)']);
    assert.deepEqual(explained(panic, { with: panics }), [
      'calldata Panic(uint256) src/Shop.sol',
      'revert Panic(uint256) src/Shop.sol',
    ]);
  });

  it('reads words as one value that fits to the last byte, or as words', () => {
    const encode = (types: string, ...values: readonly unknown[]) =>
      encodeAbiParameters(parseAbiParameters(types), values as []);
    assert.deepEqual(explained(encode('string', 'hello')), [
      'blob string',
      'blob bytes',
      'blob bytes32,bytes32,bytes32',
    ]);
    assert.deepEqual(explained(encode('address[]', [weth]))[0], 'blob address[]');
    assert.deepEqual(explained(encode('uint256[]', [1n]))[0], 'blob uint256[]');
    assert.deepEqual(explained(encode('uint256, uint256', 1n, 2n)), ['blob bytes32,bytes32']);
    assert.deepEqual(explained(encode('bytes', '0x')), ['blob bytes32,bytes32']);
    const [calls] = explainHex(encode('bytes[]', [transfer]), { lookup });
    assert.ok(calls && 'nested' in calls);
    assert.equal(calls.nested[0]?.meanings[0]?.item.name, 'transfer');
  });

  it('reads words that begin with a known selector as words first', () => {
    assert.deepEqual(explained(transfer.slice(0, 2 + 128) as Hex), [
      'blob bytes32,bytes32',
      'calldata transfer(address,uint256) ERC-20 unfit',
    ]);
  });

  it('tries no more candidates than one hash plausibly has', () => {
    const [error] = known(['error Paid()']).errors('0x34ec5380');
    assert.ok(error);
    const crowd = Array.from({ length: 100 }, (_, index) => {
      return { ...error, item: { ...error.item, signature: `Paid${index}()` } };
    });
    const crowded = { events: () => [], errors: () => crowd, functions: () => [] };
    assert.equal(explained('0x34ec5380', { with: crowded }).length, 16);
  });

  it('has nothing to say of what it does not know, and says so', () => {
    const none: readonly (readonly [Hex, RegExp])[] = [
      ['0x', /short/],
      ['0x12345', /Not hex/],
      ['0xzz', /Not hex/],
      ['0x123456', /short/],
      ['0x12345678', /selector 0x12345678/],
      [`0x12345678${'00'.repeat(32)}`, /selector 0x12345678/],
      [weth, /address/],
      [`0x${'11'.repeat(32 * 300)}`, /Words/],
      [`0x${'0'.repeat(MAX_HEX_DIGITS + 2)}`, /1 MiB/],
    ];
    for (const [hex, why] of none) {
      assert.deepEqual(explained(hex), []);
      assert.match(formatMessage(describeNoMeaning(hex)), why);
    }
  });

  it('reads whatever values the items of the lists are encoded with', () => {
    const items = [...listStandardItems()].flatMap(({ text }) => {
      const item = parseAbiItem(text);
      return item && item.kind !== 'event' && item.inputs.length > 0 ? [item] : [];
    });
    const cases = fc
      .constantFrom(...items)
      .chain((item) => arbitraryValues(item.inputs).map((values) => ({ item, values })));
    fc.assert(
      fc.property(cases, ({ item, values }) => {
        const hex: Hex = `${item.selector}${encodeParameters(item.inputs, values).slice(2)}`;
        const found = explainHex(hex, { lookup }).find(
          (meaning) => 'item' in meaning && 'values' in meaning && meaning.item.signature === item.signature,
        );
        assert.ok(found && 'values' in found);
        assert.deepEqual(found.values, values);
      }),
    );
  });

  it('never throws, and shows as right only what encodes to the same bytes', () => {
    const whole = [transfer, multicall(transfer, transfer), revert('no')];
    const change = fc.tuple(fc.nat(2000), fc.constantFrom('0', '1', '8', 'f', ''));
    fc.assert(
      fc.property(fc.constantFrom(...whole), fc.array(change, { maxLength: 4 }), (start, changes) => {
        let hex: string = start;
        for (const [place, digit] of changes) {
          const at = 2 + (place % (hex.length - 2));
          hex = hex.slice(0, at) + digit + hex.slice(digit === '' ? at + 2 : at + 1);
        }
        for (const meaning of explainHex(hex as Hex, { lookup })) {
          if (!('item' in meaning) || !('values' in meaning)) continue;
          const encoded = encodeParameters(meaning.item.inputs, meaning.values);
          const behind = meaning.suffix?.data.slice(2) ?? '';
          assert.equal(hex, meaning.item.selector + encoded.slice(2) + behind);
        }
      }),
    );
  });
});

describe('bytes behind the arguments of a call', () => {
  const marker = '80218021802180218021802180218021';
  const text = (codes: string) => stringToHex(codes).slice(2);
  const ofSchema0 = `${text('baseapp')}0700${marker}`;

  it('are no arguments, and are named as such', () => {
    for (const behind of ['00', '360c6ebe', '7'.padStart(64, '0'), '0'.repeat(56), ofSchema0]) {
      const { item, values, suffix } = data(`${transfer}${behind}`);
      assert.deepEqual([item.name, values, suffix?.data], ['transfer', [weth, 5n], `0x${behind}`]);
    }
    assert.equal(data(transfer).suffix, undefined);
  });

  it('may follow dynamic arguments, or none', () => {
    const { values, suffix, nested } = data(`${multicall(transfer)}360c6ebe`);
    assert.deepEqual([values, suffix?.data, nested.length], [[[transfer]], '0x360c6ebe', 1]);
    const deposit = data(`0xd0e30db0${ofSchema0}`);
    assert.deepEqual(
      [deposit.item.signature, deposit.values, deposit.suffix?.attribution?.codes],
      ['deposit()', [], ['baseapp']],
    );
    const word = `0xd0e30db0${text('shop,app,x')}0a00${marker}` as const;
    assert.deepEqual(explained(word)[0], 'calldata deposit() WETH9', 'though it is a word');
  });

  it('do not make words a call to a function without parameters', () => {
    const golfed = known(['function BlazingIt4490597615()']);
    assert.deepEqual(explained(toAbiWord(5n), { with: golfed }), ['word uint256']);
    assert.deepEqual(explained(`0x${'0'.repeat(128)}`, { with: golfed }), ['blob bytes32,bytes32']);
  });

  it('count less than a function that fits exactly, and more than one that only a database knows', () => {
    const long: Hex = `${transfer}${'7'.padStart(64, '0')}`;
    // Candidates of one selector; nobody has found a name for the second.
    const [short] = lookup.functions('0xa9059cbb');
    assert.ok(short);
    const word = { name: '', type: { kind: 'fixedBytes', size: 32, text: 'bytes32' } } as const;
    const item = { ...short.item, signature: 'x(bytes32,bytes32,bytes32)', inputs: [word, word, word] };
    const and = (trust: Trust) => ({
      ...lookup,
      functions: () => [short, { item, origin: { ...short.origin, trust } }],
    });
    const names = (trust: Trust) =>
      explainHex(long, { lookup: and(trust) }).map((meaning) => 'item' in meaning && meaning.item.signature);
    assert.deepEqual(names('workspace'), ['x(bytes32,bytes32,bytes32)', 'transfer(address,uint256)']);
    assert.deepEqual(names('signatures'), ['transfer(address,uint256)', 'x(bytes32,bytes32,bytes32)']);
  });

  it('of a call inside a call are found if they are an attribution', () => {
    const { nested } = data(multicall(`${transfer}${ofSchema0}`));
    assert.deepEqual(nested[0]?.meanings[0]?.suffix?.attribution?.codes, ['baseapp']);
    assert.deepEqual(data(multicall(`${transfer}360c6ebe`)).nested, []);
  });

  it('are an attribution in each schema of ERC-8021', () => {
    const registry = `0x${'c'.repeat(40)}` as const;
    // {"a": "app", "m": {"n": [1, -1, true]}, "s": ["x", "y"], "w": "wallet"}
    const map = 'a461616361707061 6da1616e830120f5 6173826178 6179 617766 77616c6c6574'.replaceAll(' ', '');
    for (const [behind, schema, ...codes] of [
      [ofSchema0, 0, 'baseapp'],
      [`${text('baseapp,morpho')}0e00${marker}`, 0, 'baseapp', 'morpho'],
      [`0000${marker}`, 0],
      [`${registry.slice(2)}210502${text('baseapp,morpho')}0e01${marker}`, 1, 'baseapp', 'morpho'],
      [`a161616762617365617070000b02${marker}`, 2, 'baseapp'],
      [`${map}002002${marker}`, 2, 'app', 'wallet', 'x', 'y'],
      [`00ff${marker}`, 255],
    ] as const) {
      const { suffix } = data(`${transfer}${behind as ''}`);
      const chain = schema === 1 ? { address: registry, chainId: '8453' } : undefined;
      assert.deepEqual(suffix, { data: `0x${behind}`, attribution: { schema, codes, registry: chain } });
    }
    for (const behind of [
      ...[marker, `00${marker}`, `ff00${marker}`, `${text('a')}0101${marker}`, `ffff02${marker}`],
      ...[`9f000102${marker}`, `80000102${marker}`, `a1616102${marker}`, `bb7fffffffffffffff000902${marker}`],
      ...[`${'81'.repeat(300)}012c02${marker}`, '360c6ebe'],
    ]) {
      const { suffix } = data(`${transfer}${behind as ''}`);
      assert.deepEqual(suffix, { data: `0x${behind}`, attribution: undefined }, behind);
    }
  });

  it('have codes that are one line of text', () => {
    const { suffix } = data(`${transfer}${text('a\n\u202eb,,c')}0900${marker}`);
    assert.deepEqual(suffix?.attribution?.codes, ['a<U+000A><U+202E>b', 'c']);
  });

  it('are an attribution without a function that is known, too', () => {
    assert.match(formatMessage(describeNoMeaning(`0x12345678${ofSchema0}`)), /0x12345678\. .*ERC-8021/);
  });

  it('never throw', () => {
    const bytes = fc.uint8Array({ maxLength: 80 }).map((each) => bytesToHex(each));
    fc.assert(
      fc.property(bytes, fc.nat(4), (before, schema) => {
        parseAttribution(`${before}0${schema}${marker}`);
      }),
    );
  });
});

describe('Words that are known', () => {
  it('are roles, types of EIP-712 and slots, by the hashes that their standards publish', () => {
    const published = {
      '0x65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a': 'keccak256("PAUSER_ROLE")',
      '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9':
        'keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)")',
      '0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f':
        'keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)")',
      '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc':
        'keccak256("eip1967.proxy.implementation") - 1',
      '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103':
        'keccak256("eip1967.proxy.admin") - 1',
      '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50':
        'keccak256("eip1967.proxy.beacon") - 1',
      '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7': 'keccak256("PROXIABLE")',
      '0xc8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c':
        'keccak256("diamond.standard.diamond.storage")',
      '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3':
        'keccak256("org.zeppelinos.proxy.implementation")',
      '0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00':
        'erc7201("openzeppelin.storage.ERC20")',
    } as const;
    for (const [word, text] of Object.entries(published))
      assert.equal(findWordPreimage(word as `0x${string}`), text);
  });

  it('are no others', () => {
    for (const word of [toAbiWord(0n), '0x'] as const) assert.equal(findWordPreimage(word), undefined);
  });
});
