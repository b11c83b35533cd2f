import assert from 'node:assert/strict';
import type { ZodMiniType } from 'zod/mini';
import {
  AppError,
  getToolSchema,
  type JsonObject,
  openQueryInput,
  operationTools,
  parseInput,
  runOperation,
} from '../../../../src/core/index.ts';
import { createNodeFetch, createTestDeps } from '../../../support/operationDeps.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TOKEN = `0x${'11'.repeat(20)}` as const;
const VAULT = `0x${'22'.repeat(20)}` as const;
const ALICE = '0x00000000000000000000000000000000000a11ce';
const BOB = '0x0000000000000000000000000000000000000b0b';
const asTopic = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
const transfer = (block: number, to: string, address: string = TOKEN) => ({
  ...{ block, address, topics: [TRANSFER, asTopic(ALICE), asTopic(to)], data: asTopic('0x1') },
});
const logs = [transfer(5, ALICE), transfer(7, BOB), transfer(9, BOB, VAULT)];
const names = [
  { name: 'Token', address: TOKEN },
  { name: 'Vault', address: VAULT },
  { name: '[Vault', address: TOKEN },
  { name: 'Alice', address: ALICE },
] as const;

async function run(name: string, input: unknown): Promise<JsonObject> {
  const deps = await createTestDeps(createNodeFetch(logs).fetch, { names });
  return runOperation({ name, input }, deps);
}

async function count(input: unknown): Promise<unknown> {
  const result = await run('query_events', input);
  return result.count ?? result.reasons;
}

async function refusal(input: unknown, name = 'query_events'): Promise<readonly unknown[]> {
  const { error, reasons } = await run(name, input);
  return [(error as JsonObject | undefined)?.parameter, String(reasons)];
}

describe('Input of operations as clients send it', () => {
  it('is understood where JSON is sent as text', async () => {
    const transfers = { event: 'Transfer' };
    for (const [input, rows] of [
      [{ ...transfers, address: 'Token', args: `{"to":"${BOB}"}` }, '1'],
      [{ ...transfers, address: '["Token","Vault"]' }, '3'],
      [{ ...transfers, args: { to: `["${ALICE}","${BOB}"]` } }, '3'],
      [{ ...transfers, args: `{"to":"[\\"Alice\\",\\"${BOB}\\"]"}` }, '3'],
      [{ ...transfers, address: '"Vault"' }, '1'],
      [{ ...transfers, address: 'Token, Vault' }, '3'],
      [{ ...transfers, address: '[Vault' }, '2'],
      [JSON.stringify({ ...transfers, address: 'Vault' }), '1'],
    ] as const)
      assert.equal(await count(input), rows, JSON.stringify(input));
  });

  it('is understood where numbers and booleans are text, and blocks are negative numbers', async () => {
    for (const [input, rows] of [
      [{ from: -14 }, '2'],
      [{ from: '-14' }, '2'],
      [{ from: '7', to: '8' }, '1'],
      [{ from: ' 7 ', to: 8, confirm: 'True' }, '1'],
      [{ mode: 'COUNT', order: 'newestfirst' }, '3'],
    ] as const)
      assert.equal(await count(input), rows, JSON.stringify(input));
    const page = await run('query_events', { mode: 'rows', limit: '2', confirm: 'false' });
    assert.equal((page.rows as readonly unknown[]).length, 2);
  });

  it('has no parameter that is null or blank', async () => {
    const blank = { address: '', event: null, args: '', from: ' ', to: null, limit: 'null', cursor: null };
    assert.equal(
      await count({ ...blank, order: '', format: null, file: 'null', confirm: null, mode: '' }),
      '3',
    );
    assert.equal(await count({ event: 'Transfer', args: { from: null, to: BOB } }), '2');
    assert.deepEqual(await refusal({ hash: '' }, 'get_transaction'), [
      'hash',
      `hash is invalid: it is missing. Example: {"hash":"0x${'12'.repeat(32)}"}.`,
    ]);
  });

  it('of every tool may be blank, null, or text in place of numbers, booleans and lists', () => {
    const valid: Readonly<Record<string, unknown>> = {
      ...{ contract: 'Token', address: 'Token', function: 'balanceOf', kind: 'holders', hex: '0xa9059cbb' },
      hash: `0x${'12'.repeat(32)}`,
    };
    const forms: Readonly<Record<string, readonly (readonly [sent: unknown, meant: unknown])[]>> = {
      limit: [10, '10', ' 10 ', '"10"'].map((sent) => [sent, 10]),
      confirm: [true, 'TRUE', '"true"', 1, '1'].map((sent) => [sent, true]),
      trace: [false, 'false', 0, '0'].map((sent) => [sent, false]),
      run: [false, 'False', 0].map((sent) => [sent, false]),
      block: [10, '10', '"10"'].map((sent) => [sent, typeof sent === 'number' ? 10 : '10']),
      arguments: [['Alice'], '["Alice"]', 'Alice', '"Alice"'].map((sent) => [sent, ['Alice']]),
      group_by: [['to'], '["to"]', ['to', null, '']].map((sent) => [sent, ['to']]),
      address: ['Token', '"Token"'].map((sent) => [sent, 'Token']),
    };
    for (const { name, input } of [...operationTools, { name: 'open_query', input: openQueryInput }]) {
      const { shape } = input as unknown as { readonly shape: Readonly<Record<string, ZodMiniType>> };
      const isRequired = (parameter: string) =>
        !['optional', 'default'].includes(shape[parameter]?._zod.def.type ?? '');
      const required = Object.keys(shape).filter(isRequired);
      const base = Object.fromEntries(required.map((parameter) => [parameter, valid[parameter]]));
      const plain = parseInput(input, base);
      for (const sent of required.length > 0 ? [JSON.stringify(base)] : [null, '', ' ', 'null', '{}'])
        assert.deepEqual(parseInput(input, sent), plain, `${name} ${sent}`);
      for (const parameter of Object.keys(shape)) {
        if (!isRequired(parameter))
          for (const sent of [null, undefined, '', ' ', 'null', 'undefined', '""'])
            assert.deepEqual(
              parseInput(input, { ...base, [parameter]: sent }),
              plain,
              `${name} ${parameter} ${sent}`,
            );
        for (const [sent, meant] of forms[parameter] ?? [])
          assert.deepEqual(
            parseInput(input, { ...base, [parameter]: sent }),
            { ...plain, [parameter]: meant },
            name,
          );
      }
    }
  });

  it('is refused with an example where it means nothing', async () => {
    for (const [input, parameter, message] of [
      [{ args: '{to: Bob}' }, 'args', /must be of type object. Example: \{"args":\{"to":/],
      [{ args: [BOB] }, 'args', /Example: \{"args":/],
      [{ event: 'Transfer', args: { to: [] } }, 'args.to', /Example: \{"args":/],
      [{ event: 'Transfer', args: { to: 2 ** 60 } }, 'args.to', /write larger integers as text/],
      [{ limit: 'many' }, 'limit', /Example: \{"limit":20\}/],
      [{ confirm: 'perhaps' }, 'confirm', /Example: \{"confirm":true\}/],
      [{ from: 1.5 }, 'from', /Example: \{"from":"latest-1000"\}/],
      [{ address: [] }, 'address', /Example: \{"address":"Token"\}/],
      [{ address: '[Token' }, 'address', /No address is called \[Token/],
      [{ to: -5 }, 'to', /cannot be negative/],
    ] as const) {
      const [field, reasons] = await refusal(input);
      assert.equal(field, parameter, JSON.stringify(input));
      assert.match(String(reasons), message);
    }
  });

  it('has an example of each parameter, which is valid', () => {
    const schemas = [...operationTools.map(({ input }) => input), openQueryInput];
    for (const schema of schemas) {
      for (const name of Object.keys(schema.shape)) {
        if (name === 'cursor') continue;
        let message = '';
        try {
          parseInput(schema, { [name]: { not: ['this'] } });
        } catch (error) {
          message = String(error);
        }
        const [, example] = /Example: (\{.*\})\.$/.exec(message) ?? [];
        if (name === 'args') continue;
        assert.ok(example, `${name}: ${message}`);
        assert.doesNotThrow(() => parseInput(schema, JSON.parse(example)), name);
      }
    }
  });
});

describe('An error in Chainside', () => {
  it('is not blamed on the endpoint', async () => {
    const deps = await createTestDeps(createNodeFetch(logs).fetch);
    const knowledge = async () => {
      throw new TypeError('x is undefined');
    };
    const { error } = await runOperation({ name: 'get_network', input: {} }, { ...deps, knowledge });
    const { kind, next } = error as JsonObject;
    assert.deepEqual([kind, /report/.test(String(next))], ['internal', true]);
  });
});

describe('Arguments of an event by its bare name', () => {
  it('are never taken for those of another standard', async () => {
    const [parameter, reasons] = await refusal({ event: 'Transfer', args: { sender: ALICE } });
    assert.equal(parameter, 'args');
    assert.match(String(reasons), /no indexed parameters sender.*write its declaration/);
    assert.match(String(reasons), /Transfer\(address indexed from, address indexed to, uint256 value\)/);
    assert.equal(await count({ event: 'Transfer', args: { tokenId: 1 } }), '0');
  });

  it('are refused by any name that the event does not have', async () => {
    for (const event of ['Transfer', 'Transfer(address indexed from, address indexed to, uint256 value)']) {
      for (const name of ['__proto__', 'constructor', 'toString', 'value', 'To']) {
        const input = JSON.parse(`{"event":"${event}","args":{"${name}":"${BOB}"}}`);
        for (const given of [input, { ...input, args: JSON.stringify(input.args) }]) {
          const [parameter, reasons] = await refusal(given);
          assert.equal(parameter, 'args', `${event} ${name}: ${reasons}`);
          assert.match(String(reasons), /from, (?:address indexed )?to/);
        }
      }
    }
  });
});

describe('A text of millions of characters', () => {
  it('is read or refused, whatever the parameter', () => {
    const length = 8 * 1024 * 1024;
    for (const text of [`0x${'ab'.repeat(length / 2)}`, '7'.repeat(length), `[${' '.repeat(length)}`]) {
      for (const { name, input } of operationTools) {
        for (const parameter of Object.keys(getToolSchema(name)?.properties ?? {})) {
          try {
            parseInput(input, { [parameter]: text });
          } catch (error) {
            assert.ok(error instanceof AppError, `${name} ${parameter}: ${error}`);
            assert.equal(error.kind, 'badInput');
          }
        }
      }
    }
  });
});

describe('An address with a wrong checksum', () => {
  const right = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
  const wrong = right.replace('5Fb', '5fb');

  it('is refused by every operation, and in one case only accepted', async () => {
    const declared = 'Transfer(address indexed from, address indexed to, uint256 value)';
    for (const [name, input, parameter] of [
      ['query_events', { address: wrong }, 'address'],
      ['query_events', { address: [TOKEN, wrong] }, 'address'],
      ['query_events', { event: declared, args: { to: wrong } }, 'args.to'],
      ['get_address', { address: wrong }, 'address'],
      ['resolve_contract', { contract: wrong }, 'contract'],
      ['decode_data', { hex: '0xa9059cbb', address: wrong }, 'address'],
    ] as const) {
      const [field, reasons] = await refusal(input, name);
      assert.equal(field, parameter, name);
      assert.match(String(reasons), /checksum of 0x5fbDB.* is wrong.*in lower case/);
    }
    for (const address of [right, right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`])
      assert.equal(await count({ address }), '0', address);
  });
});
