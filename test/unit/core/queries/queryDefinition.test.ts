import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  type Address,
  createLogStore,
  isAppError,
  logToJson,
  parseDeclaredEvent,
  parseFileDefinition,
  parseQueryDefinition,
  parseQueryForm,
  queryDefinitionToJson,
  resolveQuery,
  splitList,
  toAbiWord,
} from '../../../../src/core/index.ts';
import { digestRows } from '../../../../src/core/queries/resultDigest.ts';
import { anyLog } from '../../../support/anyLogs.ts';

const vault: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const other: Address = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';
const paid = 'event Paid(address indexed by, uint256 amount)';
const knowledge = {
  findAddressesByName: (name: string) => ({ Vault: [vault], Twins: [vault, other] })[name] ?? [],
};

function hasValuesOnly(text: string): boolean {
  const values = splitList(text);
  return values.length > 0 && values.every((value) => value.trim() !== '');
}

describe('groups of a query', () => {
  const grouped = (more: object) => parseQueryDefinition({ chainId: 1, event: paid, ...more });

  it('are read and written the same', () => {
    for (const more of [
      { groupBy: 'by' },
      { groupBy: ['by', 'day'], sum: 'amount' },
      { groupBy: ['by', 'block:1000'] },
      { sum: 'amount', expect: { count: 2 } },
    ]) {
      const json = JSON.parse(JSON.stringify(queryDefinitionToJson(grouped(more))));
      assert.deepEqual(json, { chainId: 1, event: paid, ...more });
    }
    assert.equal(grouped({}).grouping, undefined);
  });

  it('are refused where they make no sense, with the field', () => {
    for (const [more, field, message] of [
      [{ groupBy: [] }, 'groupBy', /one or two different fields: .*block:1000 or day/],
      [{ groupBy: ['by', 'by'] }, 'groupBy', /different fields/],
      [{ groupBy: ['by', 'args.by'] }, 'groupBy', /same/],
      [{ groupBy: ['by', 'block', 'day'] }, 'groupBy', /one or two/],
      [{ groupBy: ['by', 'block:0'] }, 'groupBy.1', /block:1000/],
      [{ groupBy: ['block', 'block:10'] }, 'groupBy', /same/],
      [{ groupBy: 'the payer' }, 'groupBy', /name of a parameter/],
      [{ sum: 7 }, 'sum', /a number, such as value/],
      [{ sum: 'block:10' }, 'sum', /a number, such as value/],
    ] as const) {
      assert.throws(
        () => grouped(more),
        (error) =>
          isAppError(error, 'badInput') && error.details.field === field && message.test(error.message),
      );
    }
    for (const [more, fields] of [
      [{ groupBy: 'payer' }, ['groupBy']],
      [{ sum: 'by' }, ['sum']],
      [{ groupBy: ['by', 'block'], sum: 'amount' }, []],
    ] as const) {
      const { errors = [] } = resolveQuery(grouped(more), knowledge);
      assert.deepEqual(
        errors.map(({ details }) => details.field),
        fields,
      );
    }
  });
});

describe('question', () => {
  it('has a JSON form that is read and written the same', () => {
    const odd = fc.constantFrom(vault, '2, 3', '"a, b"', '[1,2]', 'Cold wallet', "'y'", '\\', 'true');
    const value = fc
      .oneof(fc.string({ minLength: 1, maxLength: 20 }), odd)
      .filter((text) => text.trim() !== '');
    // A number that is written as a text comes back as one.
    const tag = value.filter((text) => !/^\d+$/.test(text));
    const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
    const several = fc.array(value, { minLength: 1, maxLength: 3 });
    const any = fc.record(
      {
        title: value,
        chainId: fc.integer({ min: 1 }),
        address: fc.oneof(value.filter(hasValuesOnly), several),
        event: fc.oneof(value, fc.constant('Paid(string indexed a, uint256[] indexed b)')),
        args: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$|^[ab]$/), fc.oneof(value, several)),
        fromBlock: fc.oneof(fc.nat(), tag),
        toBlock: fc.oneof(fc.nat(), tag),
        order: fc.constantFrom('newestFirst', 'oldestFirst'),
        expect: fc.record({ count: fc.nat(), sha256: hash, contentSha256: hash }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(any, (json) => {
        const read = parseQueryDefinition(json);
        const written = JSON.stringify(queryDefinitionToJson(read));
        const readAgain = parseQueryDefinition(JSON.parse(written));
        assert.equal(JSON.stringify(queryDefinitionToJson(readAgain)), written);
        assert.deepEqual(parseQueryForm(readAgain.query).filter, parseQueryForm(read.query).filter);
      }),
    );
  });

  it('expects nothing where its expectation compares nothing, in a file of any kind', () => {
    const read = { contract: 'Vault', function: 'cap' };
    const code = { contract: 'Vault' };
    const state = { kind: 'roles', contract: 'Vault' };
    for (const json of [
      { expect: {} },
      { expect: { count: undefined } },
      { read, expect: {} },
      { read, expect: { value: {} } },
      { code, expect: { immutables: {}, libraries: {} } },
      { state, expect: {} },
      { state, expect: { members: {} } },
    ]) {
      const parsed = parseFileDefinition({ chainId: 1, ...json });
      assert.equal('expect' in parsed && parsed.expect, undefined, JSON.stringify(json));
    }
    const nobody = parseFileDefinition({ chainId: 1, state, expect: { members: { owner: [] } } });
    assert.deepEqual('expect' in nobody && nobody.expect, { members: { owner: [] } });
    assert.deepEqual(parseQueryDefinition({ expect: { count: 0 } }).expect?.count, 0);
  });

  it('has hashes of expected results in lower case, without a prefix', () => {
    const hash = 'AB'.repeat(32);
    assert.equal(
      parseQueryDefinition({ expect: { contentSha256: `0x${hash}` } }).expect?.contentSha256,
      'ab'.repeat(32),
    );
  });

  it('needs a value in a text that is a list, and no blank one', () => {
    const text = fc.stringMatching(/^[[\],; \n"x]{0,6}$/);
    fc.assert(
      fc.property(text, (address) => {
        const read = () => parseQueryDefinition({ address });
        if (hasValuesOnly(address)) assert.doesNotThrow(read, address);
        else assert.throws(read, { kind: 'badInput' }, address);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses a blank value, also in quotes', () => {
    for (const address of ['""', "x, ''", '["x", " "]', ['']]) {
      assert.throws(() => parseQueryDefinition({ address }), { kind: 'badInput' }, JSON.stringify(address));
    }
  });

  it('names what is at fault by its path', () => {
    for (const [field, json] of [
      ['adress', { adress: vault }],
      ['expect.rows', { expect: { rows: 1 } }],
      ['expect.sha256', { expect: { sha256: 'x' } }],
      ['chainId', { chainId: '1' }],
      ['query', []],
    ] as const)
      assert.throws(
        () => parseQueryDefinition(json),
        (error) => isAppError(error, 'badInput') && error.details.field === field,
        field,
      );
  });

  it('knows addresses by name, in arguments too, and events by name', () => {
    const findEventsByName = () => [parseDeclaredEvent(paid)].filter((event) => event !== undefined);
    const asked = { address: 'Vault', event: 'Paid', args: { by: 'Vault' }, toBlock: 9 };
    const findDeployment = () => ({ block: 4n, contract: 'Vault', isRepeated: true as const });
    const known = { ...knowledge, findEventsByName, findDeployment };
    const resolved = resolveQuery(parseQueryDefinition(asked), known);
    assert.ok(resolved.filter);
    assert.deepEqual(resolved.filter.addresses, [vault]);
    assert.deepEqual(resolved.filter.topics[1], [toAbiWord(vault)]);
    assert.equal(resolved.filter.fromBlock, 4n);
    assert.deepEqual(resolved.filter.deployments, [
      { address: vault, block: 4n, transaction: undefined, isRepeated: true },
    ]);
    assert.equal(`event ${resolved.form.event}`, paid);
  });

  it('says all that is unclear, each at its field', () => {
    const asked = { address: ['Nobody', 'Twins'], event: 'Paid', args: { by: 'x' }, toBlock: 'soon' };
    const { errors = [] } = resolveQuery(parseQueryDefinition(asked), knowledge);
    const fields = errors.map(({ details }) => details.field);
    assert.deepEqual([...new Set(fields)].sort(), ['address', 'event', 'toBlock']);
  });

  it('says where an argument is none of the event', () => {
    const question = parseQueryDefinition({ event: paid, args: { to: vault } });
    const { errors = [] } = resolveQuery(question, knowledge);
    assert.match(errors[0]?.message ?? '', /Paid has no indexed parameter to/);
  });
});

describe('digest of rows', () => {
  it('is that of the NDJSON in the order of the chain, whichever end was read first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLog, { maxLength: 8 }), async (any) => {
        const logs = any
          .map((log, at) => ({ ...log, blockNumber: BigInt(at) }))
          .map(({ time: _, ...log }) => log);
        const upwards = createLogStore();
        upwards.append(logs);
        const downwards = createLogStore();
        downwards.append(logs.toReversed());
        const text = logs.map((log) => `${JSON.stringify(logToJson(log))}\n`).join('');
        const expected = createHash('sha256').update(text).digest('hex');
        assert.equal(await digestRows(upwards, { order: 'oldestFirst' }), expected);
        assert.equal(await digestRows(downwards, { order: 'newestFirst' }), expected);
      }),
    );
  });
});
