import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { fromRoot } from '../../../../scripts/support/paths.ts';
import { isAppError, parseFileDefinition } from '../../../../src/core/index.ts';
import { isFullRun, runs } from '../../../support/fullRun.ts';
import { fitsSchema } from '../../../support/jsonSchema.ts';

const schemaFile = fromRoot('media', 'schemas', 'chainlog.schema.json');

describe('schema of query files', () => {
  let schema: { readonly properties: object };
  before(async () => {
    schema = JSON.parse(await readFile(schemaFile, 'utf8'));
  });

  it('takes what the reader takes, and nothing else', () => {
    let taken = 0;
    let refused = 0;
    fc.assert(
      fc.property(anyFile(), (file) => {
        const json = JSON.parse(JSON.stringify(file));
        const fits = fitsSchema(schema as never, json);
        assert.equal(fits, isTaken(json), JSON.stringify(json));
        if (fits) taken++;
        else refused++;
      }),
      { numRuns: runs(3000) },
    );
    const enough = isFullRun ? 200 : 0;
    assert.ok(taken > enough && refused > enough, `${taken} taken, ${refused} refused`);
  });

  it('shows examples that the reader takes', () => {
    for (const [key, part] of Object.entries(schema.properties)) {
      for (const example of part.examples ?? [])
        assert.doesNotThrow(() => parseFileDefinition({ chainId: 1, [key]: example }), `${key}: ${example}`);
    }
  });

  it('describes each part, in words and for the completion of values', () => {
    for (const [key, part] of Object.entries(schema.properties)) {
      if (key !== '$schema') assert.ok(part.description, key);
    }
  });
});

function isTaken(json: unknown): boolean {
  try {
    parseFileDefinition(json);
    return true;
  } catch (error) {
    assert.ok(isAppError(error, 'badInput'));
    return false;
  }
}

/** Files that are right, and such with parts that are almost. */
function anyFile(): fc.Arbitrary<unknown> {
  const text = fc.string({ maxLength: 6 });
  const odd = fc.constantFrom(null, 1.5, -1, 2 ** 53, 2 ** 53 - 1, 1e300, true, {}, [], [[]], [1], '');
  const integer = fc.oneof({ weight: 5, arbitrary: fc.nat() }, fc.constantFrom(0, 1, -1, 2 ** 53 - 1));
  const texts = fc.oneof(text, fc.array(text, { maxLength: 3 }));
  const value = fc.oneof(text, integer, fc.boolean());
  const hex = fc.stringMatching(/^(?:0[xX])?[0-9a-fA-F]{64}$|^[0-9a-fA-F]{63,65}$/);
  const field = fc.constantFrom('to', 'day', 'value', 'args.block', '$x');
  const groupField = fc.oneof({ weight: 4, arbitrary: field }, fc.constantFrom('block', 'block:1000'));
  const wrongField = fc.constantFrom(
    'a b',
    '1st',
    ' ',
    'args.',
    'block:',
    'block:0',
    'day:7',
    'x'.repeat(257),
  );
  const parts = {
    $schema: text,
    title: fc.oneof(text, fc.constantFrom('x'.repeat(200), 'x'.repeat(201))),
    chainId: integer,
    address: texts,
    event: text,
    args: fc.dictionary(
      fc.stringMatching(/^[a-z]{1,4}$/),
      fc.oneof({ weight: 5, arbitrary: value }, fc.array(value), odd),
      {
        maxKeys: 2,
      },
    ),
    topics: fc.array(fc.oneof(fc.constant(null), texts), { maxLength: 5, size: 'small' }),
    fromBlock: fc.oneof(text, integer),
    toBlock: fc.oneof(text, integer),
    order: fc.constantFrom('newestFirst', 'oldestFirst', 'newestFirst', 'newest'),
    groupBy: fc.oneof({ weight: 3, arbitrary: groupField }, fc.array(groupField, { maxLength: 3 })),
    sum: field,
    expect: fc.record({ count: integer, sha256: hex, contentSha256: hex }, { requiredKeys: [] }),
  };
  const others = {
    ...parts,
    groupBy: fc.oneof(wrongField, fc.tuple(field, wrongField)),
    sum: fc.oneof(wrongField, fc.constant('block:1000')),
    expect: fc.record({ count: odd, rows: text }, { requiredKeys: [] }),
  };
  const right = fc.oneof(
    { weight: 4, arbitrary: fc.record(parts, { requiredKeys: ['chainId'] }) },
    fc.record(others, { requiredKeys: [] }),
  );
  const read = anyRead(text, integer, odd);
  const check = fc.oneof(anyCode(text, integer, odd), anyState(text, integer, odd));
  const key = fc.constantFrom(...Object.keys(parts), 'adress', 'read', 'code', 'state');
  const slip = fc.tuple(right, key, odd).map(([file, at, wrong]) => ({ ...file, [at]: wrong }));
  const any = fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 3, arbitrary: read },
    { weight: 4, arbitrary: check },
    { weight: 3, arbitrary: slip },
    odd,
  );
  // No schema tells in words that topic0 or a block is given twice: the editor says it by itself.
  return any.filter((file) => {
    const { event, topics, groupBy } = (file ?? {}) as Partial<Record<string, unknown>>;
    const blocks = [groupBy].flat().filter((one) => String(one).startsWith('block'));
    return !(event && Array.isArray(topics) && topics[0]) && blocks.length < 2;
  });
}

/** Files with a read that is right, and such with parts that are almost. */
function anyRead(
  text: fc.Arbitrary<string>,
  integer: fc.Arbitrary<number>,
  odd: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const name = fc.constantFrom('Vault', 'cap', ' ', '', 'x'.repeat(201));
  const value = fc.oneof(text, integer, fc.boolean(), fc.array(text), fc.dictionary(text, integer), odd);
  const limit = fc.oneof(text, integer, odd);
  const partly = { requiredKeys: [] };
  const expect = fc.oneof(
    fc.record({ value }, partly),
    fc.record({ atLeast: limit, atMost: limit }, partly),
    fc.record({ reverts: fc.oneof(fc.boolean(), name, odd) }, partly),
    fc.record({ value, atLeast: limit, count: integer }, partly),
  );
  const parts = {
    contract: name,
    function: name,
    arguments: fc.array(value),
    block: fc.oneof(text, integer),
  };
  const read = fc.record(parts, { requiredKeys: ['contract', 'function'] });
  const right = { chainId: fc.constant(1), title: text, read, expect, $schema: text };
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(right, { requiredKeys: ['chainId', 'read'] }) },
    fc.record(
      { ...right, read: fc.oneof(odd, fc.record({ ...parts, blok: text }, partly)), address: text },
      partly,
    ),
  );
}

type Parts = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Names that are right, empty or too long. */
const anyName = () =>
  fc.constantFrom('Vault', 'src/Vault.sol:Vault', `0x${'ab'.repeat(20)}`, ' ', '', 'x'.repeat(201));

/** Files with a check of this kind that is right, and such with parts that are almost. */
function anyCheck(
  kind: string,
  parts: Parts,
  { expect, text, odd }: { expect: Parts; text: fc.Arbitrary<string>; odd: fc.Arbitrary<unknown> },
): fc.Arbitrary<unknown> {
  const partly = { requiredKeys: [] };
  const head = { chainId: fc.constant(1), title: text, $schema: text };
  const wrong = { ...parts, blok: text };
  const expected = fc.oneof(
    { weight: 5, arbitrary: fc.record(expect, partly) },
    fc.record({ ...expect, value: text, rows: odd }, partly),
    odd,
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record(
        {
          ...head,
          [kind]: fc.record(parts, { requiredKeys: ['contract', 'kind'].filter((key) => key in parts) }),
          expect: expected,
        },
        { requiredKeys: ['chainId', kind as 'chainId'] },
      ),
    },
    fc.record(
      { ...head, [kind]: fc.oneof(odd, fc.record(wrong, partly)), expect: expected, event: text },
      partly,
    ),
  );
}

function anyCode(text: fc.Arbitrary<string>, integer: fc.Arbitrary<number>, odd: fc.Arbitrary<unknown>) {
  const match = fc.constantFrom('exact', 'metadata', 'immutables', 'settings', 'same');
  const right = fc.constantFrom('exact', 'metadata');
  const key = fc.constantFrom('owner', '12', 'src/Math.sol:Math');
  const name = anyName();
  const expect = {
    match: fc.oneof(right, match, fc.array(right, { maxLength: 4 }), odd),
    immutables: fc.oneof(fc.dictionary(key, fc.oneof(name, integer, fc.boolean(), odd)), odd),
    libraries: fc.oneof(fc.dictionary(key, fc.oneof(name, odd)), odd),
  };
  const parts = { contract: name, address: name, block: fc.oneof(text, integer) };
  return anyCheck('code', parts, { expect, text, odd });
}

function anyState(text: fc.Arbitrary<string>, integer: fc.Arbitrary<number>, odd: fc.Arbitrary<unknown>) {
  const kind = fc.constantFrom('holders', 'roles', 'allowances', 'owners');
  const name = anyName();
  const list = fc.oneof({ weight: 4, arbitrary: fc.array(name, { maxLength: 2 }) }, odd);
  const role = fc.constantFrom('MINTER_ROLE', 'owner', `0x${'0'.repeat(64)}`);
  const expect = {
    count: fc.oneof(integer, odd),
    members: fc.oneof({ weight: 4, arbitrary: fc.dictionary(role, list, { maxKeys: 2 }) }, odd),
    holders: list,
    spenders: list,
  };
  const parts = { kind, contract: name, owner: name, block: fc.oneof(text, integer) };
  return anyCheck('state', parts, { expect, text, odd });
}
