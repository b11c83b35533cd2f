import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { packageExtension } from '../scripts/support/packages.ts';
import { hold, removeFolder } from '../scripts/support/script.ts';
import { launchBrowser } from '../scripts/support/workbench/browser.ts';
import { runCommand, webviewShownBy } from '../scripts/support/workbench/driver.ts';
import { installWorkbench } from '../scripts/support/workbench/install.ts';
import { openWorkbench } from '../scripts/support/workbench/page.ts';
import { startWorkbenchServer } from '../scripts/support/workbench/server.ts';
import { workbenchVersions } from '../scripts/support/workbench/versions.ts';
import { atMost, type Benchmark, type Section } from './support/benchmark.ts';
import { type GridTimes, gridWatchProgram } from './support/gridWatch.ts';
import { bodyOfTheFirstPage, replay } from './support/rawRequests.ts';
import { serveChain } from './support/serverProcess.ts';
import { type Sample, sampleOf, timed } from './support/stats.ts';
import { mostProcessorTime } from './support/taskTrace.ts';
import { milliseconds, timingSection } from './support/timings.ts';

const LOGS = 1_000_000;
const PANELS = 10;
const JUMPS = 40;
const SCROLL_FRAMES = 600;
const BEYOND_RAW_MS = 60;
const FIRST_ROW_MS = 100;
const LONG_TASK_MS = 50;
const LOAD_LIMIT_MS = 120_000;

/** The log panel of the packaged extension in a real VS Code, with one page and with a million rows. */
export const grid: Benchmark = {
  name: 'grid',
  isSlow: true,
  async run(resources) {
    const { address, urlAt } = await serveChain(resources, LOGS, [0]);
    const url = urlAt(0);
    const open = await startEditor(resources, url);
    const firstPages = await measureFirstPages(await open(), url, address);
    const million = await measureMillion(await open(), address);
    return [shownSection({ ...firstPages, jumps: million.jumps }), scrollSection(million)];
  },
};

/** Each call opens a window of its own, with an extension host of its own. */
async function startEditor(resources: AsyncDisposableStack, rpcUrl: string): Promise<() => Promise<Page>> {
  const vsix = await packageExtension();
  const workbench = await installWorkbench(workbenchVersions.newest);
  const network = { name: 'Bench', chainId: 31337, rpcUrl };
  const settings = {
    ...{ 'chainside.networks': { bench: network }, 'chainside.network': 'bench' },
    // Beyond the last row there are blocks to be read yet.
    'chainside.logs.loadAllLimit': LOGS * 2,
  };
  const starting = startWorkbenchServer(workbench, { extensions: [vsix], settings });
  const server = await hold(resources, starting, async (started) => started[Symbol.asyncDispose]());
  const workspace = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-bench-')), removeFolder);
  const browser = await hold(resources, launchBrowser(), (started) => started.close());
  return () => openWorkbench(browser, server, { workspace });
}

interface FirstPages {
  readonly shown: Sample;
  /** `fetch` and `JSON.parse` of the first page. */
  readonly raw: Sample;
  /** From the click until the page hears of the extension, which does nothing but take the form in between. */
  readonly heard: Sample;
}

async function measureFirstPages(page: Page, url: string, address: string): Promise<FirstPages> {
  const raw: number[] = [];
  const shown: number[] = [];
  const heard: number[] = [];
  await showFirstPage(await openPanel(page, address));
  for (let opened = 0; opened < PANELS; opened++) {
    const panel = await openPanel(page, address);
    raw.push(await timed(() => replay(url, [bodyOfTheFirstPage(address)], 1)));
    const times = await showFirstPage(panel);
    shown.push(...times.shown);
    heard.push(...times.heard);
  }
  await page.context().close();
  return { shown: sampleOf(shown), raw: sampleOf(raw), heard: sampleOf(heard) };
}

interface Million {
  readonly jumps: Sample;
  readonly scrolling: GridTimes;
  /** Of the longest task of the scrolling, in milliseconds. */
  readonly processorMs: number;
}

async function measureMillion(page: Page, address: string): Promise<Million> {
  const panel = await openPanel(page, address);
  await showFirstPage(panel);
  await loadAll(panel);
  const { shown } = await jumpAround(panel);
  const processorMs = await mostProcessorTime(page, () => scrollAround(panel));
  const scrolling = await take(panel);
  await page.context().close();
  return { jumps: sampleOf(shown), scrolling, processorMs };
}

/** Closes what is open and opens a panel whose form asks for all logs of `address`. */
async function openPanel(page: Page, address: string): Promise<Frame> {
  await runCommand(page, 'View: Close All Editors');
  const content = await webviewShownBy(page, () => runCommand(page, 'Chainside: Query Logs…'));
  await content.getByLabel('Address', { exact: true }).fill(address);
  const panel = await (await content.locator('body').elementHandle())?.ownerFrame();
  if (!panel) throw new Error('The log panel has no page.');
  await panel.evaluate(gridWatchProgram);
  return panel;
}

async function showFirstPage(panel: Frame): Promise<GridTimes> {
  await panel.evaluate('gridWatch.expectRows()');
  await panel.getByRole('button', { name: 'Run Query' }).click();
  await panel.evaluate('gridWatch.expected');
  await says(panel, /^Partial\b/);
  return take(panel);
}

async function loadAll(panel: Frame): Promise<void> {
  await panel.getByRole('button', { name: 'Load All' }).click();
  await says(panel, /^Complete · 1,000,000 logs/);
  await take(panel);
}

/** Goes to places far from each other, so that their rows are not at hand. */
async function jumpAround(panel: Frame): Promise<GridTimes> {
  for (let jump = 1; jump <= JUMPS; jump++) await panel.evaluate(`gridWatch.jump(${(jump * 0.618) % 1})`);
  return take(panel);
}

async function scrollAround(panel: Frame): Promise<void> {
  await panel.evaluate(`gridWatch.scroll(${SCROLL_FRAMES})`);
}

async function says(panel: Frame, words: RegExp): Promise<void> {
  await panel.getByRole('status').filter({ hasText: words }).waitFor({ timeout: LOAD_LIMIT_MS });
}

async function take(panel: Frame): Promise<GridTimes> {
  return (await panel.evaluate('gridWatch.take()')) as GridTimes;
}

function shownSection({ shown, raw, heard, jumps }: FirstPages & Pick<Million, 'jumps'>): Section {
  return timingSection(
    `Rows of the log panel in VS Code ${workbenchVersions.newest.vscode}`,
    'The packaged extension. Taken in the page, from the click or the move of the scroll bar until rows are painted.',
    [
      {
        what: 'Run Query to the rows of the first page',
        sample: shown,
        against: { what: 'fetch + JSON.parse of the page', sample: raw },
        budget: atMost(shown.p50, Math.round(raw.p50 + BEYOND_RAW_MS), 'ms', false),
      },
      { what: 'of which until the page hears of the extension', sample: heard },
      {
        what: 'scroll to a place in 1,000,000 rows',
        sample: jumps,
        budget: atMost(jumps.p50, FIRST_ROW_MS, 'ms', false),
      },
    ],
  );
}

function scrollSection({ scrolling, processorMs }: Million): Section {
  const { frames, unfilled, longTasks } = scrolling;
  const { p50, p95 } = sampleOf(frames);
  const longest = Math.max(0, ...longTasks);
  return {
    title: 'Scrolling through 1,000,000 rows',
    how:
      `${frames.length} frames, each 300 pixels on, at every 40th far away.\n` +
      'The panel shares its thread with the workbench, whose tasks count too. Other programs only lengthen the first.',
    columns: ['', 'measured', 'note'],
    rows: [
      {
        cells: [
          `tasks of ${LONG_TASK_MS} ms or more`,
          `${longTasks.length}`,
          `longest ${milliseconds(longest)}`,
        ],
        figures: { what: 'long tasks', count: longTasks.length, longestMs: longest },
        budget: { words: 'none', held: longTasks.length === 0, exact: false },
      },
      {
        cells: [
          'longest task, time on the processor',
          milliseconds(processorMs),
          'from a trace of the browser',
        ],
        figures: { what: 'longest task, time on the processor', ms: processorMs },
        budget: atMost(processorMs, LONG_TASK_MS, 'ms', false),
      },
      {
        cells: ['from frame to frame, p50', milliseconds(p50), `p95 ${milliseconds(p95)}`],
        figures: { what: 'frame to frame', p50Ms: p50, p95Ms: p95, rounds: frames.length },
      },
      {
        cells: [
          'frames with rows on their way',
          `${unfilled}`,
          'their place is drawn, their cells are not yet',
        ],
        figures: { what: 'frames with rows on their way', count: unfilled },
      },
    ],
  };
}
