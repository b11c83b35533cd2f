import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { run } from '../../../scripts/support/childProcess.ts';
import { foundryPackage, installTools } from '../../../scripts/support/npmTools.ts';
import { projectRoot } from '../../../scripts/support/paths.ts';
import { isFullRun } from '../fullRun.ts';

/** Tools that queries are handed to, of npm's registry; the project itself has viem. */
export const versions = { viem: '2.57.0', ethers: '6.17.0', cast: '1.7.1' } as const;

interface Tools {
  /** Runs a text in a shell that finds curl, and in a full run cast; returns what it printed. */
  shell(text: string, env?: NodeJS.ProcessEnv): Promise<string>;
  /** Runs a program of ESM that finds viem, and in a full run ethers; returns the lines that it printed. */
  node(text: string, env?: NodeJS.ProcessEnv): Promise<readonly unknown[]>;
}

/** @throws Error where this machine has no curl: nothing would be proven then. */
export async function handoverTools(): Promise<Tools> {
  if (spawnSync('curl', ['--version']).status !== 0) {
    throw new Error('This machine has no curl, by which what is copied for it is proven. Install it.');
  }
  const { folder, PATH } = isFullRun
    ? await installedTools()
    : { folder: projectRoot, PATH: process.env.PATH };
  let last: Promise<unknown> = Promise.resolve();
  return {
    shell: (text, env = {}) => run('bash', ['-eu', '-c', text], { env: { ...process.env, ...env, PATH } }),
    node(text, env = {}) {
      // One after the other: what is printed has no sender.
      const lines = last.then(() => runProgram(text, { folder, env }));
      last = lines.catch(() => undefined);
      return lines;
    },
  };
}

/** Runs cast, and returns what it printed. */
export async function cast(...args: readonly string[]): Promise<string> {
  const { folder } = await installedTools();
  return run(join(folder, foundryPackage('cast').path), args);
}

async function installedTools() {
  const { name, path } = foundryPackage('cast');
  const { viem, ethers } = versions;
  const packages = [`viem@${viem}`, `ethers@${ethers}`, `${name}@${versions.cast}`];
  const folder = await installTools('handover-tools', packages);
  const program = join(folder, path);
  // npm leaves the mode of the archive, which some mirrors lose.
  chmodSync(program, 0o755);
  return { folder, PATH: [dirname(program), process.env.PATH].join(delimiter) };
}

/** Runs a program in this process, which loads viem, and ethers in a full run, once. */
async function runProgram(
  text: string,
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<readonly unknown[]> {
  const own = await mkdtemp(join(tmpdir(), 'chainside-program-'));
  const { env: usualEnv } = process;
  const log = mock.method(console, 'log', () => undefined);
  try {
    process.env = { ...usualEnv, ...env };
    await symlink(join(folder, 'node_modules'), join(own, 'node_modules'), 'junction');
    const file = join(own, 'logs.mjs');
    await writeFile(file, text);
    await import(pathToFileURL(file).href);
    return log.mock.calls.map(({ arguments: [line] }) => JSON.parse(String(line)));
  } finally {
    log.mock.restore();
    process.env = usualEnv;
    await rm(own, { recursive: true });
  }
}

/** Parsers of the SQL that Dune and BigQuery take. */
export const sqlVersions = { 'dt-sql-parser': '4.5.1', 'sql-parser-cst': '0.42.1' } as const;

interface Statement {
  readonly type: string;
  readonly clauses?: readonly { readonly type: string }[];
}

/** Of one statement. */
interface SqlParsers {
  /** What Trino's own grammar has against it; none where it fits. */
  trinoFaults(sql: string): readonly string[];
  /** The words and signs that it is made of, without spaces and comments. */
  trinoTokens(sql: string): readonly string[];
  /** The tree of a text in BigQuery's dialect. @throws Error for a text that is none. */
  bigQuery(sql: string): { readonly statements: readonly Statement[] };
}

export async function sqlParsers(): Promise<SqlParsers> {
  const packages = Object.entries(sqlVersions).map(([name, version]) => `${name}@${version}`);
  const folder = await installTools('sql-parsers', packages);
  const require = createRequire(join(folder, 'package.json'));
  const { TrinoSQL } = await bundledTrino(folder);
  const trino = new TrinoSQL();
  const { parse } = require('sql-parser-cst');
  return {
    trinoFaults: (sql) => trino.validate(sql).map(({ message }) => message),
    trinoTokens: (sql) =>
      trino
        .getAllTokens(sql)
        .map(({ text }) => text)
        .filter((text) => !/^\s*$|^--/.test(text)),
    bigQuery: (sql) => parse(sql, { dialect: 'bigquery' }),
  };
}

interface Trino {
  TrinoSQL: new () => {
    validate(sql: string): readonly { readonly message: string }[];
    getAllTokens(sql: string): readonly { readonly text: string }[];
  };
}

/** The package is made for bundlers: Node does not find its files. */
async function bundledTrino(folder: string): Promise<Trino> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: "export { TrinoSQL } from 'dt-sql-parser/dist/parser/trino/index.js';",
      resolveDir: folder,
    },
    ...{ bundle: true, write: false, platform: 'node', format: 'cjs', logLevel: 'error' },
  });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(
    module,
    module.exports,
    createRequire(join(folder, 'package.json')),
  );
  return module.exports as Trino;
}
