import assert from 'node:assert/strict';
import { decodedLogToJson } from '../../../../src/core/abi/logDecoder.ts';
import type { AbiValue } from '../../../../src/core/abi/type.ts';
import { abiValueToJson } from '../../../../src/core/abi/value.ts';
import { eventOf } from '../../../support/eventLogs.ts';

const HASH = `0x${'ab'.repeat(32)}`;

describe('decoded value as JSON', () => {
  const json = (type: string, value: AbiValue) =>
    abiValueToJson(eventOf(`event A(${type} a)`).inputs[0]?.type ?? assert.fail(type), value);

  it('is a decimal string, hex, text, a truth or a list', () => {
    assert.equal(json('int256', -(2n ** 255n)), (-(2n ** 255n)).toString());
    assert.equal(json('uint8', 0n), '0');
    assert.equal(json('bytes', '0x'), '0x');
    assert.equal(json('string', '12'), '12');
    assert.equal(json('bool', false), false);
    assert.deepEqual(json('uint8[][2]', [[1n, 2n], []]), [['1', '2'], []]);
  });

  it('is an object for a tuple only where each member has a name of its own that is no trap', () => {
    const pair = [1n, true];
    assert.deepEqual(json('(uint8 count, bool done)', pair), { count: '1', done: true });
    assert.deepEqual(json('(uint8 toString, bool constructor)', pair), { toString: '1', constructor: true });
    for (const type of [
      '(uint8, bool)',
      '(uint8 count, bool)',
      '(uint8 a, bool a)',
      '(uint8 __proto__, bool done)',
    ]) {
      assert.deepEqual(json(type, pair), ['1', true], type);
    }
    assert.deepEqual(json('(uint8 count, bool done)[]', [pair]), [{ count: '1', done: true }]);
  });
});

describe('decoded log as JSON', () => {
  const event = eventOf('event Put(string indexed key, (uint8 count, bool done) state, address)');
  const address = `0x${'12'.repeat(20)}`;
  const origin = { trust: 'workspace', from: 'src/Put.sol', contract: 'Put', line: 7 } as const;
  const known = { event, values: [HASH, [3n, true], address], origin, others: [] };
  const expected = {
    event: 'Put(string,(uint8,bool),address)',
    name: 'Put',
    args: [
      { name: 'key', type: 'string', indexed: true, value: HASH, hashed: true },
      { name: 'state', type: '(uint8,bool)', indexed: false, value: { count: '3', done: true } },
      { name: '', type: 'address', indexed: false, value: address },
    ],
    source: 'workspace',
    from: 'src/Put.sol',
  };

  it('has event, arguments and where it is known from', () => {
    assert.deepEqual(decodedLogToJson(known), expected);
  });

  it('names what else it may be', () => {
    const other = eventOf('event Put(string key, (uint8, bool) indexed state, address)');
    const others = [{ item: other, origin: { ...origin, from: 'src/Other.sol' } }];
    assert.deepEqual(decodedLogToJson({ ...known, others }), {
      ...expected,
      others: [{ event: 'Put(string,(uint8,bool),address)', source: 'workspace', from: 'src/Other.sol' }],
    });
  });

  it('says why it stays raw', () => {
    const reason = { code: 'topicCount', event, topics: 1 } as const;
    const text = 'Number of topics: 1. The known Put(string,(uint8,bool),address) has 2.';
    assert.deepEqual(decodedLogToJson({ reason }), { reason: text });
  });
});
