import { readdirSync, readFileSync } from 'node:fs';
import type { Frame, Page } from 'playwright-core';
import type { Strain } from './strain.ts';

/** What the window and one frame in it go through while `act` runs and until it has drawn again. */
export async function watchWindow(page: Page, frame: Frame, act: () => Promise<void>): Promise<Strain> {
  const startMiB = browserMiB();
  let peakMiB = startMiB;
  const sampling = setInterval(() => {
    peakMiB = Math.max(peakMiB, browserMiB());
  }, 50);
  try {
    const frames = [page.mainFrame(), frame];
    await Promise.all(frames.map((each) => each.evaluate(beginWatch)));
    await act();
    await page.waitForTimeout(500);
    const gaps = await Promise.all(frames.map((each) => each.evaluate(endWatch)));
    return { longestBlockMs: Math.round(Math.max(...gaps)), grownMiB: Math.round(peakMiB - startMiB) };
  } finally {
    clearInterval(sampling);
  }
}

interface Watch {
  longest: number;
  at: number;
  ended: boolean;
}
interface WatchedPage {
  attackWatch?: Watch;
  requestAnimationFrame(look: () => void): void;
}

/** In the page: measures the longest time between two frames that are drawn. */
function beginWatch(): void {
  const watch: Watch = { longest: 0, at: performance.now(), ended: false };
  const page = globalThis as unknown as WatchedPage;
  page.attackWatch = watch;
  const look = () => {
    watch.longest = Math.max(watch.longest, performance.now() - watch.at);
    watch.at = performance.now();
    if (!watch.ended) page.requestAnimationFrame(look);
  };
  page.requestAnimationFrame(look);
}

function endWatch(): number {
  const watch = (globalThis as unknown as WatchedPage).attackWatch;
  if (watch === undefined) throw new Error('The page has been loaded again meanwhile.');
  watch.ended = true;
  return Math.max(watch.longest, performance.now() - watch.at);
}

/** Memory of the browser's processes in MiB, as Linux tells it; 0 elsewhere. */
function browserMiB(): number {
  try {
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return processes.reduce((sum, id) => sum + pageMemory(id), 0);
  } catch {
    return 0;
  }
}

/** Of a process that draws pages or what is on them, and was started by this one. */
function pageMemory(id: string): number {
  try {
    const command = readFileSync(`/proc/${id}/cmdline`, 'utf8');
    if (!/--type=(?:renderer|gpu-process)/.test(command) || !isBelowThisProcess(id)) return 0;
    const kib = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
    return Number(kib ?? 0) / 1024;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

function isBelowThisProcess(id: string): boolean {
  for (let at = id; at !== '' && at !== '0'; at = parentOf(at)) {
    if (at === `${process.pid}`) return true;
  }
  return false;
}

function parentOf(id: string): string {
  return /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? '';
}
