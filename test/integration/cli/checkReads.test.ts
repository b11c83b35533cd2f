import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { fileChecks } from '../../support/fileChecks.ts';
import { type LedgerChain, startLedgerChain } from '../../support/ledgerChain.ts';
import { startRpcServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runCli.ts';

describe('check of reads in files', () => {
  let chain: LedgerChain;
  before(async () => {
    chain = await startLedgerChain();
  });
  after(() => chain.stop());

  const { write, check, checkEach } = fileChecks(() => chain);

  it('prints what was read in which block, and passes if it is as expected', async () => {
    const read = { contract: 'Ledger', function: 'count', block: 2 };
    const file = await write('count.chainlog.json', {
      title: 'Count',
      chainId: 31337,
      read,
      expect: { value: 5 },
    });
    const { code, lines, stderr } = await check(file);
    assert.equal(code, 0, stderr);
    assert.deepEqual(lines, [
      {
        ...{ file, line: 1, title: 'Count', state: 'ok', reasons: [] },
        ...{ verdict: null, count: null, sha256: null, contentSha256: null },
        read: {
          address: chain.contracts.ledger,
          function: 'count()',
          block: '2',
          values: [{ name: '', type: 'uint256', value: '5' }],
        },
        expected: { value: 5 },
      },
    ]);
    assert.match(stderr, /count\.chainlog\.json: Count: ok, 5 in block 2\n/);
  });

  it('calls as the account that the file names', async () => {
    const caller = `0x${'c'.repeat(40)}`;
    // CALLER, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
    await createNodeRpc(chain.url).call('anvil_setCode', [caller, '0x335f5260205ff3']);
    const read = { contract: caller, function: 'who() view returns (address)', from: 'Deployer' };
    const file = await write('who.chainlog.json', { chainId: 31337, read, expect: { value: 'Deployer' } });
    const { code, lines, stderr } = await check(file);
    assert.deepEqual([code, lines[0].read.from], [0, chain.contracts.deployer], stderr);
    const nobody = await write('nobody.chainlog.json', { chainId: 31337, read: { ...read, from: 'Nobody' } });
    const { error } = (await check(nobody)).lines[0];
    assert.equal(error.field, 'read.from');
  });

  it('compares numbers with units, addresses by name, structs by member and enums by name', async () => {
    const { ledger, deployer } = chain.contracts;
    const count = { contract: 'Ledger', function: 'count' };
    const legs = [{ token: 'Deployer', amount: '1.5 ether' }];
    const order = { contract: ledger, function: 'order', arguments: ['Sell', legs] };
    const cases: readonly (readonly [object, object, string, string?])[] = [
      [count, { value: '12' }, 'ok'],
      [count, { value: '12 wei' }, 'ok'],
      [count, { value: '0xd' }, 'differs', 'The value is 12. Expected: 13.'],
      [count, { atLeast: 12, atMost: '1 gwei' }, 'ok'],
      [count, { atLeast: '1 gwei' }, 'differs', 'The value is 12. Expected: at least 1,000,000,000.'],
      [count, { atMost: 11 }, 'differs', 'The value is 12. Expected: at most 11.'],
      [count, { reverts: true }, 'differs', 'The call returned (12). Expected: a revert.'],
      [{ contract: 'LedgerProxy', function: 'owner' }, { value: `0x${'0'.repeat(40)}` }, 'ok'],
      [{ contract: 'Ledger', function: 'owner' }, { value: 'Deployer' }, 'ok'],
      [{ contract: 'Ledger', function: 'first' }, { value: { token: 'deployer', amount: 12 } }, 'ok'],
      [{ contract: 'Ledger', function: 'first' }, { value: [deployer, '12'] }, 'ok'],
      [
        { contract: 'Ledger', function: 'first' },
        { value: { amount: 13 } },
        'differs',
        'amount is 12. Expected: 13.',
      ],
      [{ contract: 'Ledger', function: 'amounts', arguments: ['Deployer', 'Sell'] }, { value: 12 }, 'ok'],
      [order, { value: [{ side: 'Sell', legs }, 1] }, 'ok'],
      [
        order,
        { value: [{ legs, side: 'Buy', note: 'a\u202eb' }, 1] },
        'differs',
        '[0].side is Sell (1). Expected: Buy (0).',
      ],
      [order, { value: [{ legs: [] }, 1] }, 'differs', '[0].legs has 1 items. Expected: 0.'],
      [order, { value: [{}, 1] }, 'invalid', 'expect.value[0] names no member to compare.'],
    ];
    const lines = await checkEach(cases.map(([read, expect]) => ({ read, expect })));
    assert.deepEqual(
      lines.map(({ state, reasons: [reason] }) => [state, reason]),
      cases.map(([, , state, reason]) => [state, reason]),
    );
  });

  it('expects reverts by name, signature, selector or reason', async () => {
    const limited = (asked: number) => ({ contract: 'Ledger', function: 'limited', arguments: [asked] });
    const bare = { contract: 'Ledger', function: 'bare' };
    const cases: readonly (readonly [object, boolean | string | undefined, string, string?])[] = [
      [limited(6), true, 'ok'],
      [limited(6), 'TooMany', 'ok'],
      [limited(6), 'TooMany(uint256,uint256)', 'ok'],
      [limited(6), '0xC3E33C99', 'ok'],
      [limited(6), 'TooMany(asked: 6, allowed: 5)', 'ok'],
      [limited(4), 'four', 'ok'],
      [limited(0), 'a division or modulo by zero', 'ok'],
      [limited(0), 'Panic', 'ok'],
      [limited(6), 'four', 'differs', 'The call reverted: TooMany(asked: 6, allowed: 5). Expected: four.'],
      [limited(4), undefined, 'differs', 'The call reverted: "four". Expected: a value.'],
      [bare, true, 'ok'],
      [bare, 'TooMany', 'differs', 'The call reverted. Expected: TooMany.'],
    ];
    const lines = await checkEach(
      cases.map(([read, reverts]) => ({ read, ...(reverts && { expect: { reverts } }) })),
    );
    assert.deepEqual(
      lines.map(({ state, reasons: [reason] }) => [state, reason]),
      cases.map(([, , state, reason]) => [state, reason]),
    );
  });

  it('says what is wrong with a read, by its field', async () => {
    const count = { contract: 'Ledger', function: 'count' };
    const first = { contract: 'Ledger', function: 'first' };
    const cases: readonly (readonly [object, object | undefined, string])[] = [
      [{ ...count, contract: 'Legder' }, undefined, 'read.contract'],
      [{ ...count, function: 'cuont' }, undefined, 'read.function'],
      [{ ...count, arguments: [1] }, undefined, 'read.arguments'],
      [{ ...count, block: 'soon' }, undefined, 'read.block'],
      [{ ...count, blok: 1 }, undefined, 'read.blok'],
      [{ contract: 'Ledger' }, undefined, 'read.function'],
      [{ contract: 'Ledger', functoin: 'count' }, undefined, 'read.functoin'],
      [{ ...count, arguments: '5' }, undefined, 'read.arguments'],
      [{ ...count, block: -1 }, undefined, 'read.block'],
      [{ ...count, from: 5 }, undefined, 'read.from'],
      [count, { value: 'many' }, 'expect.value'],
      [count, { atLeast: true }, 'expect'],
      [count, { valeu: 1 }, 'expect'],
      [count, { atLeast: 1, value: 1 }, 'expect'],
      [count, { value: null }, 'expect'],
      [count, { count: 1 }, 'expect'],
      [first, { atLeast: 1 }, 'expect.atLeast'],
      [first, { value: { amuont: 1 } }, 'expect.value'],
      [first, { value: { amount: 'x' } }, 'expect.value.amount'],
      [{ contract: 'Ledger', function: 'nothing' }, { value: 1 }, 'expect.value'],
    ];
    const lines = await checkEach(cases.map(([read, expect]) => ({ read, expect })));
    assert.deepEqual(
      lines.map(({ state, error }) => [state, error.field]),
      cases.map(([, , field]) => ['invalid', field]),
    );
    const messages = new Map(lines.map(({ error }) => [error.field, error.message]));
    assert.match(messages.get('read.arguments'), /Enter a list of 64 arguments at most/);
    assert.match(messages.get('read.from'), /Enter the address of the sender/);
    assert.match(messages.get('expect'), /Enter \{"value": …\}, .*\{"reverts": true\}/);
  });

  it('differs without a contract, and cannot tell of blocks to come and of results that do not fit', async () => {
    const count = { contract: 'Ledger', function: 'count' };
    const [none, future, raw] = await checkEach([
      { read: { ...count, contract: 'Deployer' } },
      { read: { ...count, block: 99 } },
      { read: { contract: 'Ledger', function: 'at(int256) returns (string)', arguments: [1] } },
    ]);
    assert.deepEqual([none.state, none.error.kind], ['differs', 'notAContract']);
    assert.deepEqual(
      [future.state, future.reasons],
      ['incomplete', ['The latest block is 5. Enter 5 or lower.']],
    );
    assert.equal(raw.state, 'incomplete');
    assert.match(raw.reasons[0], /not string.*raw words/);
  });

  it('cannot tell where the node has no state, or gives no revert data', async () => {
    const failWith = (error: object) =>
      startRpcServer(({ id, method }) => {
        if (method === 'eth_chainId') return { jsonrpc: '2.0', id, result: '0x7a69' };
        if (method === 'eth_blockNumber') return { jsonrpc: '2.0', id, result: '0x10' };
        return { jsonrpc: '2.0', id, error };
      });
    const read = { contract: `0x${'b'.repeat(40)}`, function: 'cap() view returns (uint256)', block: 1 };
    for (const [error, expect, kind] of [
      [{ code: -32000, message: 'missing trie node 1234 (path )' }, { value: 1 }, 'historyUnavailable'],
      [{ code: -32000, message: 'execution reverted' }, { reverts: 'Capped' }, 'reverted'],
    ] as const) {
      await using server = await failWith(error);
      const file = await write('node.chainlog.json', { chainId: 31337, read, expect });
      const { code, stdout } = await runCli(['check', '--rpc', server.url, file]);
      const line = JSON.parse(stdout);
      assert.deepEqual([code, line.state, line.error.kind, line.read], [3, 'incomplete', kind, null]);
    }
  });

  it('checks reads and logs of one document, and writes what reads return', async () => {
    const block = (json: string) => `\`\`\`chainlog\n${json}\n\`\`\`\n`;
    const owner = '{"chainId": 31337, "read": {"contract": "Ledger", "function": "owner"}}';
    const first =
      '{\n  "chainId": 31337,\n  "read": { "contract": "Ledger", "function": "first" },\n  "expect": { "value": { "amount": 1 } }\n}';
    const kept =
      '{"chainId": 31337, "read": {"contract": "Ledger", "function": "count"}, "expect": {"atMost": 1}}';
    const logs = '{"chainId": 31337, "address": "Ledger", "toBlock": 2}';
    const file = await write(
      'ledger.chain.md',
      `# Owner\n\n${block(owner)}\n# First\n\n${block(first)}\n# Kept\n\n${block(kept)}\n# Logs\n\n${block(logs)}`,
    );
    const before = await check(file);
    assert.deepEqual(
      before.lines.map(({ title, line, state }) => [title, line, state]),
      [
        ['Owner', 3, 'ok'],
        ['First', 9, 'differs'],
        ['Kept', 19, 'differs'],
        ['Logs', 25, 'ok'],
      ],
    );
    assert.deepEqual(
      (await check(file, '--strict')).lines.map(({ state }) => state),
      ['nothingExpected', 'differs', 'differs', 'nothingExpected'],
    );
    const updated = await check(file, '--update');
    assert.deepEqual(
      updated.lines.map(({ state, updated }) => [state, updated]),
      [
        ['ok', true],
        ['ok', true],
        ['differs', undefined],
        ['ok', true],
      ],
    );
    const text = await readFile(file, 'utf8');
    const { deployer } = chain.contracts;
    assert.ok(text.includes(`"function": "owner"}, "expect": { "value": "${deployer}" }}`), text);
    assert.ok(text.includes(`"expect": { "value": {"token":"${deployer}","amount":"12"} }`), text);
    assert.ok(text.includes(block(kept)), text);
    assert.deepEqual(
      (await check(file, '--strict')).lines.map(({ state }) => state),
      ['ok', 'ok', 'differs', 'ok'],
    );
    const verdict = `<!-- 3 logs, complete to 2, sha256 ${'0'.repeat(64)} -->\n`;
    const stray = await write('stray.chain.md', block(kept) + verdict);
    assert.match((await check(stray)).lines[0].reasons[0], /cannot belong to a read/);
  });

  it('is not taken for a log query', async () => {
    const file = await write('read.chainlog.json', {
      chainId: 31337,
      read: { contract: 'Ledger', function: 'count' },
    });
    const { code, stdout } = await runCli(['logs', '--rpc', chain.url, '--query', file]);
    assert.equal(code, 2);
    assert.match(JSON.parse(stdout).error.message, /reads state, not logs/);
  });
});
