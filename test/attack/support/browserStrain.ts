import { readdirSync, readFileSync } from 'node:fs';
import type { Frame, Page } from 'playwright-core';
import type { Strain } from './strain.ts';

export interface WindowStrain extends Strain {
  /** The longest that nothing new was drawn, in milliseconds. */
  readonly longestFrameMs: number;
}

/** What the window and one frame in it go through while `act` runs and until it has drawn again. */
export async function watchWindow(page: Page, frame: Frame, act: () => Promise<void>): Promise<WindowStrain> {
  const startMiB = browserMiB();
  let peakMiB = startMiB;
  const sampling = setInterval(() => {
    peakMiB = Math.max(peakMiB, browserMiB());
  }, 50);
  try {
    const frames = [page.mainFrame(), frame];
    await Promise.all(frames.map((each) => each.evaluate(beginWatch)));
    await act();
    // Watched for so long after: a picture is decoded and drawn at a moment that the page is not told.
    await page.waitForTimeout(500);
    const seen = await Promise.all(frames.map((each) => each.evaluate(endWatch)));
    return {
      longestBlockMs: Math.round(Math.max(...seen.map(({ block }) => block))),
      longestFrameMs: Math.round(Math.max(...seen.map((gaps) => gaps.frame))),
      grownMiB: Math.round(peakMiB - startMiB),
    };
  } finally {
    clearInterval(sampling);
  }
}

interface Gap {
  longest: number;
  at: number;
}
interface Watch {
  readonly block: Gap;
  readonly frame: Gap;
  ended: boolean;
}
interface WatchedPage {
  attackWatch?: Watch;
  requestAnimationFrame(look: () => void): void;
}

/** In the page: measures the longest time between two looks of a timer, and between two frames that are drawn. */
function beginWatch(): void {
  const at = performance.now();
  const watch: Watch = { block: { longest: 0, at }, frame: { longest: 0, at }, ended: false };
  const page = globalThis as unknown as WatchedPage;
  page.attackWatch = watch;
  const look = (gap: Gap, next: (look: () => void) => void) => {
    const now = performance.now();
    gap.longest = Math.max(gap.longest, now - gap.at);
    gap.at = now;
    if (!watch.ended) next(() => look(gap, next));
  };
  look(watch.block, (again) => setTimeout(again, 5));
  look(watch.frame, (again) => page.requestAnimationFrame(again));
}

function endWatch() {
  const watch = (globalThis as unknown as WatchedPage).attackWatch;
  if (watch === undefined) throw new Error('The page has been loaded again meanwhile.');
  watch.ended = true;
  const longest = (gap: Gap) => Math.max(gap.longest, performance.now() - gap.at);
  return { block: longest(watch.block), frame: longest(watch.frame) };
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
    // What processes share is a file for some browsers, and is counted too.
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
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
