import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  type Behaviour,
  type HostileRequest,
  type HostileResponse,
  logsOf,
  rangeOf,
} from './hostileServer.ts';

/** A way in which a server means harm, and how a query of all logs that meets it may end. */
export interface ServerAttack {
  readonly name: string;
  /** Made anew for each query: some count. */
  readonly behaviour: () => Behaviour;
  /** Whether rows may be there, and whether the answer may be called complete. Default: neither. */
  readonly mayBeComplete?: true;
  readonly short?: true;
}

const MIB = 1024 * 1024;

/** Answers of `eth_getLogs` only; all else is honest. */
const onLogs =
  (answer: (question: HostileRequest) => HostileResponse | undefined) => (): Behaviour => (question) =>
    question.method === 'eth_getLogs' ? answer(question) : undefined;

/** A node that takes a hundred blocks at once and has ten logs in each of these ranges. */
function inHundreds(question: HostileRequest): HostileResponse {
  const { fromBlock, toBlock } = rangeOf(question);
  if (toBlock - fromBlock >= 100) {
    return { error: { code: -32602, message: 'block range is too wide, maximum is 100' } };
  }
  return { result: logsOf(fromBlock, 0, 10) };
}

const explorer = 'v9.0.2';
/** As {@link onLogs}, of an explorer of that release. */
const onExplorerLogs =
  (answer: (question: HostileRequest) => HostileResponse | undefined, version: string = explorer) =>
  (): Behaviour =>
  (question) => {
    if (question.url.endsWith('/backend-version'))
      return { body: JSON.stringify({ backend_version: version }) };
    return question.method === 'eth_getLogs' ? answer(question) : undefined;
  };

/** As {@link onLogs}, of a server that fails when it is asked what it is. */
const hidden = (answer: (question: HostileRequest) => HostileResponse) => (): Behaviour => (question) => {
  if (question.method === 'eth_getLogs') return answer(question);
  return question.method === 'eth_blockNumber' ? undefined : { status: 500, body: '' };
};

/** So many rows more of the block that is asked for, however many came before. */
function moreOfBlock(question: HostileRequest, count: number, data: string): HostileResponse {
  const { fromBlock, cursor } = rangeOf(question);
  return { result: logsOf(cursor?.block ?? fromBlock, (cursor?.index ?? -1) + 1, count, { data }) };
}

const refuses = (message: string, code = -32005) => onLogs(() => ({ error: { code, message } }));
type Body = NonNullable<HostileResponse['body']>;
const answersBody = (body: () => Body, headers: Readonly<Record<string, string>> = {}) =>
  onLogs(() => ({ body: body(), headers }));

const fourKiB = `0x${'5'.repeat(4 * 1024)}`;
const fortyKB = `0x${'5'.repeat(40_000)}`;
const zeros = gzipSync(Buffer.alloc(256 * MIB));

export const serverAttacks: readonly ServerAttack[] = [
  {
    name: 'a block without an end',
    short: true,
    behaviour: onExplorerLogs((question) => ({
      result: logsOf(7, (rangeOf(question).cursor?.index ?? -1) + 1, 1000),
    })),
  },
  {
    name: 'blocks without an end, with much data in each row',
    behaviour: onExplorerLogs((question) => moreOfBlock(question, 1000, fourKiB), 'v11.2.7'),
  },
  {
    name: 'blocks without an end, with 40 KB in each row, of a server that hides what it is',
    behaviour: hidden((question) => moreOfBlock(question, 100, fortyKB)),
  },
  {
    name: 'answers of a million values, as many at once as are asked for',
    behaviour: () => {
      let answers = 0;
      return onLogs((question) => (answers++ < 40 ? inHundreds(question) : { body: listOf('{}', 2.5) }))();
    },
  },
  { name: 'a refusal of 100 KB of digits', short: true, behaviour: refuses(`logs ${'1'.repeat(100_000)}`) },
  { name: 'a refusal of 20 MB', behaviour: refuses(`more than 10 logs ${'not '.repeat(5 * MIB)}`) },
  {
    name: 'a version of 20 MB',
    short: true,
    mayBeComplete: true,
    behaviour: () => (question) =>
      question.method === 'web3_clientVersion' ? { result: 'Geth/'.repeat(4 * MIB) } : undefined,
  },
  { name: '31 MiB of empty objects', behaviour: answersBody(() => listOf('{}', 31)) },
  {
    name: 'brackets ten million deep',
    behaviour: answersBody(() => `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(10_000_000)}`),
  },
  { name: 'a body that never ends', behaviour: answersBody(() => (response) => drip(response, 64 * 1024)) },
  { name: 'a body that drips a byte at a time', short: true, behaviour: answersBody(() => dripSlowly) },
  { name: '256 MiB packed into little', behaviour: answersBody(() => zeros, { 'content-encoding': 'gzip' }) },
  {
    name: 'a head that goes up with every look',
    mayBeComplete: true,
    behaviour: () => (question) =>
      question.method === 'eth_blockNumber'
        ? { result: `0x${(5000 + question.number * 1000).toString(16)}` }
        : undefined,
  },
  {
    name: 'a row of 16 MiB',
    mayBeComplete: true,
    behaviour: onLogs((question) =>
      rangeOf(question).fromBlock <= 5 && rangeOf(question).toBlock >= 5
        ? { result: logsOf(5, 0, 1, { data: `0x${'00'.repeat(8 * MIB)}` }) }
        : undefined,
    ),
  },
  {
    name: 'another block hash in every answer',
    behaviour: () => {
      let answers = 0;
      return onLogs((question) => {
        answers++;
        const { fromBlock, toBlock } = rangeOf(question);
        if (toBlock - fromBlock >= 1000) {
          return { error: { code: -32005, message: 'query returned more than 10000 results' } };
        }
        return {
          result: logsOf(fromBlock, 0, 5, { blockHash: `0x${answers.toString(16).padStart(64, '0')}` }),
        };
      })();
    },
  },
];

function listOf(value: string, mib: number): string {
  const count = Math.floor((mib * MIB) / (value.length + 1));
  return `{"jsonrpc":"2.0","id":1,"result":[${`${value},`.repeat(count)}${value}]}`;
}

/** Sends one kind of byte until the caller hangs up. */
function drip(response: ServerResponse, size: number): void {
  const chunk = Buffer.alloc(size, 0x20);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

/** Sends a byte ten times a second until the caller hangs up. */
function dripSlowly(response: ServerResponse): void {
  const dripping = setInterval(() => response.write(' '), 100);
  response.once('close', () => clearInterval(dripping));
}
