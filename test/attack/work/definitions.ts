import { type AbiFunction, parseAbiItem } from '../../../src/core/abi/item.ts';
import { toChecksumAddress } from '../../../src/core/eth/keccak.ts';
import { parseLogFilter, parseQueryArguments } from '../../../src/core/logs/query/queryJson.ts';
import { SECRET_PLACEHOLDER } from '../../../src/core/networks/network.ts';
import { resolveNetworks } from '../../../src/core/networks/networkSetting.ts';
import { parseCodeDefinition } from '../../../src/core/queries/codeDefinition.ts';
import { parseChainQueryDefinition } from '../../../src/core/queries/queryDefinition.ts';
import { MAX_QUERY_FILE_CHARS } from '../../../src/core/queries/queryText.ts';
import { parseReadDefinition } from '../../../src/core/queries/readDefinition.ts';
import { parseStateDefinition } from '../../../src/core/queries/stateDefinition.ts';
import { chooseFunction } from '../../../src/core/reads/readFunction.ts';
import { below, type Chance, fill, hashOf, pick, repeatUnits } from './random.ts';
import { type Door, type Work, workOf } from './work.ts';

type Make = (size: number, chance: Chance) => unknown;

/** As `make` makes it; one in eight with another value in one of its fields. */
const broken =
  (make: Make): Make =>
  (size, chance) => {
    const made = make(size, chance) as Readonly<Record<string, unknown>>;
    if (chance() >= 1 / 8) return made;
    const key = pick(chance, [...Object.keys(made), 'x'.repeat(below(chance, 300)), '__proto__']);
    const value = pick<unknown>(chance, [
      ...[null, -1, '', [], {}, 'x'.repeat(size)],
      ...[fill(size, 6, String), Object.fromEntries(fill(size, 12, (index) => [`k${index}`, 0]))],
    ]);
    return Object.fromEntries([...Object.entries(made), [key, value]]);
  };

const addressOf = (index: number) => `0x${(index * 7 + 1).toString(16).padStart(40, 'a7')}` as const;

/** In lower case, or all with a checksum. */
function listAddresses(size: number, chance: Chance): readonly string[] {
  const write = pick(chance, [(index: number) => toChecksumAddress(addressOf(index)), addressOf]);
  const some = below(chance, size / 44) + 1;
  return fill(size, 44, (index) => write(index % some));
}

/** A list as people write it. */
const written = (chance: Chance, values: readonly string[]) =>
  pick<unknown>(chance, [
    values,
    ...[', ', ' ', '\n', ';'].map((separator) => values.join(separator)),
    JSON.stringify(values),
  ]);

const NOTES = [
  `'"`,
  'a',
  ',',
  '"',
  '\\',
  "'",
  '`',
  '[',
  ']',
  ' ',
  '\n',
  'a,b',
  '"a",',
  '\\"',
  '0x ',
  '1 000 ',
];

/** The query of an event; what is large is one of its fields. */
function makeQuery(size: number, chance: Chance): Readonly<Record<string, unknown>> {
  const text = () => `x${repeatUnits(chance, size, NOTES)}`;
  const parameters = fill(Math.min(size, 9_000), 24, (index) => `uint256 b${index}`);
  const large = pick<() => object>(chance, [
    () => ({ address: written(chance, listAddresses(size, chance)) }),
    () => ({ topics: [null, fill(size, 70, hashOf)] }),
    () => ({ args: { by: listAddresses(size, chance) } }),
    () => ({ args: { note: pick<unknown>(chance, [text(), fill(size, 9, (index) => `n${index}, "x"`)]) } }),
    () => ({
      args: {
        amount: written(
          chance,
          fill(size, 9, (index) => String(index)),
        ),
      },
    }),
    () => ({ event: fill(size, 70, hashOf).join(pick(chance, [' ', ', ', '\n'])) }),
    () => ({ event: `P(address indexed by, string indexed note, uint256 indexed amount, ${parameters})` }),
  ])();
  const event = 'Paid(address indexed by, string indexed note, uint256 indexed amount)';
  return { ...(!('topics' in large) && { event }), fromBlock: pick<unknown>(chance, [1, '0x10']), ...large };
}

function makeRead(size: number, chance: Chance): Readonly<Record<string, unknown>> {
  const count = 1 + below(chance, 64);
  const args = fill(count, 1, () => makeArgument(size / count, chance)[0]);
  const expect = pick<unknown>(chance, [
    { value: fill(size, 9, (index) => ({ a: index })) },
    { atLeast: '1'.repeat(size), atMost: '9' },
    { reverts: 'Paused()' },
  ]);
  return { chainId: 1, read: { contract: 'Vault', function: 'f(uint256)', arguments: args }, expect };
}

function makeState(size: number, chance: Chance): Readonly<Record<string, unknown>> {
  const roles = 1 + below(chance, 500);
  const members = () =>
    Object.fromEntries(
      fill(roles, 1, (index) => [`ROLE_${index}`, listAddresses(Math.min(size / roles, 200_000), chance)]),
    );
  const expect = pick(chance, [
    () => ({ members: members() }),
    () => ({ holders: listAddresses(Math.min(size, 200_000), chance), count: 1 }),
    () => ({ spenders: fill(Math.min(size, 900_000), 200, (index) => String(index).padEnd(200, 'x')) }),
  ])();
  const kind = pick(chance, ['holders', 'roles', 'allowances']);
  return { chainId: 1, state: { kind, contract: 'Vault', block: 1 }, expect, needs: 'confirmed' };
}

function makeCodeCheck(size: number, chance: Chance): Readonly<Record<string, unknown>> {
  const chars = below(chance, 190) + 1;
  const named = Object.fromEntries(
    fill(Math.min(size, 900 * chars), chars, (index) => [`${'x'.repeat(chars)}${index}`, 'v'.repeat(chars)]),
  );
  const part = pick(chance, ['immutables', 'libraries']);
  return {
    chainId: 1,
    code: { contract: 'Vault', block: 'latest' },
    expect: { match: 'exact', [part]: named },
  };
}

function makeNetworks(size: number, chance: Chance): Readonly<Record<string, unknown>> {
  const chars = below(chance, pick(chance, [9, 200, size]));
  const units = ['a/', SECRET_PLACEHOLDER, '%41', '../', '?', '@', '\\', '\u202e', '\u200b', 'é'];
  const url = `https://node.example/${repeatUnits(chance, chars, units)}`;
  return Object.fromEntries(
    fill(size, 200 + url.length, (index) => [
      pick(chance, [`n${index}`, `${index}`, '\u202e'.repeat(below(chance, 99))]),
      {
        ...{ chainId: index + 1, rpcUrl: url, rpcAuth: pick(chance, ['bearer', `header:${'x'.repeat(60)}`]) },
        ...{ name: pick(chance, ['\u202e'.repeat(80), 'x', ' '.repeat(200), '\u200b'.repeat(79)]) },
        ...{ symbol: 'é'.repeat(12), decimals: pick(chance, [0, 77, 99]), explorerUrl: url },
      },
    ]),
  );
}

/** An argument, and the types that take it. */
function makeArgument(size: number, chance: Chance): readonly [unknown, readonly string[]] {
  const numbers = () =>
    fill(size, 9, () => pick(chance, ['1', '0x10', '1_000', '2 ether', '1e18', '20 gwei']));
  const structs = () => fill(size, 60, (index) => ({ a: index, b: ['0x', '0xab'], c: addressOf(index) }));
  return pick<() => readonly [unknown, readonly string[]]>(chance, [
    () => [numbers(), ['uint256[] a', 'int256[] a']],
    () => [`[${numbers().join(', ')}]`, ['uint256[] a', 'string a']],
    () => [structs(), ['(uint256 a, bytes[] b, address c)[] a']],
    () => [JSON.stringify(structs()), ['(uint256 a, bytes[] b, address c)[] a', 'string a']],
    () => [fill(size, 4, () => []), ['uint256[][] a', 'string[][] a', 'bytes[][] a']],
    () => [`0x${'ab'.repeat(size / 2)}`, ['bytes a', 'string a']],
    () => [`[${repeatUnits(chance, size, ['"', '\\', '[', '1', 'a', ' wei', '-', '.'])}]`, ['uint256[] a']],
    () => [listAddresses(size, chance), ['address[] a', 'bytes20[] a']],
  ])();
}

export const definitionsWork: readonly Work[] = [
  workOf('definitions and arguments', MAX_QUERY_FILE_CHARS, [
    [broken(makeQuery), (json: unknown) => parseLogFilter(json)],
    [
      broken((size, chance) => ({
        ...makeQuery(size, chance),
        chainId: 1,
        run: true,
        groupBy: ['by', 'day'],
      })),
      (json: unknown) => parseQueryArguments(json),
    ],
    [
      broken((size, chance) => ({ ...makeQuery(size, chance), chainId: 1, expect: { count: 1 } })),
      (json: unknown) => parseChainQueryDefinition(json),
    ],
    [broken(makeRead), (json: unknown) => parseReadDefinition(json)],
    [broken(makeState), (json: unknown) => parseStateDefinition(json)],
    [broken(makeCodeCheck), (json: unknown) => parseCodeDefinition(json)],
    [broken(makeNetworks), (setting: unknown) => resolveNetworks(setting)],
    [
      (size, chance) => {
        const [argument, types] = makeArgument(size, chance);
        const taken = pick<readonly string[]>(chance, [types, types.slice(0, 1)]);
        return { args: [argument], functions: taken.map((type) => parseAbiItem(`function f(${type})`)) };
      },
      ({ functions, args }: { readonly functions: AbiFunction[]; readonly args: readonly unknown[] }) =>
        chooseFunction(functions, args, {}),
    ],
  ] satisfies readonly Door[]),
];
