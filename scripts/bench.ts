import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agent } from '../bench/agent.ts';
import { blockTimes } from '../bench/blockTimes.ts';
import { decode } from '../bench/decode.ts';
import { editorHost } from '../bench/editorHost.ts';
import { exportLogs } from '../bench/exportLogs.ts';
import { firstPage } from '../bench/firstPage.ts';
import { follow } from '../bench/follow.ts';
import { grid } from '../bench/grid.ts';
import { groups } from '../bench/groups.ts';
import { holders } from '../bench/holders.ts';
import { identify } from '../bench/identify.ts';
import { limitedServers } from '../bench/limitedServers.ts';
import { loadAllLogs } from '../bench/loadAll.ts';
import { millionLogs } from '../bench/millionLogs.ts';
import { peers } from '../bench/peers.ts';
import { projectIndex } from '../bench/projectIndex.ts';
import { proof } from '../bench/proof.ts';
import { sizes } from '../bench/sizes.ts';
import type { Benchmark, Section } from '../bench/support/benchmark.ts';
import { printSection } from '../bench/support/printSection.ts';
import { testRun } from '../bench/testRun.ts';
import { traces } from '../bench/traces.ts';
import { cacheFolder } from './support/paths.ts';
import { runScript } from './support/script.ts';

const benchmarks: readonly Benchmark[] = [
  sizes,
  editorHost,
  firstPage,
  loadAllLogs,
  limitedServers,
  millionLogs,
  blockTimes,
  exportLogs,
  decode,
  identify,
  follow,
  grid,
  groups,
  holders,
  traces,
  proof,
  projectIndex,
  peers,
  agent,
  testRun,
];

/**
 * `[NAME…] [--quick] [--json]`: measures all, the named, or those that take little time; fails if a budget is missed
 * that no busy machine can explain.
 */
await runScript(async (resources) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
  });
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, Node ${process.versions.node}`;
  console.log(`${machine}. Times depend on the machine; ratios are of things measured in the same run.`);
  const sections: Section[] = [];
  const started = performance.now();
  for (const { name, run } of select(positionals, values.quick)) {
    const scope = resources.use(new AsyncDisposableStack());
    const begun = performance.now();
    for (const section of await run(scope)) {
      printSection(section);
      sections.push(section);
    }
    await scope.disposeAsync();
    console.log(`\n${name}: ${formatSeconds(performance.now() - begun)}`);
  }
  console.log(`All: ${formatSeconds(performance.now() - started)}`);
  if (values.json) console.log(`\nResults: ${await writeResults(machine, sections)}`);
  return reportBudgets(sections);
});

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

function select(names: readonly string[], isQuick: boolean): readonly Benchmark[] {
  const unknown = names.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    const known = benchmarks.map(({ name }) => name).join(', ');
    throw new Error(`There is no benchmark ${unknown.join(', ')}. There are ${known}.`);
  }
  if (names.length > 0) return benchmarks.filter(({ name }) => names.includes(name));
  return benchmarks.filter(({ isSlow = false }) => !(isQuick && isSlow));
}

async function writeResults(machine: string, sections: readonly Section[]): Promise<string> {
  const file = join(cacheFolder, 'bench.json');
  const results = sections.map(({ title, rows }) => ({
    title,
    rows: rows.map(({ figures, budget }) => ({ ...figures, ...(budget && { budget }) })),
  }));
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(
    file,
    `${JSON.stringify({ date: new Date().toISOString(), machine, results }, undefined, 2)}\n`,
  );
  return file;
}

/** @returns the exit code. */
function reportBudgets(sections: readonly Section[]): number {
  const budgeted = sections.flatMap(({ title, rows }) =>
    rows.flatMap(({ cells, budget }) => (budget ? [{ title, cells, budget }] : [])),
  );
  const missed = budgeted.filter(({ budget }) => !budget.held);
  const exact = missed.filter(({ budget }) => budget.exact).length;
  if (missed.length > 0) console.log('\nNOT HELD');
  for (const { title, cells, budget } of missed) {
    console.log(`  ${title}: ${cells.filter((cell) => cell !== '').join(' · ')}, budget ${budget.words}`);
  }
  console.log(
    `\n${budgeted.length - missed.length} budgets held, ${missed.length} not` +
      (missed.length > 0 ? `, of which ${exact} do not depend on the machine.` : '.'),
  );
  return exact > 0 ? 1 : 0;
}
