import assert from 'node:assert/strict';
import { runCli } from './support/cli.ts';
import { type Behaviour, useHostileServer } from './support/hostileServer.ts';

const HASH = `0x${'7a'.repeat(32)}`;
const address = (number: number) => `0x${number.toString(16).padStart(40, '5')}`;
const word = (number: number) => number.toString(16).padStart(64, '0');
const BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
const sent = {
  ...{
    hash: HASH,
    from: address(1),
    to: address(2),
    value: '0x5',
    gas: '0x7530',
    gasPrice: '0x2',
    nonce: '0x1',
  },
  ...{ input: '0x', type: '0x2', blockNumber: '0x10', transactionIndex: '0x0' },
};
const receipt = {
  ...{
    transactionHash: HASH,
    blockNumber: '0x10',
    transactionIndex: '0x0',
    gasUsed: '0x5208',
    status: '0x1',
  },
  ...{ effectiveGasPrice: '0x2', logs: [] },
};
const logAt = (index: number, topics: readonly string[], data: string) => ({
  ...{ address: address(3), topics, data, logIndex: `0x${index.toString(16)}`, blockNumber: '0x10' },
  ...{ blockHash: HASH, transactionHash: HASH, transactionIndex: '0x0' },
});
const movesMany = (index: number, ids: number) => {
  const list = word(ids) + Array.from({ length: ids }, (_, id) => word(index * ids + id)).join('');
  const topics = [BATCH, ...[1, 2, 3].map((number) => `0x${word(number)}`)];
  return logAt(index, topics, `0x${word(64)}${word(96 + 32 * ids)}${list}${list}`);
};
const logs = (count: number, make: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => make(index));

type Answers = Readonly<Record<string, unknown>>;
const answering =
  (answers: Answers): Behaviour =>
  ({ method }) => {
    const all: Answers = {
      ...{ eth_getTransactionByHash: sent, eth_getTransactionReceipt: receipt },
      ...{ eth_getBlockByNumber: { timestamp: '0x1' }, eth_call: '0x', eth_chainId: '0x1', ...answers },
    };
    return method === '' ? undefined : { result: all[method] ?? null };
  };
const withLogs = (all: readonly object[]) =>
  answering({ eth_getTransactionReceipt: { ...receipt, logs: all } });

const attacks: Readonly<Record<string, () => Behaviour>> = {
  'many logs': () => withLogs(logs(15_000, (index) => logAt(index, [], `0x${'ab'.repeat(64)}`))),
  'batches of many ids': () => withLogs(logs(12, (index) => movesMany(index, 7_000))),
  'one log of many megabytes': () => withLogs([logAt(0, [], `0x${'ab'.repeat(6 * 1024 * 1024)}`)]),
  'an input of many megabytes': () =>
    answering({ eth_getTransactionByHash: { ...sent, input: `0xac9650d8${'00'.repeat(6 * 1024 * 1024)}` } }),
  'an input of a mebibyte of nested calls': () => {
    const nested = `${word(32)}${word(12_000)}${Array.from({ length: 12_000 }, (_, at) => word(12_000 * 32 + at * 32)).join('')}${word(0).repeat(12_000)}`;
    return answering({ eth_getTransactionByHash: { ...sent, input: `0xac9650d8${nested}` } });
  },
  'authorisations without end': () =>
    answering({
      eth_getTransactionByHash: { ...sent, type: '0x4', authorizationList: Array(200_000).fill({}) },
      eth_getTransactionReceipt: { ...receipt, status: '0x0' },
    }),
};

describe('a transaction of a node that means harm', () => {
  const server = useHostileServer();

  for (const [name, behaviour] of Object.entries(attacks)) {
    it(`is told within bounds, with ${name}`, async () => {
      server().behaviour = behaviour();
      const { code, values } = await runCli(['transaction', HASH, '--rpc', server().url]);
      const [value, ...others] = values;
      assert.equal(others.length, 0);
      assert.equal(code, value?.error ? 3 : value?.kind === 'unknown' ? 1 : 0);
    });
  }
});
