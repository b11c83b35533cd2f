import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CopyQuery, copyQueryTargets, type Hex } from '../../../../src/core/index.ts';
import { sqlParsers } from '../../../support/copyAs/tools.ts';
import { eventOf } from '../../../support/eventLogs.ts';
import { runs } from '../../../support/fullRun.ts';

const digits = (size: number) =>
  fc
    .uint8Array({ minLength: size, maxLength: size })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
const time = fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: undefined });
const query: fc.Arbitrary<CopyQuery> = fc
  .record({
    addresses: fc.array(digits(20), { maxLength: 3 }),
    topics: fc.array(fc.option(fc.array(digits(32), { minLength: 1, maxLength: 3 })), { maxLength: 4 }),
    times: fc.record({ from: time, to: time }),
    name: fc.string({ unit: 'binary', maxLength: 60 }),
    toBlock: fc.constantFrom('latest' as const, 2n ** 40n),
  })
  .map(({ addresses, topics, times, name, toBlock }) => ({
    filter: { addresses, topics, fromBlock: 5n, toBlock },
    event: eventOf('event Paid(address indexed by)'),
    network: { name: `${name}\n; DROP TABLE x; {{a}} */ --`, chainId: 1, rpcUrl: 'https://a.example' },
    times,
  }));
const of = (id: string) => copyQueryTargets.find((target) => target.id === id)?.copy ?? assert.fail(id);

function textOf(id: string, asked: CopyQuery): string {
  const handed = of(id)(asked);
  return 'text' in handed ? handed.text : assert.fail(handed.error);
}

/** What a text is to hold, each as a condition of its own: the column, and the values that it may have. */
function conditionsOf(
  { filter }: CopyQuery,
  quote: string,
  columns: { readonly address: string; readonly topic: (n: number) => string },
) {
  const one = (column: string, values: readonly string[]) =>
    `${column}=${values.map((value) => quote + value + quote).join()}`;
  return [
    ...(filter.addresses.length > 0 ? [one(columns.address, filter.addresses)] : []),
    ...filter.topics.flatMap((values, position) => (values ? [one(columns.topic(position), values)] : [])),
  ];
}

describe('SQL for other places', function sql() {
  // The parsers come from npm the first time.
  this.timeout(300_000);
  let parsers: Awaited<ReturnType<typeof sqlParsers>>;
  before(async () => {
    parsers = await sqlParsers();
  });

  it('is one statement of Trino with these conditions alone, for Dune', () => {
    fc.assert(
      fc.property(query, (asked) => {
        const text = textOf('dune', asked);
        assert.deepEqual(parsers.trinoFaults(text), []);
        const words = parsers.trinoTokens(text);
        assert.ok(!words.includes(';'), text);
        const conditions = conditionsIn(words.join(' '));
        const { from, to } = asked.times ?? {};
        const dated = conditions.filter((condition) => /^block_(?:date|time)/.test(condition));
        assert.deepEqual(dated, [
          ...(from === undefined
            ? []
            : [`block_date>=date'${day(from)}'`, `block_time>=timestamp'${second(from).replace(' ', '')}'`]),
          ...(to === undefined
            ? []
            : [
                `block_date<=date'${day(to)}'`,
                `block_time<timestamp'${second(to + 1000).replace(' ', '')}'`,
              ]),
        ]);
        const numbers = conditions.filter((condition) => condition.startsWith('block_number'));
        assert.deepEqual(numbers, [
          'block_number>=5',
          ...(asked.filter.toBlock === 'latest' ? [] : ['block_number<=1099511627776']),
        ]);
        const others = conditions.filter((condition) => !condition.startsWith('block_'));
        assert.deepEqual(
          others,
          conditionsOf(asked, '', { address: 'contract_address', topic: (n) => `topic${n}` }),
        );
      }),
      { numRuns: runs(100) },
    );
  });

  it('is one statement of BigQuery with these conditions alone', () => {
    fc.assert(
      fc.property(query, (asked) => {
        const text = textOf('bigquery', asked);
        const { statements } = parsers.bigQuery(text);
        const [only, ...others] = statements.filter(({ type }) => type !== 'empty');
        assert.deepEqual(
          [only?.clauses?.map(({ type }) => type), others],
          [['select_clause', 'from_clause', 'where_clause', 'order_by_clause'], []],
        );
        const conditions = conditionsIn(text.replaceAll(/^--.*$/gm, ''));
        const { from, to } = asked.times ?? {};
        const timestamp = (time: number) => `TIMESTAMP'${second(time)} UTC'`.replaceAll(' ', '');
        assert.deepEqual(conditions, [
          ...(from === undefined ? [] : [`block_timestamp>=${timestamp(from)}`]),
          ...(to === undefined ? [] : [`block_timestamp<${timestamp(to + 1000)}`]),
          'block_number>=5',
          ...(asked.filter.toBlock === 'latest' ? [] : ['block_number<=1099511627776']),
          ...conditionsOf(asked, "'", { address: 'address', topic: (n) => `topics[SAFE_OFFSET${n}]` }),
        ]);
      }),
      { numRuns: runs(100) },
    );
  });

  it('says where all partitions would be read', () => {
    const network = { name: 'Ethereum', chainId: 1, rpcUrl: 'https://a.example' };
    const filter = { addresses: [], topics: [], fromBlock: 0n, toBlock: 9n } as const;
    for (const id of ['dune', 'bigquery']) {
      assert.match(textOf(id, { filter, network, times: { to: 1e12 } }), /-- Add bounds for the times/);
      assert.doesNotMatch(textOf(id, { filter, network, times: { from: 1e12, to: 1e12 } }), /Add bounds/);
    }
  });

  it('takes nothing for hex that could end a literal', () => {
    const network = { name: 'Ethereum', chainId: 1, rpcUrl: 'https://a.example' };
    for (const wrong of ["0x' OR 1=1 --", '0x12 OR 1=1', '12', "'"]) {
      const filter = { addresses: [wrong as Hex], topics: [], fromBlock: 0n, toBlock: 9n };
      for (const id of ['dune', 'bigquery']) assert.throws(() => of(id)({ filter, network }), /hex/i);
    }
  });
});

/** The conditions of a statement, without spaces and brackets. */
function conditionsIn(statement: string): readonly string[] {
  const [, where = ''] = /\bWHERE\s(.*)\bORDER\b/s.exec(statement) ?? [];
  return where
    .split(/\sAND\s/)
    .map((condition) => condition.replaceAll(/\s(?:=|IN)\s/g, '=').replaceAll(/[()\s]/g, ''));
}

function second(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

function day(milliseconds: number): string {
  return second(milliseconds).slice(0, 10);
}
