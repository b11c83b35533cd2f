import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files of a workspace that mean harm to whoever reads it. */
export interface ProjectAttack {
  readonly name: string;
  /** Texts by path; a path that ends with `@` is a symbolic link to what its text names. */
  readonly files: () => Readonly<Record<string, string>>;
  /** Words that stand on standard error: what was left out is told. */
  readonly told?: RegExp;
  readonly short?: true;
}

export const A = `0x${'a1'.repeat(20)}`;
const HASH = `0x${'1b'.repeat(32)}`;
const MIB = 1024 * 1024;

const many = (count: number, text: (nth: number) => string, between = ',') =>
  Array.from({ length: count }, (_, nth) => text(nth)).join(between);
const event = (name: string) => `{"type":"event","name":${JSON.stringify(name)},"inputs":[]}`;
const address = (nth: number) => `0x${nth.toString(16).padStart(40, '0')}`;
/** Tuples in one another. */
const nested = (depth: number) =>
  `${'{"name":"a","type":"tuple","components":['.repeat(depth)}{"name":"b","type":"uint8"}${']}'.repeat(depth)}`;

const creation = (contract: unknown, nth: number) => ({
  ...{ hash: HASH, transactionType: 'CREATE', contractName: contract, contractAddress: address(nth + 1) },
});
const receipt = (nth: number) => ({
  ...{ status: '0x1', transactionHash: HASH, blockNumber: '0x10', contractAddress: address(nth + 1) },
});
const BROADCAST = 'broadcast/D.s.sol/1/run-latest.json';

export const projectAttacks: readonly ProjectAttack[] = [
  {
    name: 'a string of 100 MB in an artifact',
    files: () => ({ 'out/A.sol/A.json': `{"abi":[],"bytecode":"${'0'.repeat(100_000_000)}"}` }),
    told: /out\/A\.sol\/A\.json: It is larger than 16 MiB\./,
  },
  {
    name: 'strings of 15 MB in artifacts',
    files: () => ({
      'out/A.sol/A.json': `{"bytecode":"${'0'.repeat(15 * MIB)}","abi":[${event('A')}]}`,
      'out/B.sol/B.json': `{"bytecode":"${'\\"'.repeat(7 * MIB)}","abi":[${event('A')}]}`,
      'out/C.sol/C.json': `{"${'\\u0061'.repeat(2 * MIB)}":1,"abi":[${event('A')}]}`,
      'out/D.sol/D.json': `{"bytecode":"${'\\'.repeat(15 * MIB)}`,
    }),
  },
  {
    name: 'depth without end',
    short: true,
    files: () => ({
      'out/A.sol/A.json': `{"abi":${'['.repeat(5 * MIB)}`,
      'out/B.sol/B.json': `{"ast":${'{"a":'.repeat(2 * MIB)}1${'}'.repeat(2 * MIB)},"abi":[]}`,
      'out/C.sol/C.json': `{"abi":[{"type":"event","name":"E","inputs":[${nested(20_000)}]}]}`,
      'abis/D.json': `${'['.repeat(5 * MIB)}${']'.repeat(5 * MIB)}`,
      [BROADCAST]: `{"transactions":${'[{"a":'.repeat(MIB)}`,
      'deployments/sepolia/E.json': '{"address":{'.repeat(MIB),
    }),
    told: /out\/A\.sol\/A\.json: It is /,
  },
  {
    name: 'a million events',
    short: true,
    files: () => ({
      'out/A.sol/A.json': `{"abi":[${many(280_000, (nth) => event(`E${nth}`))}]}`,
      ...Object.fromEntries(
        Array.from({ length: 6 }, (_, file) => [
          `out/B${file}.sol/B.json`,
          `{"abi":[${many(80_000, (nth) => event(`E${file}_${nth}`))}]}`,
        ]),
      ),
    }),
  },
  {
    name: 'items of a size beyond all measure',
    files: () => ({
      'out/A.sol/A.json': `{"abi":[{"type":"event","name":"E","inputs":[${many(60_000, (nth) => `{"name":"a${nth}","type":"uint256"}`)}]}]}`,
      'out/B.sol/B.json': `{"abi":[{"type":"event","name":"${'E'.repeat(3 * MIB)}","inputs":[]}]}`,
      'out/C.sol/C.json': `{"abi":[{"type":"event","name":"E","inputs":[{"name":"a","type":"uint256${'[2]'.repeat(MIB)}"}]}]}`,
      'out/D.sol/D.json': `{"abi":[{"type":"event","name":"E","inputs":[{"name":"a","type":"uint256[${'9'.repeat(MIB)}]"}]}]}`,
    }),
  },
  {
    name: 'a million labels',
    files: () => ({
      '.chainside/labels.json': `{"labels":[${many(200_000, (nth) => `{"address":"${address(nth)}","name":"N${nth}"}`)}]}`,
      'addresses.json': `{"1":{${many(240_000, (nth) => `"N${nth}":"${address(nth)}"`)}}}`,
      'deployments/addresses.json': `{"1":{${many(36_000, (nth) => `"N${nth}":"${address(nth)}"`)}}}`,
      'tokens.json': `{"tokens":[${many(150_000, (nth) => `{"chainId":1,"address":"${address(nth)}","symbol":"S${nth}"}`)}]}`,
    }),
  },
  {
    name: 'settings that grow',
    short: true,
    files: () => ({
      'foundry.toml': `[labels]\n${many(240_000, (nth) => `${address(nth)} = "N${nth}"`, '\n')}`,
      'a/foundry.toml': `x = ${'['.repeat(200_000)}`,
      'b/foundry.toml': `[${'a.'.repeat(100_000)}a]\n`,
      'c/foundry.toml': `x = ${'{a='.repeat(60_000)}`,
      'd/foundry.toml': many(15_000, (nth) => `[profile.p${nth}]\nout = "o${nth}"`, '\n'),
      'e/foundry.toml': `x = """${'\\\n '.repeat(80_000)}`,
      'f/foundry.toml': `x = "${'\\'.repeat(200_000)}`,
      'g/foundry.toml': `[profile.default]\nremappings = [${many(12_000, (nth) => `"a${nth}/=b${nth}/"`)}]\n`,
      'g/remappings.txt': many(12_000, (nth) => `a${nth}/=b${nth}/`, '\n'),
      'g/src/A.sol': many(2_000, (nth) => `import "a${nth}/x.sol";`, '\n'),
      'h/foundry.toml': `${'a'.repeat(100_000)}${'='.repeat(100_000)}`,
    }),
  },
  {
    name: 'sources of tokens without end',
    short: true,
    files: () => ({
      'foundry.toml': '',
      'src/A.sol': `contract A ${'{'.repeat(MIB)}`,
      'src/B.sol': `contract B { event E(${'('.repeat(MIB)}`,
      'src/C.sol': `"${'\\"'.repeat(2 * MIB)}`,
      'src/D.sol': '/*'.repeat(2 * MIB),
      'src/E.sol': many(40_000, (nth) => `contract E${nth} { event X${nth}(uint a); }`, '\n'),
      'src/F.sol': `contract F { event E(uint256${'[2]'.repeat(300_000)} a); }`,
      'src/G.sol': `contract G { uint constant N = ${'(1+'.repeat(200_000)}1; event E(uint[N] a); }`,
      'src/H.sol': `contract H is ${many(100_000, (nth) => `P${nth}`)} {}`,
      'src/I.sol': many(100_000, (nth) => `import "./x${nth}.sol";`, '\n'),
      'src/J.vy': `event E:\n${many(60_000, (nth) => `    a${nth}: uint256`, '\n')}\n`,
      'src/K.vy': `event E:\n    a: ${'DynArray['.repeat(200_000)}`,
      'src/L.sol': `unicode"${'\u202e'.repeat(500_000)}`,
    }),
  },
  {
    name: 'ways out of the workspace',
    short: true,
    files: () => ({
      'foundry.toml':
        '[profile.default]\nsrc = "../outside"\nout = "../outside/out"\nlibs = ["../outside", "/etc"]\nbroadcast = "/"\nremappings = ["@o/=../../../../../../../../etc/", "@p/=../outside/", "@q/=/etc/"]\n',
      'remappings.txt': '@r/=../outside/\n',
      'src/A.sol':
        'import "../../outside/Secret.sol";\nimport "@p/Secret.sol";\nimport "@r/Secret.sol";\nimport "@o/passwd";\nimport "@q/passwd";\nimport "/etc/passwd";\nimport "file:///etc/passwd";\ncontract A is Secret { event Got(SecretStruct s); }\n',
      'out/A.sol/A.json': `{"contractName":"A","sourceName":"../../../../etc/passwd","abi":[${event('A')}]}`,
      'linked@': '../outside',
      'out/linked@': '../../outside/out',
      'out/Secret.json@': '../../outside/out/Secret.sol/Secret.json',
      'src/Secret.sol@': '../../outside/Secret.sol',
      'src/loop@': '.',
      'lib@': '../outside',
      'node_modules@': '../outside',
      'broadcast@': '../outside/broadcast',
      '.chainside@': '../outside',
    }),
  },
  {
    name: 'links to what is outside, named by files',
    short: true,
    files: () => ({
      'foundry.toml': `[profile.default]\nextends = "conf.toml"\n[rpc_endpoints]\na = "http://127.0.0.1:1/\${STOLEN}"\n`,
      'conf.toml@': '../outside/conf.toml',
      '.env@': '../outside/.env',
      '.gitignore@': '../outside/.env',
      'linked@': '../outside',
      'hop@': 'linked',
      'self@': 'self',
      ...Object.fromEntries(Array.from({ length: 60 }, (_, nth) => [`link${nth}@`, `link${nth + 1}`])),
      'link60@': '../outside',
      'node_modules/p@': '../../outside',
      'remappings.txt': '@linked/=linked/\n@deep/=link0/\n',
      'src/A.sol':
        'import "../linked/Secret.sol";\nimport "../hop/Secret.sol";\nimport "p/Secret.sol";\nimport "@linked/Secret.sol";\nimport "@deep/Secret.sol";\nimport "../self/Secret.sol";\nimport "./File.sol";\ncontract A is Secret { event Got(SecretStruct s); }\n',
      'src/File.sol@': '../../outside/Secret.sol',
    }),
    told: /foundry\.toml: It extends conf\.toml, which does not exist/,
  },
];

/** What lies beside the workspace, and is not to be read by it. */
export const outside: Readonly<Record<string, string>> = {
  'Secret.sol': 'struct SecretStruct { uint256 a; }\ncontract Secret { event SecretEvent(uint256 a); }\n',
  'out/Secret.sol/Secret.json': `{"contractName":"Secret","abi":[${event('SecretEvent')}]}`,
  'conf.toml': 'Stolen = = 1\n',
  '.env': 'STOLEN=Stolen\n',
  'labels.json': `{"labels":[{"address":"${A}","name":"Secret"}]}`,
  'broadcast/D.s.sol/1/run-latest.json': JSON.stringify({
    ...{ transactions: [creation('Secret', 7)], receipts: [receipt(7)], chain: 1 },
  }),
};

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    if (path.endsWith('@')) await symlink(text, file.slice(0, -1));
    else await writeFile(file, text);
  }
}
