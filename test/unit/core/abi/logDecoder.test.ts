import assert from 'node:assert/strict';
import type { AbiLookup, Candidate, ChainAddress, Trust } from '../../../../src/core/abi/candidates.ts';
import { describeUndecoded } from '../../../../src/core/abi/eventDecoder.ts';
import { type AbiEvent, parseAbiItem } from '../../../../src/core/abi/item.ts';
import { createLogDecoder, type DecodedLog } from '../../../../src/core/abi/logDecoder.ts';
import { formatMessage } from '../../../../src/core/base/text.ts';
import type { Hex } from '../../../../src/core/eth/hex.ts';
import { toAbiWord } from '../../../../src/core/index.ts';

const ADDRESS = `0x${'c0'.repeat(20)}` as const;
const FROM = `0x${'a1'.repeat(20)}` as const;
const TO = `0x${'b2'.repeat(20)}` as const;
const ERC20 = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const ERC721 = 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)';

function candidate(trust: Trust, text: string, from = 'a list'): Candidate<AbiEvent> {
  const item = parseAbiItem(text) as AbiEvent;
  return { item, origin: { trust, from, contract: undefined, line: undefined } };
}

/** A lookup of these, and how often it was asked. */
function lookupOf(...known: readonly Candidate<AbiEvent>[]) {
  const asked: (readonly [Hex | undefined, ChainAddress | undefined])[] = [];
  const lookup: AbiLookup = {
    events(topic0, at) {
      asked.push([topic0, at]);
      return known.filter(({ item }) => (item.anonymous ? undefined : item.topic0) === topic0);
    },
    errors: () => [],
    functions: () => [],
  };
  return { lookup, asked };
}

const decoderOf = (...known: readonly Candidate<AbiEvent>[]) =>
  createLogDecoder({ lookup: lookupOf(...known).lookup, chainId: 1 });

const transferTopic = (parseAbiItem(ERC20) as AbiEvent).topic0;
const fungible = {
  address: ADDRESS,
  topics: [transferTopic, toAbiWord(FROM), toAbiWord(TO)],
  data: toAbiWord(5n),
};
const single = { address: ADDRESS, topics: [...fungible.topics, toAbiWord(5n)], data: '0x' as Hex };

/** Why it is raw; else names, values, where the event is from, and what else it may be. */
function shown(decoded: DecodedLog): string {
  if ('reason' in decoded) return formatMessage(describeUndecoded(decoded.reason));
  const { event, values, origin, others } = decoded;
  const args = event.inputs.map(({ name }, index) => `${name} ${values[index]}`);
  return [args.join(', '), origin.from, ...others.map((other) => other.origin.from)].join('; ');
}

describe('log decoder', () => {
  it('takes the most trusted that fits, and goes on to less trusted ones where none does', () => {
    const decoder = decoderOf(
      candidate('deployment', ERC721, 'deployed'),
      candidate('workspace', ERC20.replaceAll(/ (from|to|value)/g, ' my$1'), 'first'),
      candidate('workspace', ERC20, 'second'),
      candidate('bundled', ERC20, 'ERC-20'),
    );
    assert.equal(shown(decoder.decode(fungible)), `myfrom ${FROM}, myto ${TO}, myvalue 5; first`);
    assert.equal(shown(decoder.decode(single)), `from ${FROM}, to ${TO}, tokenId 5; deployed`);
  });

  it('shows what of the same trust fits as well under another layout, and nothing of a lower one', () => {
    const other = 'event Transfer(address from, address indexed to, uint256 indexed value)';
    const third = 'event Transfer(address indexed from, address to, uint256 indexed value)';
    const log = { ...fungible, data: toAbiWord(TO) };
    const decoder = decoderOf(
      candidate('workspace', ERC20, 'first'),
      candidate('workspace', other, 'other'),
      candidate('workspace', other.replace(' from', ' sender'), 'same layout'),
      candidate('bundled', third, 'bundled'),
    );
    assert.equal(shown(decoder.decode(log)), `from ${FROM}, to ${TO}, value ${BigInt(TO)}; first; other`);
    // No address: one meaning is left.
    assert.match(shown(decoder.decode({ ...log, data: toAbiWord(2n ** 200n) })), /; first$/);
  });

  it('tries the anonymous events of a contract where topic0 says nothing', () => {
    const noted = candidate(
      'deployment',
      'event Noted(bytes32 indexed id, uint8 level) anonymous',
      'deployed',
    );
    const other = candidate(
      'deployment',
      'event Marked(uint256 indexed id, uint16 level) anonymous',
      'other',
    );
    const { lookup, asked } = lookupOf(noted, other, candidate('bundled', ERC20));
    const decoder = createLogDecoder({ lookup, chainId: 5 });
    const log = { address: ADDRESS, topics: [toAbiWord(9n)], data: toAbiWord(300n) };
    assert.deepEqual(shown(decoder.decode(log)), 'id 9, level 300; other');
    assert.deepEqual(asked, [
      [toAbiWord(9n), { address: ADDRESS, chainId: 5 }],
      [undefined, { address: ADDRESS, chainId: 5 }],
    ]);
    assert.equal(
      shown(decoder.decode({ ...log, data: toAbiWord(3n) })),
      `id ${toAbiWord(9n)}, level 3; deployed; other`,
    );
    const bare = decoderOf(candidate('workspace', 'event Said(string what) anonymous'));
    const data =
      `0x${[32n, 2n].map((word) => toAbiWord(word).slice(2)).join('')}${'6869'.padEnd(64, '0')}` as Hex;
    assert.equal(shown(bare.decode({ address: ADDRESS, topics: [], data })), 'what hi; a list');
    // A known event that does not fit is no anonymous one.
    assert.match(shown(decoder.decode({ ...fungible, data: '0x' })), /^The data does not match Transfer/);
  });

  it('says why a log stays raw', () => {
    const decoder = decoderOf(candidate('bundled', ERC20));
    const reason = (log: Partial<typeof fungible>) => shown(decoder.decode({ ...fungible, ...log }));
    assert.equal(reason({ topics: [] }), 'The log has no topics, and no known anonymous event matches it.');
    assert.equal(reason({ topics: [toAbiWord(1n)] }), `${toAbiWord(1n)}: no known event has this topic0.`);
    assert.equal(
      reason({ topics: single.topics }),
      'Number of topics: 4. The known Transfer(address,address,uint256) has 3.',
    );
    assert.equal(
      reason({ data: `${fungible.data}${'00'.repeat(32)}` }),
      'The data does not match Transfer(address,address,uint256): the data is 32 bytes longer than its types require.',
    );
    assert.equal(
      reason({ topics: [transferTopic, toAbiWord(2n ** 160n), toAbiWord(TO)] }),
      'The data does not match Transfer(address,address,uint256): the padding of a value of type address is not zero.',
    );
  });

  it('asks once for each topic0 and address, and keeps a bounded number', () => {
    const { lookup, asked } = lookupOf(candidate('bundled', ERC20));
    const decoder = createLogDecoder({ lookup, chainId: 1 });
    const at = (index: number) => ({
      ...fungible,
      address: toAbiWord(BigInt(index)).replace(/0{24}/, '') as Hex,
    });
    for (const index of [0, 1, 0, 1]) decoder.decode(at(index));
    assert.equal(asked.length, 2);
    for (let index = 0; index < 10_001; index++) decoder.decode(at(index));
    assert.equal(asked.length, 10_001);
    decoder.decode(at(10_000));
    assert.equal(asked.length, 10_001);
    decoder.decode(at(0));
    assert.equal(asked.length, 10_002);
  });
});
