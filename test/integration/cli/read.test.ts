import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { type LedgerChain, startLedgerChain } from '../../support/ledgerChain.ts';
import { runCli } from '../../support/runCli.ts';

describe('headless read', () => {
  let chain: LedgerChain;
  let contracts: LedgerChain['contracts'];

  before(async () => {
    chain = await startLedgerChain();
    ({ contracts } = chain);
  });
  after(() => chain.stop());

  async function read(...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['read', ...args, '--rpc', chain.url]);
    return { code, stderr, json: JSON.parse(stdout) };
  }
  const inProject = (...args: readonly string[]) => read(...args, '--dir', chain.folder);

  it('prints a public variable, at the latest block and before', async () => {
    const { ledger } = contracts;
    const { code, json, stderr } = await inProject(ledger, 'count');
    const values = [{ name: '', type: 'uint256', value: '12' }];
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(json, { address: ledger, function: 'count()', block: '5', values });
    for (const [block, value, number] of [
      ['2', '5', '2'],
      ['latest-3', '5', '2'],
      ['earliest', undefined, '0'],
      ['safe', undefined, '0'],
      ['2099-01-01', '12', '5'],
    ] as const) {
      const { json: before } = await inProject(ledger, 'count', '--block', block);
      if (value === undefined) assert.equal(before.error.kind, 'notAContract');
      else assert.deepEqual([before.block, before.values[0].value], [number, value], block);
    }
  });

  it('calls as the account that an option names', async () => {
    const caller = `0x${'c'.repeat(40)}`;
    // CALLER, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
    await createNodeRpc(chain.url).call('anvil_setCode', [caller, '0x335f5260205ff3']);
    const who = [caller, 'who() view returns (address)'] as const;
    const { code, json } = await inProject(...who, '--from', 'Deployer');
    const { deployer } = contracts;
    assert.deepEqual([code, json.from, json.values[0].value], [0, deployer, deployer]);
    const nobody = await read(...who);
    assert.deepEqual([nobody.json.from, nobody.json.values[0].value], [undefined, `0x${'0'.repeat(40)}`]);
    const asked = { contract: caller, function: 'who() view returns (address)', from: deployer };
    const agent = await runCli(['ask', 'read_contract', JSON.stringify(asked), '--rpc', chain.url]);
    const { from, values } = JSON.parse(agent.stdout);
    assert.deepEqual([from, values[0].value], [deployer, deployer]);
    const wrong = await read(...who, '--from', 'latest-5');
    assert.deepEqual([wrong.code, wrong.json.error.field], [2, 'from']);
  });

  it('compares the values of two blocks', async () => {
    const { code, json, stderr } = await inProject('Ledger', 'count', '--compare', '2');
    const values = [{ name: '', type: 'uint256', value: '5' }];
    assert.deepEqual(
      [code, json.values[0].value, json.compared, json.changed],
      [0, '12', { block: '2', values }, true],
    );
    assert.match(stderr, /^From block 2 to 5: changed$/m);
    const same = await inProject('Ledger', 'count', '--compare', 'latest-1');
    assert.deepEqual([same.json.compared.block, same.json.changed], ['4', false]);
  });

  it('prints getters with keys, structs by name, and members of enums', async () => {
    const { ledger, deployer } = contracts;
    const amount = await inProject('Ledger', 'amounts', 'Deployer', 'Sell');
    assert.deepEqual(amount.json.values, [{ name: '', type: 'uint256', value: '12' }]);
    const first = await inProject(ledger, 'first');
    assert.deepEqual(first.json.values, [
      { name: 'token', type: 'address', value: deployer },
      { name: 'amount', type: 'uint256', value: '12' },
    ]);
    const legs = `[{"token": "Deployer", "amount": 1.5ether}, {"amount": "2", "token": ${ledger}}]`;
    const { json } = await inProject(ledger, 'order', '1', legs.replace('1.5ether', '"1.5 ether"'));
    const [made, side] = json.values;
    assert.equal(made.type, '(uint8,(address,uint256)[],string)');
    assert.deepEqual(made.value, {
      side: { value: '1', name: 'Sell' },
      legs: [
        { token: deployer, amount: '1500000000000000000' },
        { token: ledger, amount: '2' },
      ],
      note: 'a\u202eb',
    });
    assert.deepEqual(side.value, { value: '1', name: 'Sell' });
  });

  it('knows the enums of a contract that no file of the project names', async () => {
    const { unlisted, deployer } = contracts;
    const order = await inProject(unlisted, 'order', 'Sell', '[]');
    assert.deepEqual(order.json.values[1].value, { value: '1', name: 'Sell' });
    const amount = await inProject(unlisted, 'amounts', deployer, 'Buy');
    assert.deepEqual(amount.json.values, [{ name: '', type: 'uint256', value: '0' }]);
  });

  it('takes negative numbers, and chooses among functions of one name', async () => {
    const { ledger } = contracts;
    const negative = await inProject(ledger, 'at', '-5');
    assert.deepEqual(
      negative.json.values.map(({ name, value }: { name: string; value: string }) => [name, value]),
      [
        ['index_', '-5'],
        ['mark', `0x${'7'.padStart(64, '0')}`],
      ],
    );
    const swapped = await inProject(ledger, 'swapped');
    assert.deepEqual(
      swapped.json.values.map(({ value }: { value: unknown }) => value),
      ['a', 'b'],
    );
    const text = await inProject(ledger, 'echo', '-5 [x]');
    assert.equal(text.json.values[0].value, '-5 [x]');
    const rows = await inProject(ledger, 'echo', '[[1,2],[3,0x10]]', '0xAB', 'true');
    assert.deepEqual(
      rows.json.values.map(({ value }: { value: unknown }) => value),
      [
        [
          ['1', '2'],
          ['3', '16'],
        ],
        '0xab',
        true,
      ],
    );
  });

  it('needs no project for a declaration, a signature of a standard, or raw words', async () => {
    const { ledger, deployer } = contracts;
    for (const declared of [
      'count() view returns (uint256 total)',
      'function count() external view returns (uint total);',
      'count()(uint256 total)',
    ]) {
      const { json } = await read(ledger, declared);
      assert.deepEqual(json.values, [{ name: 'total', type: 'uint256', value: '12' }], declared);
    }
    const owner = await read(ledger, 'owner');
    assert.deepEqual([owner.json.function, owner.json.values[0].value], ['owner()', deployer]);
    const raw = await read(ledger, '0x06661abd');
    assert.deepEqual(raw.json.values, [{ name: '', type: 'bytes32', value: `0x${'c'.padStart(64, '0')}` }]);
    assert.match(raw.stderr, /raw words/);
    const twisted = await read(ledger, 'at(int256) returns (string)', '1');
    assert.match(twisted.json.undecoded, /not string/);
    assert.equal(twisted.json.values.length, 2);
    assert.deepEqual((await read(ledger, 'nothing() view returns ()')).json.values, []);
  });

  it('reads a proxy with the code that it runs in that block', async () => {
    const { proxy, ledger, stranger } = contracts;
    const now = await inProject('LedgerProxy', 'version');
    assert.deepEqual([now.json.address, now.json.implementation], [proxy, stranger]);
    assert.equal(now.json.values[0].value, '2');
    const before = await inProject(proxy, 'count', '--block', '3');
    assert.deepEqual([before.json.implementation, before.json.values[0].value], [ledger, '0']);
    const early = await inProject(proxy, 'version', '--block', '3');
    assert.deepEqual([early.code, early.json.error.kind], [1, 'reverted']);
    assert.match(early.json.error.message, /^Block 3 runs Ledger, which has no version\.$/);
  });

  it('prefers the code that a proxy runs to the ABI in the file of its deployment', async () => {
    const { proxy, stranger } = contracts;
    const abi = ['function version() view returns (bool)', 'function count() view returns (int8)'];
    await writeFile(
      join(chain.folder, 'deployments/local/OldProxy.json'),
      JSON.stringify({ address: proxy, abi }),
    );
    const { json } = await inProject('OldProxy', 'version');
    assert.deepEqual(
      [json.implementation, json.values],
      [stranger, [{ name: '', type: 'uint256', value: '2' }]],
    );
    const before = await inProject('OldProxy', 'count', '--block', '3');
    assert.equal(before.json.values[0].type, 'uint256');
  });

  it('says that a function is no view', async () => {
    const { ledger } = contracts;
    for (const [args, simulated] of [
      [[ledger, 'add', '1'], true],
      [[ledger, 'add(uint256)', '1'], true],
      [[ledger, 'count'], undefined],
      [[ledger, 'symbol()(string)'], undefined],
    ] as const) {
      const { json, stderr } = await inProject(...args);
      assert.equal(json.simulated, simulated, args[1]);
      assert.equal(/is not a view function/.test(stderr), simulated === true, args[1]);
    }
    // Without a project, by the standards alone.
    const owner = await read(ledger, 'owner');
    assert.deepEqual([owner.json.simulated, owner.stderr], [undefined, '']);
  });

  it('prints why a call reverts, as decode does', async () => {
    const { ledger } = contracts;
    const custom = await inProject(ledger, 'limited', '6');
    assert.equal(custom.code, 1);
    const { kind, message, revert } = custom.json.error;
    assert.deepEqual([kind, message], ['reverted', 'The call reverted: TooMany(asked: 6, allowed: 5).']);
    assert.deepEqual(revert.args, [
      { name: 'asked', type: 'uint256', value: '6' },
      { name: 'allowed', type: 'uint256', value: '5' },
    ]);
    assert.deepEqual(
      [revert.kind, revert.name, revert.data.slice(0, 10)],
      ['revert', 'TooMany', '0xc3e33c99'],
    );
    const panic = await inProject(ledger, 'limited', '0');
    assert.equal(panic.json.error.revert.note, 'a division or modulo by zero');
    const unknown = await inProject(ledger, 'unknown');
    assert.equal(unknown.json.error.message, 'The call reverted with an unknown error: 0xdeadbeef.');
  });

  it('does not know a block that the endpoint has not reported', async () => {
    const { code, json } = await inProject(contracts.ledger, 'count', '--block', '99');
    assert.deepEqual([code, json.error.kind], [3, 'blockNotSeen']);
    assert.equal(json.error.message, 'The latest block is 5. Enter 5 or lower.');
  });

  it('says what is wrong with an input, and what to write', async () => {
    const { ledger, deployer } = contracts;
    const list = '[{"token":"0x12"}]';
    const wrongChecksum = '0x5fbDB2315678afecb367f032d93F642f64180aa3';
    for (const [args, field, message] of [
      [[ledger, 'cuont'], 'function', /no function cuont\. It has count, /],
      [[ledger, 'count', '1'], 'args', /no arguments/],
      [[ledger, 'amounts', 'Deployer'], 'args', /2 \(address, uint8\)\. Given: 1/],
      [[ledger, 'amounts', 'Nobody', '1'], 'args.0', /Nobody/],
      [[ledger, 'amounts', deployer, 'Hold'], 'args.1', /Buy, Sell/],
      [[ledger, 'order', 'Buy', '[x'], 'args.legs', /Not JSON.*\[\{"token": "0x…", "amount": 1\}\]/],
      [[ledger, 'order', 'Buy', '{}'], 'args.legs', /Not a list/],
      [[ledger, 'order', 'Buy', list], 'args.legs[0].token', /address/],
      [[ledger, 'order', 'Buy', `[{"token":"${deployer}"}]`], 'args.legs[0].amount', /missing/],
      [[ledger, 'order', 'Buy', `[{"to":"${deployer}"}]`], 'args.legs[0]', /no member to\. .*token, amount/],
      [[ledger, 'limited', '-1'], 'args.asked', /0 to 2\^256 - 1/],
      [[ledger, 'limited', '0.5'], 'args.asked', /integer/],
      [[ledger, 'what('], 'function', /Not a function/],
      [['Nowhere', 'count'], 'address', /No address is called Nowhere/],
      [[ledger, 'count', '--block', 'soon'], 'block', /block number/],
      [[ledger, 'count', '--block', 'pending'], 'block', /finalized, safe, earliest, or a time/],
      [[ledger, 'count', '--block', '1700000010'], 'block', /mean a time, write 2023-11-14T22:13:30Z/],
      [[ledger, 'count', '--block'], 'block', /^--block needs a value\. .* --block=VALUE/],
      [[ledger, 'count', '--trace=1'], 'option', /does not take an argument\.$/],
      [[ledger], 'function', /read ADDRESS FUNCTION/],
      [[ledger, '0x12345678', '5'], 'function', /arguments of 0x12345678 are not known\. Declare/],
      [
        [contracts.unlisted, 'heard(Side)', '5'],
        'function',
        /No ABI has the function heard, so the type Side/,
      ],
      [[ledger, 'amounts', wrongChecksum, 'Buy'], 'args.0', /checksum/],
      [[wrongChecksum, 'count'], 'address', /checksum/],
      [['0x12', 'count'], 'address', /Not an address/],
      [['', 'count'], 'address', /Not an address/],
    ] as const) {
      const { code, json } = await inProject(...args);
      assert.deepEqual([code, json.error?.kind, json.error?.field], [2, 'badInput', field], args.join(' '));
      assert.match(json.error.message, message);
    }
    for (const name of ['count', 'symbol', 'neverHeardOf']) {
      const account = await inProject(deployer, name);
      assert.equal(account.json.error.kind, 'notAContract', name);
    }
  });
});
