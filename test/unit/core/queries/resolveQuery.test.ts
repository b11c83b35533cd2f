import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AbiEvent,
  type Address,
  createContractIndex,
  createIndexKnowledge,
  emptyForm,
  parseChainQueryDefinition,
  parseQueryForm,
  type QueryForm,
  queryDefinitionToJson,
  resolveQuery,
  toQueryDefinition,
} from '../../../../src/core/index.ts';
import { eventOf } from '../../../support/eventLogs.ts';
import { runs } from '../../../support/fullRun.ts';

const vault: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const twin: Address = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';
const named: Readonly<Record<string, readonly Address[]>> = {
  Vault: [vault],
  'Cold wallet, "old"': ['0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9'],
  Twin: [twin, '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'],
};
const knowledge = {
  findAddressesByName: (name: string) => named[name] ?? [],
  nameOf: (address: Address) =>
    Object.entries(named).find(([, [only, ...others]]) => only === address && others.length === 0)?.[0],
};
const paid = 'Paid(address indexed by, string indexed why, uint256 indexed id, uint256 amount)';

describe('question of a form', () => {
  it('is written as people read it', () => {
    const form: QueryForm = {
      ...emptyForm,
      address: `${vault}, ${twin}`,
      event: paid,
      args: { by: vault, why: 'a, b', id: '', other: 'of another event' },
      fromBlock: ' 12 ',
      toBlock: '-7d',
    };
    const question = toQueryDefinition(form, { title: 'Paid', chainId: 31337 }, knowledge);
    assert.equal(
      JSON.stringify(queryDefinitionToJson(question)),
      JSON.stringify({
        title: 'Paid',
        chainId: 31337,
        address: ['Vault', '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'],
        event: paid,
        args: { by: 'Vault', why: ['a', 'b'] },
        fromBlock: 12,
        toBlock: '-7d',
      }),
    );
  });

  it('asks for what the form does', () => {
    const address = fc.constantFrom(...Object.values(named).flat());
    const addresses = fc.array(address, { maxLength: 3 }).map((all) => all.join(', '));
    const topic = fc.oneof(addresses, fc.constantFrom('', '7', 'true', `0x${'ab'.repeat(32)}`));
    const anyForm = fc.record({
      address: addresses,
      event: fc.constantFrom('', paid, 'Paid(address,uint256)', `0x${'cd'.repeat(32)}`),
      args: fc.record({
        by: addresses,
        why: fc.constantFrom('', '"a, b", c', 'Vault'),
        id: fc.constantFrom('', '1, 2'),
      }),
      topic1: topic,
      topic2: topic,
      topic3: topic,
      fromBlock: fc.constantFrom('', '0', '0x10', 'latest-100', '2026-01-01'),
      toBlock: fc.constantFrom('', 'latest', '99999999'),
      order: fc.constantFrom('newestFirst', 'oldestFirst'),
    });
    let compared = 0;
    fc.assert(
      fc.property(anyForm, (form) => {
        const { filter } = parseQueryForm(form as QueryForm);
        fc.pre(filter !== undefined);
        const written = queryDefinitionToJson(
          toQueryDefinition(form as QueryForm, { chainId: 1 }, knowledge),
        );
        const read = parseChainQueryDefinition(JSON.parse(JSON.stringify(written)));
        const resolved = resolveQuery(read, knowledge);
        assert.deepEqual(resolved.filter, filter, JSON.stringify([written, resolved.errors]));
        assert.equal(resolved.form.order, form.order);
        compared++;
      }),
    );
    assert.ok(compared > runs(200));
  });
});

describe('an anonymous event in a query', () => {
  const raw = eventOf('event Raw(address indexed by, uint256 value) anonymous');
  const plain = eventOf('event Raw(address indexed by, uint256 value)');
  const other = eventOf('event Raw(bytes32 indexed id)');
  const resolved = (event: string, events: readonly AbiEvent[], args?: Record<string, string>) =>
    resolveQuery(
      { chainId: 1, query: { ...emptyForm, address: 'Vault', event, ...(args && { args }) } },
      { ...knowledge, findEventsByName: (name) => events.filter((each) => each.name === name) },
    );
  const anonymous = /^The event Raw.* is anonymous.*Leave out the event, and query by the address/;

  it('is refused by its bare name, with what to do', () => {
    for (const args of [undefined, { by: vault }]) {
      const [error, ...others] = resolved('Raw', [raw], args).errors ?? [];
      assert.match(error?.message ?? '', anonymous);
      assert.deepEqual([error?.details.field, others], ['event', []]);
    }
  });

  it('is refused as a declaration, with or without the word', () => {
    for (const event of ['Raw(address,uint256)', 'event Raw(address indexed by, uint value);']) {
      assert.match(resolved(event, [raw]).errors?.[0]?.message ?? '', anonymous, event);
    }
    const [error] = resolved('Raw(address indexed by, uint256 value) anonymous', [raw]).errors ?? [];
    assert.match(error?.message ?? '', /An anonymous event has no topic0/);
  });

  it('does not stand in the way of others', () => {
    assert.ok(resolved('Raw(address,uint256)', [raw, plain]).filter);
    assert.ok(resolved('Raw(address,uint256)', []).filter);
    assert.ok(resolved('Raw(bytes32)', [raw]).filter);
    assert.match(resolved('Raw', [raw, other]).errors?.[0]?.message ?? '', /Several events are called Raw/);
    assert.deepEqual(resolved('Raw', [other]).filter?.topics, [[other.topic0]]);
  });
});

describe('names in queries that a project resolves', () => {
  const account: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
  const empty = createContractIndex();

  it('are those of accounts of development nodes on their chains', () => {
    const onNode = createIndexKnowledge(empty, 31337);
    assert.deepEqual(onNode.findAddressesByName('anvil #0'), [account]);
    assert.equal(onNode.nameOf?.(account), 'anvil #0');
    assert.deepEqual(createIndexKnowledge(empty, 1).findAddressesByName('anvil #0'), []);
  });

  it('are those of the project first', () => {
    const index = createContractIndex();
    const labels = [{ address: account, name: 'Deployer', chainId: undefined }];
    index.put('foundry.toml', { contracts: [], deployments: [], labels });
    assert.equal(createIndexKnowledge(index, 31337).nameOf?.(account), 'Deployer');
  });
});
