import { systemClock } from '../../../src/core/base/clock.ts';
import { createTimeSlices } from '../../../src/core/base/timeSlices.ts';
import type { CodeMetadata } from '../../../src/core/code/codeMetadata.ts';
import { findSettings } from '../../../src/core/code/provedSettings.ts';
import { compareStorage } from '../../../src/core/code/storageChanges.ts';
import { parseStorageLayout } from '../../../src/core/code/storageLayout.ts';
import type { Hex } from '../../../src/core/eth/hex.ts';
import { readHeader } from '../../../src/core/logs/proof/blockHeader.ts';
import { encodeReceipts } from '../../../src/core/logs/proof/blockReceipts.ts';
import { encodeTransactions } from '../../../src/core/logs/proof/blockTransactions.ts';
import { createBloomBuilder } from '../../../src/core/logs/proof/bloom.ts';
import { mapSteps, openMaps } from '../../../src/core/traces/locate.ts';
import { parseCallTracer, parseTraceList } from '../../../src/core/traces/parseCallTracer.ts';
import { findReach } from '../../../src/core/traces/reach.ts';
import type { ContractBuild } from '../../../src/core/traces/readBuilds.ts';
import { compareSources } from '../../../src/core/traces/sourceChanges.ts';
import { parseStepTracer, parseStructLogs } from '../../../src/core/traces/steps.ts';
import { parseStructLogTree } from '../../../src/core/traces/structLogTree.ts';
import { transactionOf } from '../../support/transactions.ts';
import type { Work } from './work.ts';

type Random = () => number;

const MIB = 1024 * 1024;
const slicing = () => ({ slices: createTimeSlices(systemClock) });
const pickOf = <T>(random: Random, ...values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;
const address = (random: Random): Hex =>
  `0x${Math.floor(random() * 2 ** 40)
    .toString(16)
    .padStart(40, '0')}`;
/** So many entries of about `bytes` each. */
const fill = <T>(size: number, bytes: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(size / bytes)) }, (_, index) => make(index));
const hexOf = (bytes: number): Hex => `0x${'ab'.repeat(Math.max(0, Math.floor(bytes)))}`;

const work = <Input>(each: Work<Input>): Work => each as Work;

/** Sizes and offsets of memory: small, at the limits of numbers, and as large as one trace may name. */
const memoryWord = (random: Random) =>
  pickOf(
    random,
    '0',
    '1',
    '20',
    '1f',
    'ff',
    '400000',
    '1000000',
    'ffffffff',
    '20000000000000',
    'f'.repeat(64),
  );

const OPS = ['LOG0', 'LOG4', 'CALL', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'];

function structLogs(size: number, random: Random) {
  let depth = 1;
  const shape = pickOf(random, 'mixed', 'logs', 'ends', 'deep');
  const memory = pickOf<unknown>(
    random,
    undefined,
    null,
    hexOf(64),
    '0x',
    ['0'],
    fill(size / 4, 66, () => '0'.repeat(64)),
  );
  return fill(size, 90, (index) => {
    const op =
      shape === 'logs'
        ? 'LOG0'
        : shape === 'ends'
          ? 'SELFDESTRUCT'
          : pickOf(random, ...OPS, 'STOP', 'RETURN', 'REVERT');
    const step = {
      op,
      pc: index,
      depth,
      stack: Array.from({ length: 7 }, () => memoryWord(random)),
      ...(random() < 0.1 && { memory }),
    };
    if (shape === 'deep' && /CALL|CREATE/.test(op) && depth < 1_020) depth++;
    else if (shape === 'mixed' && depth > 1 && random() < 0.3) depth--;
    return step;
  });
}

function calls(size: number, random: Random): object {
  const isDeep = random() < 0.5;
  const error = pickOf<unknown>(random, undefined, 'execution reverted', 'x'.repeat(size / 20), 'Some(');
  const make = () => ({
    ...{ type: pickOf(random, 'CALL', 'DELEGATECALL', 'SELFDESTRUCT', 'CREATE', 'X'), from: address(random) },
    ...{ to: address(random), input: hexOf(random() * 8), output: hexOf(random() * 8), error },
    ...(random() < 0.1 && {
      logs: fill(200, 50, () => ({ address: address(random), topics: [], data: '0x' })),
    }),
  });
  const flat = fill(size, 220, make);
  let root: object = { ...make(), type: 'CALL', calls: flat };
  for (let depth = 0; isDeep && depth < 1_000; depth++)
    root = { ...make(), type: 'DELEGATECALL', calls: [root] };
  return root;
}

/** A source, a map over it, and steps: the costs must not be their product. */
function mapped(size: number, random: Random) {
  const text = `contract C {\n${fill(size / 2, 60, (index) => `  function f${index}(uint a) public { require(a > ${index}); g(a); }\n`).join('')}}`;
  const opcodes = pickOf(random, ['01'], ['56'], ['5b', '56'], ['56', '57', '5b', 'fd', '3e']);
  const ranges = [text.length, 4_096, 4_097, 20, 0];
  const entries = fill(size / 2, 20, (index) => {
    const length = pickOf(random, ...ranges);
    const start = Math.floor(random() * Math.max(1, text.length - length));
    return random() < 0.2
      ? ''
      : `${start}:${length}:0:${pickOf(random, 'i', 'o', '-', 'i')}${index % 7 === 0 ? ':1' : ''}`;
  });
  const digits = entries.map((_, index) => opcodes[index % opcodes.length]).join('');
  const code = { digits, gaps: [], sourceMap: entries.join(';') };
  const build = {
    ...{
      contract: { name: 'C' },
      runtime: code,
      creation: code,
      isOptimized: random() < 0.7,
      isViaIr: false,
    },
    readSource: async () => ({ path: pickOf(random, 'C.sol', 'C.vy'), text, isCurrent: true }),
  };
  const counters = entries.slice(0, 60_000).map((_, index) => index);
  return { build: build as unknown as ContractBuild, counters, text };
}

function layout(size: number, random: Random): object {
  const types = fill(size / 2, 300, (index) => [
    `t${index}`,
    {
      ...{
        encoding: pickOf(random, 'inplace', 'mapping', 'dynamic_array'),
        label: `T${index}`,
        numberOfBytes: '32',
      },
      ...{ key: `t${Math.floor(random() * index)}`, value: `t${index + 1}` },
      members: fill(200, 50, (place) => ({
        ...{
          label: `m${place}`,
          slot: String(place),
          offset: 0,
          type: `t${Math.floor(random() * (index + 5))}`,
        },
      })),
    },
  ]);
  const storage = fill(size / 2, 80, (index) => ({
    ...{
      label: pickOf(random, `v${index}`, 'v', '__gap'),
      slot: String(Math.floor(random() * index)),
      offset: 0,
    },
    ...{ type: `t${Math.floor(random() * types.length)}`, contract: 'a.sol:C' },
  }));
  return { storage, types: Object.fromEntries(types) };
}

const receiptOf = (logs: readonly object[]) => ({ status: '0x1', cumulativeGasUsed: '0x1', logs });

/** What an endpoint sends of traces and proofs, and what builds have: each through the function that reads it. */
export const tracesWork: readonly Work[] = [
  work({
    name: 'struct logs that name memory',
    most: 10 * MIB,
    make: (size, random) => ({ structLogs: structLogs(size, random) }),
    run: (input) => parseStructLogTree(input, transactionOf(), slicing()),
  }),
  work({
    name: 'steps of struct logs',
    most: 10 * MIB,
    make: (size, random) => ({ structLogs: structLogs(size, random) }),
    run: (input) => parseStructLogs(input, slicing()),
  }),
  work({
    name: 'counters of the step tracer',
    most: 10 * MIB,
    make: (size, random) =>
      random() < 0.5
        ? [[0, 0, 0, fill(size, 4, (index) => index % 999)]]
        : fill(size, 20, (index) => [index === 0 ? 0 : Math.min(index, 1_000), 0, 0, [1, 2]]),
    run: (input) => parseStepTracer(input, slicing()),
  }),
  work({
    name: 'calls of the callTracer',
    most: 10 * MIB,
    make: calls,
    run: (input) => parseCallTracer(input, slicing()),
  }),
  work({
    name: 'a list of calls',
    most: 10 * MIB,
    make: (size, random) =>
      fill(size, 200, (index) => ({
        ...{ type: 'call', traceAddress: index === 0 ? [] : [index - 1] },
        action: { callType: 'call', from: address(random), to: address(random), input: '0x', value: '0x0' },
      })),
    run: (input) => parseTraceList(input, slicing()),
  }),
  work({
    name: 'a source map and steps',
    most: 2 * MIB,
    make: mapped,
    async run({ build, counters }) {
      const steps = { counters: [], calls: [], isCut: false };
      const found = await mapSteps(
        { counters, calls: [{ at: counters.length - 1, steps }], isCut: false },
        { build, kind: 'runtime', functionName: 'f1', maps: openMaps(), ...slicing() },
      );
      return [found.passesOn(0), found.callAt(0)];
    },
  }),
  work({
    name: 'lines that a call can run',
    most: MIB,
    make: (size, random) => mapped(2 * size, random).text,
    run: (text) =>
      findReach([{ file: 'C.sol', text }], { contract: 'C', called: { function: 'f1' } }, slicing()),
  }),
  work({
    name: 'sources that are compared with a build',
    most: 16 * MIB,
    make: (size, random) => `// ${pickOf(random, 'x', '\r\n', 'ü', 'a\n').repeat(size / 2)}`,
    run: (text) =>
      compareSources(
        { project: '', source: 'A.sol' },
        {
          ...{ hashes: { 'A.sol': { keccak256: '0x' } }, at: (source) => source },
          readText: async () => (text.length > MIB ? 'tooLarge' : { text }),
          files: { list: async () => [] },
        },
        slicing(),
      ),
  }),
  work({
    name: 'storage layouts',
    most: 16 * MIB,
    make: (size, random) => [layout(size / 2, random), layout(size / 2, random)],
    run(layouts) {
      const [before, after] = layouts.map(parseStorageLayout);
      return before && after && compareStorage(before, after);
    },
  }),
  work({
    name: 'metadata whose settings are searched',
    most: 256 * 1024,
    seeds: 200,
    make: (size) =>
      `{"compiler":{"version":"0.8.26+commit.8a97fa7a"},"settings":{"evmVersion":"cancun","optimizer":{"enabled":true,"runs":200}},"sources":{"a":"${'x'.repeat(size)}"}}`,
    run(metadata) {
      const hash = { kind: 'ipfs', digits: `1220${'0'.repeat(64)}` } as const;
      const deployed: CodeMetadata = { from: 0, to: 0, compiler: '0.8.26', hash };
      return findSettings(metadata, { deployed, versions: [] }, slicing());
    },
  }),
  work({
    name: 'receipts',
    most: 16 * MIB,
    make: (size, random) =>
      random() < 0.5
        ? [receiptOf([{ address: address(random), topics: [], data: hexOf(size / 2) }])]
        : [receiptOf(fill(size, 120, () => ({ address: address(random), topics: [], data: '0x' })))],
    run: (receipts) => encodeReceipts(receipts, createBloomBuilder(), slicing()),
  }),
  work({
    name: 'transactions',
    most: 16 * MIB,
    make: (size, random) =>
      random() < 0.5
        ? [{ input: hexOf(size / 2) }]
        : fill(size, 60, () => ({ input: hexOf(8), nonce: '0x1' })),
    run: (transactions) => encodeTransactions(transactions, slicing()),
  }),
  work({
    name: 'a header',
    most: 16 * MIB,
    make: (size, random) => ({
      parentHash: hexOf(32),
      [pickOf(random, 'extraData', 'miner', 'number')]: hexOf(size / 2),
    }),
    run: (header) => readHeader(header, '7'),
  }),
];
