import {
  createProjectIndexer,
  type FolderEntry,
  listFoundryEtherscanKeys,
  listHardhatEtherscanKeys,
  type ProjectFiles,
  parseDotenv,
  parseFoundryEndpoints,
  parseHardhatEndpoints,
  readFoundryConfig,
  resolveProjectEndpoint,
  systemClock,
} from '../../../src/core/index.ts';
import type { Work } from './work.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
type Random = () => number;
/** The files of a project by path. */
type Tree = Readonly<Record<string, string>>;

const variable = (name: string) => `\${${name}}`;
const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));
const oneOf = <T>(random: Random, [first, ...rest]: readonly [T, ...T[]]): T =>
  [first, ...rest][Math.floor(random() * (rest.length + 1))] ?? first;

/** Joins what `make` makes until the text has `size` characters. */
function fill(size: number, make: (index: number) => string, separator = '\n'): string {
  const parts: string[] = [];
  for (let index = 0, chars = 0; chars < size; index++) {
    const part = make(index);
    parts.push(part);
    chars += part.length + separator.length;
  }
  return parts.join(separator).slice(0, Math.max(size, 1));
}

const dotenv: Work<string> = {
  name: '.env whose values name one another',
  most: MIB,
  make(size, random) {
    const times = 1 + upTo(random, 12);
    const first = `A0=${'x'.repeat(upTo(random, Math.min(size / 2, 3_000)))}`;
    const forms = [
      (at: number) => `A${at + 1}=${`$A${at}`.repeat(times)}`,
      (at: number) => `A${at + 1}="${variable(`A${upTo(random, at)}`).repeat(times)}" # x`,
      (at: number) => `A${at}=$A0`,
      (at: number) => `export B${at} = '$A${at}'`,
      () => 'A=$B'.repeat(times),
      () => `N${' '.repeat(upTo(random, 2_000))}`,
      () => '',
    ] as const;
    const form = oneOf(random, forms);
    const isMixed = random() < 0.5;
    return `${first}\n${fill(size - first.length, (at) => (isMixed ? oneOf(random, forms) : form)(at))}`;
  },
  run: (text) => parseDotenv(text, () => undefined),
};

const endpoints: Work<string> = {
  name: 'endpoints of a foundry.toml, resolved',
  most: 256 * KIB,
  make(size, random) {
    const starts = [
      'https://rpc.example/',
      '$U',
      variable('U'),
      'http://127.0.0.1:8545/',
      'https://$A.example/',
    ] as const;
    const parts = [
      '$A/',
      '$B',
      '../',
      '%41',
      '?',
      '#',
      '@evil.example/',
      '\\\\',
      ':8080',
      variable('key'),
      '%24%7Bkey%7D',
    ] as const;
    const length = 1 + upTo(random, 2_000);
    const url = () =>
      `${oneOf(random, starts)}${fill(length, () => oneOf(random, parts), '').replace(/[\\$%]+$/, '')}`;
    const whole = `[rpc_endpoints]\n${fill(size, (at) => `e${at} = "${url()}"`)}`;
    // A line that is cut is no TOML.
    return random() < 0.1 ? whole : whole.slice(0, Math.max(whole.lastIndexOf('\n'), 16));
  },
  run(text) {
    const values = new Map([
      ['U', 'https://rpc.example/?'],
      ['A', 'x'.repeat(2_048)],
      ['B', 'k'],
    ]);
    return parseFoundryEndpoints(text).map((each) =>
      resolveProjectEndpoint(each, (name) => values.get(name)),
    );
  },
};

/** A list of TOML. */
const list = (count: number, make: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => `"${make(index)}"`).join(', ')}]`;

function makeToml(size: number, random: Random): string {
  const perProfile = 10 + upTo(random, 1_000);
  const settings = ['libs', 'remappings', 'src', 'out', 'test', 'broadcast', 'cache_path'] as const;
  return fill(size, (at) => {
    const lines = Array.from({ length: 1 + upTo(random, 3) }, (_, nth) => {
      const setting = settings[(nth + upTo(random, 6)) % settings.length];
      const value = (each: number) => `l${at}x${each}`;
      return setting === 'remappings'
        ? `remappings = ${list(perProfile, (each) => `${'a'.repeat(upTo(random, 20))}/=${value(each)}/`)}`
        : `${setting} = ${list(perProfile, value)}`;
    });
    return `[profile.p${at === 0 ? 'x' : at}]\n${[...new Map(lines.map((line) => [line.split(' ')[0], line])).values()].join('\n')}`;
  });
}

const etherscan: Work<string> = {
  name: 'Etherscan keys of a foundry.toml',
  most: 256 * KIB,
  make: (size, random) =>
    `[etherscan]\n${fill(size, (at) => `n${at} = { key = "${variable(`K${upTo(random, at)}`)}", chain = ${at} }`)}`,
  run: listFoundryEtherscanKeys,
};

const extended: Work<Tree> = {
  name: 'foundry.toml files that extend one another',
  most: 8 * 256 * KIB,
  make(size, random) {
    const file = (index: number) => {
      const bases = Array.from(
        { length: 8 },
        (_, at) => `[profile.b${at}]\nextends = "f${upTo(random, 9)}.toml"`,
      );
      return `[profile.default]\nextends = "f${(index + 1) % 10}.toml"\nlibs = ${list(size / 200, (at) => `l${index}x${at}`)}\n${bases.join('\n')}`;
    };
    return Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${index}.toml`, file(index)]));
  },
  run: (tree) => readFoundryConfig('f0.toml', tree['f0.toml'] ?? '', async (path) => tree[path]),
};

const hardhat: Work<string> = {
  name: 'Hardhat configuration',
  most: MIB,
  make(size, random) {
    const names = ['a', 'b', 'networks', 'etherscan', 'apiKey', 'url'] as const;
    const open = ['{', '(', '[', '`' + '$' + '{', 'defineConfig('] as const;
    const forms = [
      (at: number) => `const c${at} = c${at + 1} + c${at + 1};`,
      (at: number) => `const c${at} = 'x${'y'.repeat(upTo(random, 3_000))}' + c${Math.max(0, at - 1)};`,
      (at: number) => `const { c${at}, ...rest } = process.env;`,
      () => oneOf(random, open).repeat(1 + upTo(random, 200)),
      () =>
        `${oneOf(random, names)}: ${oneOf(random, ['{', "'x'", 'process.env.X', 'c0', 'c1 ?? c2', '[c1, c2]'])},`,
      () => '/*'.repeat(upTo(random, 50)) + "'\\".repeat(upTo(random, 9)),
      (at: number) =>
        `n${at}: { url: configVariable('X', { format: '${'{variable}'.repeat(upTo(random, 300))}', default: '${'d'.repeat(upTo(random, 4_000))}' }) },`,
    ] as const;
    const isMixed = random() < 0.5;
    const form = oneOf(random, forms);
    const head = 'export default { etherscan: { apiKey: c0 }, networks: { ';
    return `${random() < 0.5 ? head : ''}${fill(size, (at) => (isMixed ? oneOf(random, forms) : form)(at), ' ')}`;
  },
  run: (text) => [parseHardhatEndpoints(text), listHardhatEtherscanKeys(text)],
};

const imports: Work<Tree> = {
  name: 'imports of an index',
  most: 2 * MIB,
  make(size, random) {
    const folder = Array.from({ length: upTo(random, 14) }, (_, at) => `d${at}`).join('/');
    const extension = random() < 0.2 ? 'vy' : 'sol';
    const names = 1 + upTo(random, 3_000);
    const targets = [
      (at: number) => `x${at}/y/Z.sol`,
      (at: number) => `@x${at}/y/Z.sol`,
      (at: number) => `./F${at % names}.${extension}`,
      (at: number) => `https://github.com/o${at}/r${at}/blob/main/${'c/'.repeat(upTo(random, 20))}Z.sol`,
      (at: number) => `${'a/'.repeat(upTo(random, 300))}Z${at}.sol`,
      (at: number) => `p/${'../'.repeat(upTo(random, 9))}Z${at}.sol`,
    ] as const;
    const target = oneOf(random, targets);
    const isMixed = random() < 0.5;
    const write = (at: number) => {
      const path = (isMixed ? oneOf(random, targets) : target)(at);
      if (extension === 'vy') return `import ${'.'.repeat(upTo(random, 3))}x${at}.y as z${at}`;
      return oneOf(random, [
        `import "${path}";`,
        `import {A${at} as B} from "${path}";`,
        `contract C${at} is A${upTo(random, at)} {}`,
      ]);
    };
    const files = 1 + upTo(random, 20);
    const tree: Record<string, string> = { 'foundry.toml': makeToml(Math.min(size / 4, 250 * KIB), random) };
    for (let index = 0; index < files; index++) {
      const inner = random() < 0.8 ? folder : `${folder}/e${index}`;
      tree[`${inner}/F${index}.${extension}`.replace(/^\//, '')] = fill((size * 3) / 4 / files, write);
    }
    for (let index = 0; index < upTo(random, 40); index++)
      tree[`lib/x${index}/foundry.toml`] =
        `[profile.default]\nremappings = ${list(upTo(random, 400), (at) => `r${at}/=t${index}/`)}`;
    return tree;
  },
  run: (tree) => index(tree),
};

const artifacts: Work<Tree> = {
  name: 'artifacts, broadcast and deployment files of an index',
  most: 16 * MIB,
  make(size, random) {
    const nested = '{"a":'.repeat(upTo(random, 100));
    const contract = (at: number) =>
      `"C${at}":{"abi":[{"type":"event","name":"E${at}","inputs":[]}],"evm":{"methodIdentifiers":{}},"metadata":"{\\"settings\\":{\\"compilationTarget\\":{\\"s${at}/${'d/'.repeat(upTo(random, 30))}A.sol\\":\\"C${at}\\"}}}"}`;
    const transaction = (at: number) =>
      `{"hash":"0x${at.toString(16).padStart(64, '0')}","transactionType":"CREATE","contractName":"C${at}","contractAddress":"0x${at.toString(16).padStart(40, '0')}"}`;
    const forms = [
      () => ({ 'out/A.json': `{"contracts":{"a.sol":{${fill(size, contract, ',')}}}}` }),
      () => ({
        'out/A.json': `{"abi":[${fill(size, (at) => `{"type":"function","name":"f${at}","inputs":[{"type":"tuple","components":[]}]}`, ',')}]}`,
      }),
      () => ({ 'out/A.json': nested + '"'.repeat(size) }),
      () => ({
        'broadcast/D.s.sol/1/run-latest.json': `{"transactions":[${fill(size, transaction, ',')}],"receipts":[]}`,
      }),
      () => ({
        'ignition/deployments/chain-1/journal.jsonl': fill(
          size,
          (at) =>
            `{"type":"DEPLOYMENT_EXECUTION_STATE_INITIALIZE","futureId":"M#${at}","contractName":"C${at}"}`,
        ),
      }),
      () => ({
        'deployments/mainnet/C.json': `{"address":"0x${'1'.repeat(40)}","abi":[${fill(size, (at) => `{"type":"error","name":"e${at}","inputs":[]}`, ',')}]}`,
      }),
      () => ({
        'addresses.json': `{"1":{${fill(Math.min(size, 2 * MIB - 100), (at) => `"n${at}":"0x${at.toString(16).padStart(40, '0')}"`, ',')}}}`,
      }),
      () => ({
        'tokens.json': `{"tokens":[${fill(size, (at) => `{"chainId":1,"address":"0x${at.toString(16).padStart(40, '0')}","symbol":"T${at}"}`, ',')}]}`,
      }),
      () => ({ 'out/A.json': `{"bytecode":"${'\\"'.repeat(size / 2)}","abi":[]}` }),
    ] as const;
    return oneOf(random, forms)();
  },
  run: (tree) => index(tree),
};

async function index(tree: Tree): Promise<void> {
  const { update } = createProjectIndexer({ files: filesOf(tree), roots: [''], clock: systemClock });
  await update('all');
}

/** The files of a workspace, in memory. */
export function filesOf(tree: Tree): ProjectFiles {
  const folders = new Map<string, Map<string, FolderEntry>>();
  const bytes = new Map(Object.entries(tree).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  for (const path of bytes.keys()) {
    let folder = '';
    for (const [at, name] of path.split('/').entries()) {
      const entries = folders.get(folder) ?? new Map<string, FolderEntry>();
      folders.set(folder, entries);
      entries.set(name, { name, kind: at === path.split('/').length - 1 ? 'file' : 'folder' });
      folder = folder === '' ? name : `${folder}/${name}`;
    }
  }
  return {
    list: async (folder) => [...(folders.get(folder)?.values() ?? [])],
    stat: async (path) => {
      const found = bytes.get(path);
      return found && { kind: 'file', size: found.length, modified: 1 };
    },
    read: async (path, most) => {
      const found = bytes.get(path);
      return found && found.length <= most ? found : undefined;
    },
  };
}

/** Project files of strangers: `.env`, configuration, sources and what compilers and scripts write. */
export const projectsWork: readonly Work[] = [
  dotenv,
  endpoints,
  etherscan,
  extended,
  hardhat,
  imports,
  artifacts,
] as readonly Work[];
