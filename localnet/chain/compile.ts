import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

/** Creation bytecode by contract name. */
export type Bytecodes = Readonly<Record<string, `0x${string}`>>;

const contractsFolder = fileURLToPath(new URL('../contracts/', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../.cache/localnet/', import.meta.url));
const nodeRequire = createRequire(import.meta.url);

const settings = {
  // Fixed, so that neither a newer compiler nor a newer node changes the bytecode under us.
  evmVersion: 'prague',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
};

const bytecodesSchema = z.record(z.string(), z.templateLiteral(['0x', z.string()]));

/** Bytecode of every contract in `localnet/contracts`, compiled once per content of the sources. */
export async function compileContracts(): Promise<Bytecodes> {
  const sources = await readSources();
  const file = join(cacheFolder, `contracts-${contentHash(sources)}.json`);
  const cached = await readCached(file);
  if (cached) return cached;

  const bytecodes = await compile(sources);
  await mkdir(cacheFolder, { recursive: true });
  // Several starts may compile at once: each writes its own file and the last rename wins.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(bytecodes));
  await rename(unfinished, file);
  return bytecodes;
}

type Sources = Readonly<Record<string, { readonly content: string }>>;

async function readSources(): Promise<Sources> {
  const names = (await readdir(contractsFolder)).filter((name) => name.endsWith('.sol')).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(contractsFolder, name), 'utf8')));
  return Object.fromEntries(names.map((name, i) => [name, { content: contents[i] ?? '' }]));
}

function contentHash(sources: Sources): string {
  const versions = ['solc', '@openzeppelin/contracts'].map(
    (name) => nodeRequire(`${name}/package.json`).version,
  );
  return createHash('sha256')
    .update(JSON.stringify([sources, settings, versions]))
    .digest('hex')
    .slice(0, 16);
}

async function readCached(file: string): Promise<Bytecodes | undefined> {
  try {
    return bytecodesSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

const outputSchema = z.object({
  errors: z.optional(z.array(z.object({ severity: z.string(), formattedMessage: z.string() }))),
  contracts: z.optional(
    z.record(
      z.string(),
      z.record(z.string(), z.object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) })),
    ),
  ),
});

async function compile(sources: Sources): Promise<Bytecodes> {
  // Loaded only when needed: the compiler is 9 MB of WebAssembly.
  const { default: solc } = await import('solc');
  const input = { language: 'Solidity', sources, settings };
  const output = outputSchema.parse(JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })));
  const errors = output.errors?.filter((error) => error.severity === 'error') ?? [];
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));

  return Object.fromEntries(
    Object.entries(output.contracts ?? {})
      .filter(([file]) => file in sources)
      .flatMap(([, contracts]) => Object.entries(contracts))
      .map(([name, { evm }]) => [name, `0x${evm.bytecode.object}` as const]),
  );
}

function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(nodeRequire.resolve(path), 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
}
