import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const SOURCES = 1_000;
const CONTRACTS_A_SOURCE = 5;
export const artifactCount = SOURCES * CONTRACTS_A_SOURCE;
/** Bytes of an artifact: what forge writes of OpenZeppelin's contracts with `ast = true`, evenly from small to large. */
const SIZES = { least: 60_000, most: 360_000 };
const FOLDERS = 50;

/** A project of Foundry with 1,000 sources and 5,000 artifacts, about 1 GB. @returns its bytes. */
export async function writeSampleProject(folder: string): Promise<number> {
  let bytes = 0;
  const write = async (path: string, text: string) => {
    bytes += text.length;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write('foundry.toml', '[profile.default]\nsrc = "src"\nout = "out"\nast = true\n');
  for (let source = 0; source < SOURCES; source++) {
    const path = sourcePath(source);
    const contracts = Array.from(
      { length: CONTRACTS_A_SOURCE },
      (_, nth) => source * CONTRACTS_A_SOURCE + nth,
    );
    await write(path, contracts.map(sourceOf).join('\n'));
    for (const contract of contracts) await write(artifactPath(contract), artifactOf(contract));
  }
  return bytes;
}

function sourcePath(source: number): string {
  return `src/module${source % FOLDERS}/Source${source}.sol`;
}

export function artifactPath(contract: number): string {
  return `out/Source${Math.floor(contract / CONTRACTS_A_SOURCE)}.sol/Contract${contract}.json`;
}

const parameter = (name: string, type: string, indexed?: boolean) => ({
  ...{ name, type, internalType: type },
  ...(indexed !== undefined && { indexed }),
});

/** Half of the items are those of a token, and half the contract's own. */
function abiOf(contract: number): readonly unknown[] {
  const own = (nth: number) => `${contract}_${nth}`;
  const many = (length: number, item: (nth: number) => unknown) =>
    Array.from({ length }, (_, nth) => item(nth));
  const event = (name: string) => ({
    ...{ type: 'event', name, anonymous: false },
    inputs: [
      parameter('from', 'address', true),
      parameter('to', 'address', true),
      parameter('value', 'uint256', false),
    ],
  });
  const error = (name: string) => ({
    ...{ type: 'error', name },
    inputs: [parameter('account', 'address'), parameter('needed', 'uint256')],
  });
  const call = (name: string) => ({
    ...{ type: 'function', name, stateMutability: 'nonpayable' },
    inputs: [parameter('account', 'address'), parameter('amount', 'uint256'), parameter('data', 'bytes')],
    outputs: [parameter('', 'bool')],
  });
  return [
    ...many(2, (nth) => event(`Shared${nth}`)),
    ...many(3, (nth) => error(`SharedError${nth}`)),
    ...many(9, (nth) => call(`shared${nth}`)),
    ...many(2, (nth) => event(`Event${own(nth)}`)),
    ...many(2, (nth) => error(`Error${own(nth)}`)),
    ...many(8, (nth) => call(`call${own(nth)}`)),
  ];
}

export function artifactOf(contract: number, abi: readonly unknown[] = abiOf(contract)): string {
  const size = SIZES.least + ((contract * 7_919) % (SIZES.most - SIZES.least));
  const source = sourcePath(Math.floor(contract / CONTRACTS_A_SOURCE));
  const settings = {
    ...{ remappings: [], optimizer: { enabled: true, runs: 200 } },
    ...{ compilationTarget: { [source]: `Contract${contract}` }, evmVersion: 'prague', libraries: {} },
  };
  const metadata = {
    ...{ compiler: { version: '0.8.30+commit.73712a01' }, language: 'Solidity' },
    ...{ output: { abi, devdoc: {}, userdoc: {} }, settings, sources: {}, version: 1 },
  };
  const code = (part: number) => ({
    object: `0x${'6080604052'.repeat(Math.floor((size * part) / 10))}`,
    sourceMap: '12:34:56:-:0;;'.repeat(Math.floor((size * part) / 40)),
    linkReferences: {},
  });
  const text = JSON.stringify({
    ...{ abi, bytecode: code(0.15), deployedBytecode: code(0.14) },
    ...{ methodIdentifiers: {}, rawMetadata: JSON.stringify(metadata), metadata, ast: [], id: contract },
  });
  return text.replace('"ast":[]', `"ast":${treeOf(source, size - text.length)}`);
}

/** A syntax tree of about so many bytes. */
function treeOf(absolutePath: string, size: number): string {
  const node = JSON.stringify({
    ...{ id: 4_711, nodeType: 'FunctionCall', src: '1234:56:7', isConstant: false, lValueRequested: false },
    expression: {
      id: 4_712,
      name: 'require',
      nodeType: 'Identifier',
      overloadedDeclarations: [-18, -18],
      src: '1:2:3',
    },
    typeDescriptions: {
      typeIdentifier: 't_function_require_pure$_t_bool_$returns$__$',
      typeString: 'function (bool) pure',
    },
  });
  const nodes = Array.from({ length: Math.max(1, Math.floor(size / (node.length + 1))) }, () => node);
  const head = JSON.stringify({
    absolutePath,
    id: 1,
    exportedSymbols: {},
    nodeType: 'SourceUnit',
    nodes: [],
  });
  return head.replace('"nodes":[]', `"nodes":[${nodes.join()}]`);
}

function sourceOf(contract: number): string {
  const events = [0, 1].map(
    (nth) => `    event Event${contract}_${nth}(address indexed from, address indexed to, uint256 value);\n`,
  );
  const errors = [0, 1].map((nth) => `    error Error${contract}_${nth}(address account, uint256 needed);\n`);
  const bodies = Array.from(
    { length: 8 },
    (_, nth) =>
      `    /// @notice Does what it says.\n    function call${contract}_${nth}(address account, uint256 amount, bytes calldata data) external returns (bool) {\n` +
      `        if (amount == 0) revert Error${contract}_0(account, amount);\n` +
      `        emit Event${contract}_0(msg.sender, account, amount);\n        return data.length > 0;\n    }\n`,
  );
  return `contract Contract${contract} {\n${[...events, ...errors, ...bodies].join('')}}\n`;
}
