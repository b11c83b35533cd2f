import type { Hex } from '../../src/core/index.ts';

/** The logs of one contract on a made-up chain, written out as an explorer answers them. */
export interface SyntheticChain {
  readonly address: Hex;
  readonly head: number;
  /** Number of the first log at or above a height. */
  firstLogAt(block: number): number;
  /** JSON of the logs from `first` up to but without `end`, with commas between. */
  json(first: number, end: number): Uint8Array;
}

const ADDRESS: Hex = `0x${'c0de'.repeat(10)}`;
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ACCOUNTS = 5000;
const AMOUNT_DIGITS = 18;
const LOGS_A_TRANSACTION = 2;
const MOST_BYTES_A_LOG = 900;

/**
 * `logs` transfers. Blocks are uneven as on a real chain: quiet and busy stretches, and now and then a crowded
 * block. The JSON is made once, so that serving it costs hardly any time.
 */
export function createSyntheticChain(logs: number): SyntheticChain {
  const firstLogs = layOutBlocks(logs);
  const head = firstLogs.length - 2;
  const text = Buffer.allocUnsafe(logs * MOST_BYTES_A_LOG);
  const starts = new Float64Array(logs + 1);
  let bytes = 0;
  for (let block = 0; block <= head; block++) {
    const first = firstLogs[block] ?? 0;
    const end = firstLogs[block + 1] ?? 0;
    for (let log = first; log < end; log++) {
      starts[log] = bytes;
      bytes += text.write(`${JSON.stringify(entry(block, log - first, log))},`, bytes, 'latin1');
    }
  }
  starts[logs] = bytes;
  const startOf = (log: number) => starts[log] ?? bytes;
  return {
    address: ADDRESS,
    head,
    firstLogAt: (block) => (block <= 0 ? 0 : (firstLogs[block] ?? logs)),
    json: (first, end) => (end <= first ? new Uint8Array() : text.subarray(startOf(first), startOf(end) - 1)),
  };
}

/** Number of the first log of each block, and behind the last block the number of logs. */
function layOutBlocks(logs: number): readonly number[] {
  const firstLogs: number[] = [];
  let count = 0;
  for (let block = 0; count < logs; block++) {
    firstLogs.push(count);
    const pace = [0, 2, 6, 6, 20][mix(block >> 10) % 5] ?? 0;
    const crowd = mix(block + 7) % 97 === 0 ? 40 : 0;
    count += (mix(block) % (pace + 1)) + crowd;
  }
  return [...firstLogs, logs];
}

/** As Blockscout v11.2 writes it. */
function entry(block: number, logIndex: number, log: number) {
  const transaction = Math.floor(logIndex / LOGS_A_TRANSACTION);
  return {
    address: ADDRESS,
    blockHash: hash(block, 1),
    blockNumber: quantity(block),
    data: word(digits(log, 2, AMOUNT_DIGITS)),
    logIndex: quantity(logIndex),
    removed: false,
    topics: [TRANSFER, account(mix(log) % ACCOUNTS), account(mix(log + 1) % ACCOUNTS)],
    transactionHash: hash(block, 4 + transaction),
    transactionIndex: quantity(transaction),
  };
}

function hash(value: number, kind: number): Hex {
  return word(digits(value, kind, 64));
}

function account(number: number): Hex {
  return word(digits(number, 3, 40));
}

/** 32 bytes with zeros in front, as the ABI writes what is shorter. */
function word(digits: string): Hex {
  return `0x${digits.padStart(64, '0')}`;
}

/** Hex digits that look random, as those of a hash do; what reads them finds no pattern. */
function digits(value: number, kind: number, count: number): string {
  let text = '';
  for (let seed = mix(value) + kind; text.length < count; seed = mix(seed + 1)) {
    text += seed.toString(16).padStart(7, '0').slice(-7);
  }
  return text.slice(0, count);
}

function quantity(value: number): Hex {
  return `0x${value.toString(16)}`;
}

/** A number below 2^31 that looks random and is the same on every run. */
function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15) ^ 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 1;
}
