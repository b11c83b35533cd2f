import assert from 'node:assert/strict';
import {
  createContractIndex,
  type JsonObject,
  MAX_RESULT_BYTES,
  type OperationDeps,
  parseEventOrTopic0,
  runOperation,
} from '../../../../src/core/index.ts';
import { createNodeFetch, createTestDeps } from '../../../support/operationDeps.ts';
import { contractFacts, factsOfContracts } from '../../../support/projectFacts.ts';

const TOKEN = `0x${'11'.repeat(20)}` as const;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (value: number | string) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const ALICE = '0xa11ce00000000000000000000000000000000001';
const BOB = '0xb0b0000000000000000000000000000000000001';

function bytesOf(result: JsonObject): number {
  const content = [{ type: 'text', text: JSON.stringify(result) }];
  return Buffer.byteLength(JSON.stringify({ content, structuredContent: result, isError: false }));
}

const query = (input: object, deps: OperationDeps): Promise<JsonObject> =>
  runOperation({ name: 'query_events', input }, deps);

/** The input of the next page; none after the last. */
const nextOf = ({ next_call }: JsonObject) =>
  (next_call as { readonly arguments: JsonObject } | undefined)?.arguments;

/** All pages, none of which is too large. */
async function pagesOf(first: object, deps: OperationDeps): Promise<readonly JsonObject[]> {
  const pages: JsonObject[] = [];
  for (let input: object | undefined = first; input; input = nextOf(pages.at(-1) ?? {})) {
    const page = await query(input, deps);
    assert.ok(!('error' in page) && bytesOf(page) <= MAX_RESULT_BYTES, JSON.stringify(page));
    pages.push(page);
  }
  return pages;
}

const rowsIn = ({ rows }: JsonObject) => rows as readonly JsonObject[];

describe('Rows of an event that the query declares', () => {
  const other = { block: 3, address: TOKEN, topics: [TRANSFER, word(ALICE), word(BOB)], data: word(7) };

  async function rowsOf(event: string, indexed: number, mode = 'rows'): Promise<JsonObject> {
    const topics = [word(ALICE), word(5), word(6)];
    const topic0 = parseEventOrTopic0(event);
    const log = {
      ...{ block: 2, address: TOKEN, topics: [topic0, ...topics.slice(0, indexed)] },
      data: `0x${topics
        .slice(indexed)
        .map((topic) => topic.slice(2))
        .join('')}`,
    };
    const deps = await createTestDeps(createNodeFetch([log, other]).fetch);
    return query({ address: TOKEN, event, mode }, deps);
  }

  it('are decoded by it, though nobody else knows the event', async () => {
    const byName = { by: ALICE, size: '5', more: '6' };
    for (const mode of ['rows', 'sample']) {
      for (const [event, indexed] of [
        ['Pinged(address indexed by, uint256 size, uint256 more)', 1],
        ['event Pinged(address indexed by, uint256 indexed size, uint256 indexed more);', 3],
        ['Pinged(address by, uint256 size, uint256 more)', 0],
        ['Pinged(address by, uint256 size, uint256 more)', 3],
      ] as const) {
        const [row] = rowsIn(await rowsOf(event, indexed, mode));
        assert.deepEqual([row?.event, row?.args], ['Pinged', byName], `${event} ${indexed}`);
      }
    }
    const { last } = await rowsOf('Pinged(address indexed by, uint256 size, uint256 more)', 1, 'count');
    assert.deepEqual((last as JsonObject).args, byName);
  });

  it('stay raw, with the reason, where it does not fit them or fits in several ways', async () => {
    const unfit = await rowsOf('Pinged(address indexed by, uint256 indexed size, uint256 more)', 1);
    const [row] = rowsIn(unfit);
    assert.equal(row?.event, null);
    assert.match(String(row?.why), /topic/);
    const several = await rowsOf('Pinged(uint256 by, uint256 size, uint256 more)', 1);
    assert.equal(rowsIn(several)[0]?.event, null);
  });

  it('are decoded on every page', async () => {
    const event = 'Pinged(address indexed by, uint256 size, uint256 more)';
    const topic0 = parseEventOrTopic0(event);
    const log = { address: TOKEN, topics: [topic0, word(ALICE)], data: `${word(5)}${word(6).slice(2)}` };
    const deps = await createTestDeps(createNodeFetch([1, 2].map((block) => ({ ...log, block }))).fetch);
    const [, second = {}] = await pagesOf({ event, mode: 'rows', limit: 1 }, deps);
    const [row] = rowsIn(second);
    assert.deepEqual([row?.block, row?.event, second.complete], ['2', 'Pinged', true]);
  });
});

describe('Pages of rows', () => {
  const transfer = (block: number) => ({
    ...{ block, address: TOKEN, topics: [TRANSFER, word(ALICE), word(BOB)], data: word(1_000_000 + block) },
  });

  it('are filled up to the limit, or to 16 KiB', async () => {
    const logs = Array.from({ length: 300 }, (_, at) => transfer(at + 1));
    const deps = await createTestDeps(createNodeFetch(logs, { head: 400 }).fetch);
    const input = { address: TOKEN, event: 'Transfer', mode: 'rows' };
    assert.equal((await query(input, deps)).returned, 20);
    const pages = await pagesOf({ ...input, limit: 100 }, deps);
    for (const page of pages) {
      if (nextOf(page)) assert.ok(bytesOf(page) > 0.93 * MAX_RESULT_BYTES, String(bytesOf(page)));
      const shared = page.shared as JsonObject | undefined;
      for (const row of rowsIn(page)) {
        assert.deepEqual([row.event ?? shared?.event, row.address ?? shared?.address], ['Transfer', TOKEN]);
        assert.equal((row.args as JsonObject).from, ALICE);
      }
    }
    assert.deepEqual(
      pages.flatMap(rowsIn).map(({ block }) => block),
      logs.map(({ block }) => String(block)),
    );
    assert.ok(pages.length <= 13, String(pages.length));
  });

  const listAddresses = (count: number) =>
    Array.from({ length: count }, (_, at) => `0x${(0xb0b + at).toString(16).padStart(40, '0')}`);

  it('go on where a query has many values, unless it does not fit into a page', async () => {
    const logs = Array.from({ length: 60 }, (_, at) => transfer(at + 1));
    const deps = await createTestDeps(createNodeFetch(logs, { head: 400 }).fetch);
    const input = { address: TOKEN, event: 'Transfer', mode: 'rows', limit: 50 };
    const pages = await pagesOf({ ...input, args: { to: [BOB, ...listAddresses(49)] } }, deps);
    assert.deepEqual(
      pages.flatMap(rowsIn).map(({ block }) => block),
      logs.map(({ block }) => String(block)),
    );
    const args = { to: [BOB, ...listAddresses(49)], from: [ALICE, ...listAddresses(49)] };
    const refused = await query({ ...input, limit: 2, args }, deps);
    assert.match(String((refused.error as JsonObject).message), /too long to be read in pages/);
  });

  it('are found by members of enums, of which the error names all', async () => {
    const event = 'RoleChanged(address indexed who, uint8 indexed role)';
    const abi = [`event ${event}` as const];
    const members = ['Employee', 'Manager', 'Auditor'];
    const enums = { [`event ${event}`]: [{ path: '1', name: 'Payroll.Role', members }] };
    const index = createContractIndex();
    index.put('src/Payroll.sol', factsOfContracts(contractFacts('Payroll', { abi, enums })));
    const logs = [1, 2, 2].map((role, at) => ({
      ...{ block: at + 1, address: TOKEN, topics: [parseEventOrTopic0(event), word(ALICE), word(role)] },
    }));
    const deps = await createTestDeps(createNodeFetch(logs).fetch, { index });
    const count = (role: string) => query({ event: 'RoleChanged', args: { role } }, deps);
    assert.equal((await count('Auditor')).count, '2');
    const { error } = await count('Audtor');
    const expected = 'Role has no member Audtor. Enter Employee, Manager, Auditor, or a number.';
    assert.equal((error as JsonObject).message, expected);
  });

  it('end where a name of the query means another address than on the page before', async () => {
    const { fetch } = createNodeFetch([transfer(1), transfer(2)]);
    const named = (address: string) =>
      createTestDeps(fetch, { names: [{ name: 'Token', address: address as typeof TOKEN }] });
    const input = { address: 'Token', event: 'Transfer', mode: 'rows', limit: 1 };
    const next = nextOf(await query(input, await named(TOKEN))) ?? assert.fail();
    assert.equal((await query(next, await named(TOKEN))).returnedSoFar, 2);
    const other = await query(next, await named(BOB));
    assert.match(
      String((other.error as JsonObject).message),
      /^A name in the query now refers to something else/,
    );
  });

  it('repeat nothing less than whole rows where all fit', async () => {
    const deps = await createTestDeps(createNodeFetch([transfer(1), transfer(2)]).fetch);
    const input = { address: TOKEN, event: 'Transfer', mode: 'rows' };
    const page = await query(input, deps);
    assert.equal(page.shared, undefined);
    assert.deepEqual(
      rowsIn(page).map(({ address, event }) => [address, event]),
      [1, 2].map(() => [TOKEN, 'Transfer']),
    );
  });
});

describe('What an endpoint cannot do', () => {
  it('is stated for a portal', async () => {
    const fetch = async () => Response.json({ number: 20, hash: word(20) });
    const url = 'https://portal.example/datasets/base-mainnet';
    const deps = await createTestDeps(fetch, { url, provider: async () => ({}) as never });
    const client = { ...deps.client, getBlockNumber: async () => 20n, getChainId: async () => undefined };
    const result = await runOperation({ name: 'get_network', input: {} }, { ...deps, client });
    const { tells } = result as { tells?: JsonObject };
    assert.deepEqual(tells, {
      logs: true,
      balances: false,
      addresses: false,
      tokens: true,
      transactions: false,
    });
    assert.match(String(result.note), /SQD Portal.*no balances, tokens, transactions or calls/);
  });

  it('is the cause of unknown names where it does not report its chain ID', async () => {
    const names = [{ name: 'Mine', address: TOKEN }];
    const deps = await createTestDeps(createNodeFetch([]).fetch, { names, chainId: async () => undefined });
    for (const [name, input] of [
      ['query_events', { address: 'Token' }],
      ['query_events', { event: 'Transfer(address indexed to)', args: { to: 'Token' } }],
      ['get_address', { address: 'Token' }],
      ['resolve_contract', { contract: 'Token' }],
      ['query_events', { address: TOKEN, event: 'Nothing' }],
    ] as const) {
      const { reasons } = await runOperation({ name, input }, deps);
      assert.match(String(reasons), /chain ID is unknown.*--chain-id/, name);
    }
    assert.equal((await query({ address: 'Mine' }, deps)).error, undefined);
  });
});
