import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { fromRoot } from '../../../../scripts/support/paths.ts';
import { isAppError, parseFileDefinition } from '../../../../src/core/index.ts';
import { isFullRun, runs } from '../../../support/fullRun.ts';
import { fitsSchema } from '../../../support/jsonSchema.ts';

interface Part {
  readonly $ref?: string;
  readonly anyOf?: readonly Part[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly items?: Part;
  readonly additionalProperties?: Part | false;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

interface Schema {
  readonly properties: Readonly<Record<string, Part>>;
  readonly definitions: Readonly<Record<string, Part>>;
}

const schemaFile = fromRoot('media', 'schemas', 'chainlog.schema.json');

describe('schema of query files', () => {
  let schema: Schema;
  before(async () => {
    schema = JSON.parse(await readFile(schemaFile, 'utf8'));
  });

  it('takes what the reader takes, and nothing else', () => {
    let taken = 0;
    let refused = 0;
    fc.assert(
      fc.property(anyFile(schema), (file) => {
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

const hex = 'aF'.repeat(32);
/** What stands where the schema asks for no list and no object: each fits some place, and is wrong at others. */
const leaves = [
  ...['', ' ', ',', '[ ]', 'Vault', 'day', '$x', 'args.block', 'block', 'block:1000', hex, `0X${hex}`],
  ...['a b', '1st', 'args.', 'block:', 'block:0', 'day:7', hex.slice(1), `${hex}0`, 'newest', 'same'],
  ...[100, 101, 200, 201, 256, 257, 1000, 1001].map((length) => 'x'.repeat(length)),
  ...[0, 1, -1, 2 ** 53 - 1, 2 ** 53, 1 - 2 ** 53, 1.5, 1e300, true, false, null],
  ...[{}, [], [[]], [1], [1, 1], Array(64).fill(1), Array(65).fill(1)],
  ...['exact', 'metadata', 'holders', 'roles', 'confirmed', 'newestFirst', 'oldestFirst'],
];
const slip = fc.constantFrom<unknown>(...leaves);

/** Files of each kind that are right, and such with parts that are almost. */
function anyFile(schema: Schema): fc.Arbitrary<unknown> {
  const kinds = ['read', 'code', 'state'];
  const files = [undefined, ...kinds].map((kind) => {
    const isOf = (key: string) =>
      kind ? ['$schema', 'title', 'chainId', kind].includes(key) : !kinds.includes(key);
    const properties = {
      ...Object.fromEntries(Object.entries(schema.properties).filter(([key]) => isOf(key))),
      expect: { $ref: `#/definitions/${kind ?? 'log'}Result` },
    };
    return anyOf({ properties, required: ['chainId', ...(kind ? [kind] : [])] });
  });
  // No schema tells in words that topic0 or a block is given twice: the editor says it by itself.
  return fc.oneof(...files).filter((file) => {
    const { event, topics, groupBy } = (file ?? {}) as Partial<Record<string, unknown>>;
    const blocks = [groupBy].flat().filter((one) => String(one).startsWith('block'));
    return !(event && Array.isArray(topics) && topics[0]) && blocks.length < 2;
  });

  /** Values of a part of the schema, and seldom another. */
  function anyOf(part: Part): fc.Arbitrary<unknown> {
    return fc.oneof({ weight: 25, arbitrary: rightOf(part) }, slip);
  }

  function rightOf(part: Part): fc.Arbitrary<unknown> {
    const known = { ...schema.definitions[String(part.$ref).replace('#/definitions/', '')], ...part };
    const { anyOf: forms, properties, required = [], items, additionalProperties: each } = known;
    if (forms) return fc.oneof(...forms.map(anyOf));
    if (properties) {
      const parts = Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, anyOf(one)]));
      return fc.oneof(
        { weight: 12, arbitrary: fc.record(parts, { requiredKeys: [...required] }) },
        fc.record({ ...parts, event: slip, blok: slip }, { requiredKeys: [] }),
      );
    }
    if (items) return fc.array(anyOf(items), { maxLength: 5 });
    if (each) return fc.dictionary(fc.constantFrom('to', '12', 'src/A.sol:A'), anyOf(each), { maxKeys: 2 });
    return fc.constantFrom(...leaves.filter((leaf) => fitsSchema(part as never, leaf, schema as never)));
  }
}
