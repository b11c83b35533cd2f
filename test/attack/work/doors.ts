import { listAbiEnums, parseAbi } from '../../../src/core/abi/parseAbi.ts';
import { systemClock } from '../../../src/core/base/clock.ts';
import { createTimeSlices } from '../../../src/core/base/timeSlices.ts';
import { explainDifference } from '../../../src/core/code/codeDifference.ts';
import { MAX_DIGITS } from '../../../src/core/code/codeInstructions.ts';
import { matchCode } from '../../../src/core/code/matchCode.ts';
import { readExplorerError } from '../../../src/core/http/fetchJson.ts';
import { listUnknownTypes } from '../../../src/core/logs/proof/blockReceipts.ts';
import { PictureError } from '../../../src/core/nfts/assetUrl.ts';
import { checkPicture } from '../../../src/core/nfts/checkPicture.ts';
import { parseNftMetadata } from '../../../src/core/nfts/metadata.ts';
import { parseTransferItems } from '../../../src/core/providers/blockscout/history.ts';
import { parseRevertReason } from '../../../src/core/providers/blockscout/transactions.ts';
import { parseNftBalances, parseTokenBalances } from '../../../src/core/providers/covalent/holdings.ts';
import { parseNftToken, parseNftTransactions } from '../../../src/core/providers/covalent/nfts.ts';
import { redactJson } from '../../../src/core/secrets/redactKey.ts';
import { parseOtterscanCalls } from '../../../src/core/traces/listedCalls.ts';
import { readCode } from '../../../src/core/traces/readCode.ts';
import { fetchBlock } from '../../../src/core/transactions/block.ts';
import { parseImplementations } from '../../../src/core/verified/verifiedContract.ts';
import {
  editLabelsFile,
  editUnits,
  findChosenContracts,
  findUnits,
  parseLabelsFile,
} from '../../../src/host/names/labelsFile.ts';
import { below, type Chance, fill, hashOf, pick, repeatUnits } from './random.ts';
import { type Work, workOf } from './work.ts';

const MIB = 1024 * 1024;
const ADDRESS = `0x${'5a'.repeat(20)}` as const;
const HASH = `0x${'7a'.repeat(32)}` as const;
const slicing = () => createTimeSlices(systemClock);

const parameters = (count: number, chance: Chance): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ name: `a${index}`, type: pick(chance, ['uint256', 'bytes[][3]', 'uint8', 'tuple', 'enum']) },
    ...{ internalType: pick(chance, ['enum A.B', 'contract C', 'struct L.S', 'uint256']) },
    components: count > 1 ? parameters(Math.floor(count / 2), chance) : [],
  }));

const item = (chance: Chance, most: number) => ({
  ...{ type: pick(chance, ['event', 'error', 'function']), name: 'F' },
  ...{ inputs: parameters(below(chance, most), chance), outputs: parameters(below(chance, 9), chance) },
});

const page = (items: readonly unknown[]) => ({ address: ADDRESS, chain_id: 1, items });

const nft = (chance: Chance, size: number) => ({
  ...{
    contract_address: ADDRESS,
    contract_name: 'N',
    supports_erc: fill(below(chance, size), 9, () => 'erc1155'),
  },
  nft_data: fill(size, 60, (index) => ({ token_id: String(index), supports_erc: ['erc721'] })),
  nft_transactions: fill(size, 120, (index) => ({
    ...{ tx_hash: hashOf(index), block_height: index, successful: true },
    log_events: fill(below(chance, 900), 90, (at) => ({
      ...{ log_offset: at, sender_address: ADDRESS, raw_log_topics: [HASH, HASH, HASH, HASH] },
    })),
  })),
});

/** Items of one kind, as large as fits: one with 60 parameters, each with half as many components, has up to 80 MB. */
function abi(size: number, chance: Chance): readonly object[] {
  let one = item(chance, 1);
  for (let most = 2; most < 64; most *= 2) {
    const larger = item(chance, most);
    if (JSON.stringify(larger).length > size) break;
    one = larger;
  }
  return fill(size, JSON.stringify(one).length, () => one);
}

export const doorsWork: readonly Work[] = [
  workOf('an ABI', 16 * MIB, [
    [abi, (json: unknown) => parseAbi(json)],
    [abi, (json: unknown) => listAbiEnums(json)],
    [
      (size) => fill(size, 160, (index) => `event E${index}(${'uint256 indexed a, '.repeat(7)}uint8 b)`),
      (json: unknown) => parseAbi(json),
    ],
  ]),
  workOf('code of an artifact', 4 * MIB, [
    [
      (size, chance) => ({
        object: repeatUnits(chance, size, ['00', '__$', 'ab', '__', '6000', '_']),
        linkReferences: { 'A.sol': { L: fill(size / 4, 30, (start) => ({ start, length: 20 })) } },
        immutableReferences: Object.fromEntries(
          fill(size / 4, 60, (index) => [index, [{ start: index, length: 32 }]]),
        ),
      }),
      (output: Parameters<typeof readCode>[0]) => readCode(output),
    ],
  ]),
  workOf(
    'deployed code that differs',
    512 * 1024,
    [
      [
        (size, chance) => [makeCode(size, chance), makeCode(size, chance)],
        ([local = '', deployed = '']: readonly string[]) => {
          const digits = local.slice(0, MAX_DIGITS);
          const runtime = { digits, gaps: [], sourceMap: '1:2:0;'.repeat(digits.length / 2) };
          const build = {
            ...{ contract: { abi: [], source: 'A.sol' }, runtime, isOptimized: true, isViaIr: false },
            readSource: async () => undefined,
          };
          const code = `0x${deployed.slice(0, MAX_DIGITS)}` as const;
          return explainDifference(build as never, { code, offset: 0 }, { slices: slicing() });
        },
      ],
      [
        (size, chance) => [makeMetadata(size, chance), makeMetadata(size, chance)],
        ([local = '', deployed = '']: readonly string[]) =>
          matchCode({ digits: local, gaps: [], sourceMap: '' }, `0x${deployed}`, undefined),
      ],
    ],
    500,
  ),
  workOf('a block', 14 * MIB, [
    [
      (size) => fill(size, 170, hashOf),
      (hashes: readonly string[]) =>
        fetchBlock(
          async (method) =>
            method === 'eth_getBlockReceipts'
              ? hashes.map((transactionHash) => ({ transactionHash, status: '0x0' }))
              : { number: '0x10', hash: HASH, transactions: hashes },
          16n,
        ),
    ],
    [
      (size, chance) => fill(size, 70, () => ({ type: pick(chance, ['0x5', '0x7e', HASH]) })),
      (receipts: readonly unknown[]) => listUnknownTypes(receipts),
    ],
  ]),
  workOf('a page of a provider', 16 * MIB, [
    [
      (size, chance) => page(fill(size, size / 4, () => nft(chance, size / 4))),
      (data: unknown) => parseNftBalances(data, { chainId: 1, address: ADDRESS } as never, slicing()),
    ],
    [
      (size, chance) => page(fill(size, size / 4, () => nft(chance, size / 4))),
      (data: unknown) =>
        parseTokenBalances(data, { chainId: 1, address: ADDRESS, quoteCurrency: 'USD' } as never, slicing()),
    ],
    [
      (size, chance) => page([nft(chance, size / 2)]),
      (data: unknown) =>
        parseNftToken(data, { chainId: 1, contract: ADDRESS, tokenId: 7n } as never, slicing()),
    ],
    [
      (size, chance) => page([nft(chance, size / 2)]),
      (data: unknown) =>
        parseNftTransactions(data, { chainId: 1, contract: ADDRESS, tokenId: 7n } as never, slicing()),
    ],
    [
      (size) =>
        fill(size, 200, (index) => ({ transaction_hash: hashOf(index), log_index: index, total: {} })),
      (items: readonly unknown[]) => parseTransferItems(items, { cursor: {} as never, slices: slicing() }),
    ],
    [
      (size) => fill(size, 70, (index) => ({ address: `0x${index.toString(16).padStart(40, '0')}` })),
      (list: readonly unknown[]) => parseImplementations(list, ADDRESS),
    ],
    [
      (size) => page(fill(size, 40, (index) => ({ [`k${index}`]: '5a6b%5a' }))),
      (body: unknown) => redactJson(body, 'Zk3_0123456789abcdef0123456789aQ', slicing()),
    ],
    [
      (size) => ({ raw: `0x${'08c379a0'.repeat(size / 8)}` }),
      (reason: never) => parseRevertReason(reason, undefined),
    ],
    [
      (size) => ({ errors: fill(size, 15, () => ({ detail: 'x' })) }),
      (body: unknown) => readExplorerError(body),
    ],
  ]),
  workOf('metadata of an NFT', MIB, [
    [
      (size) => ({
        name: 'x',
        attributes: fill(size, 60, (index) => ({ trait_type: `${index}`, value: index })),
      }),
      (json: unknown) => parseNftMetadata(json, { slices: slicing() }),
    ],
  ]),
  workOf('labels of a team', MIB, [
    [makeLabels, parseLabelsFile],
    [makeLabels, findChosenContracts],
    [makeLabels, findUnits],
    [makeLabels, (text: string) => editLabelsFile(text, { address: ADDRESS, chainId: 1, name: 'x' })],
    [makeLabels, (text: string) => editUnits(text, { field: 'A.b.c', unit: 'wei' })],
  ]),
  workOf('a picture', 5 * MIB, [
    [
      (size, chance) =>
        new TextEncoder().encode(
          `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${repeatUnits(chance, size, [
            ...['<g>', '</g>', '<path d="M0 0"/>', '<!--', '-->', '&#65;', '<a b="', '">', 'url(#a)'],
          ])}</svg>`,
        ),
      refuse(checkPicture),
    ],
    [
      (size, chance) => {
        const start = pick(chance, [
          ...[
            [0xff, 0xd8],
            [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10],
            [0x47, 0x49, 0x46, 0x38, 0x39, 0x61],
          ],
        ]);
        return Uint8Array.from({ length: size }, (_, at) => start[at] ?? pick(chance, [0, 0xff, 0xc0, 1, 2]));
      },
      refuse(checkPicture),
    ],
  ]),
  workOf('calls of Otterscan', 10 * MIB, [
    [
      (size, chance) => makeListedCalls(size, chance),
      (calls: unknown) => parseOtterscanCalls(calls, { hash: HASH } as never, { slices: slicing() }),
    ],
  ]),
];

/** Entries and units that are none, that are not closed where a scan may look for it, or as they should be. */
function makeLabels(size: number, chance: Chance): string {
  const entry = pick(chance, [
    ...['{}', '[]', '0', '"\\""', '"{["', '[[[{}]]]', '{"contract":"\\"}"}', ' \n '],
    ...[`{"address":"${ADDRESS}","contract":"C","chainId":1}`, `{"address":"${ADDRESS}","name":"C"}`],
  ]);
  const entries = fill(size / 2, entry.length + 1, () => entry).join(entry.trim() === '' ? '' : ',');
  const units = fill(
    size / 2,
    20,
    (index) => `"A.b.c${index}":${pick(chance, ['"wei"', '0', '{}', '"\\""'])}`,
  );
  return `{"labels":[${entries}],"units":{${units.join()}}}`;
}

/** A tree of calls by their depths, one in sixteen with a depth that none can have there. */
function makeListedCalls(size: number, chance: Chance): readonly unknown[] {
  const back = pick(chance, [0, 1, 3, 2000]);
  const data = `0x${'ab'.repeat(below(chance, pick(chance, [1, 40, size / 8])))}`;
  const broken = chance() < 1 / 16;
  let depth = -1;
  return fill(size, 120 + data.length, (index) => {
    const isBack = back > 0 && (depth > 1000 || chance() < 0.3);
    depth =
      index === 0
        ? 0
        : Math.max(1, isBack ? depth - below(chance, back + 1) : Math.min(depth + (back > 0 ? 1 : 0), 1023));
    return {
      ...{ type: pick(chance, ['CALL', 'DELEGATECALL', 'CREATE2', 'SELFDESTRUCT', 'x'.repeat(24)]) },
      ...{ depth: broken && chance() < 0.01 ? pick(chance, [0, -1, 1e9, 0.5]) : depth },
      ...{ from: pick<unknown>(chance, [ADDRESS, undefined, 1]), to: ADDRESS, value: '0x0' },
      ...{ input: data, output: pick(chance, ['0x', data, '0xabc']) },
    };
  });
}

/** Code that repeats itself: blocks that jump to one another, and units at random. */
function makeCode(size: number, chance: Chance): string {
  const body = pick(chance, ['', '01', '0102', '01'.repeat(40), `7f${'00'.repeat(32)}`, '5b5b5b']);
  const bytes = body.length / 2 + 6;
  const count = Math.max(1, Math.floor(size / bytes));
  const place = (index: number) => (5 + bytes * (index % count)).toString(16).padStart(6, '0');
  const step = pick(chance, [1, 3, 7, below(chance, count)]);
  const end = pick(chance, ['56', '57', '50']);
  const blocks = Array.from({ length: count }, (_, index) => `5b${body}62${place(index * step + 1)}${end}`);
  const units = ['5b', '01', '6001', '56', '57', '62000005', '00', '80', '63a9059cbb1462000005', '57'];
  return pick(chance, [
    `62${place(0)}56${blocks.join('')}`,
    `6200000556${repeatUnits(chance, 2 * size, units)}`,
    pick(chance, ['5b', '01', `7f${'ff'.repeat(32)}`])
      .repeat(size)
      .slice(0, 2 * size),
  ]);
}

/** Nothing but metadata of compilers, as of contracts inside of code. */
function makeMetadata(size: number, chance: Chance): string {
  const version = below(chance, 256).toString(16).padStart(2, '0');
  const hash = hashOf(below(chance, size)).slice(2);
  const block = pick(chance, [
    `a165767970657283${version}0101000b`,
    `fea164736f6c6343${version}0815000a`,
    `fea2646970667358221220${hash}64736f6c63430008${version}0033`,
    `a16${version}`,
  ]);
  return `fe${block.repeat(Math.floor((2 * size) / block.length))}`;
}

/** A picture that is not shown is as good as one that is. */
function refuse(check: (bytes: Uint8Array) => unknown) {
  return (bytes: Uint8Array) => {
    try {
      return check(bytes);
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      return undefined;
    }
  };
}
