import { readFileSync, writeFileSync } from 'node:fs';

/** What a process has gone through since its watch began. */
export interface Strain {
  /**
   * The longest that its event loop was kept from everything else, in milliseconds: of each gap the lesser of the time
   * that passed and the processor time that was used, so that other work on the machine does not count.
   */
  readonly longestBlockMs: number;
  /** The most memory it held above what it held at the start, in MiB. */
  readonly grownMiB: number;
}

export interface StrainWatch {
  /** Begins anew. */
  reset(): void;
  read(): Strain;
}

const TICK_MS = 5;

/** Watches the process that it runs in. Does not keep it from ending. */
export function watchStrain(): StrainWatch {
  let longest = 0;
  let startMiB = residentMiB();
  let peakMiB = startMiB;
  let at = performance.now();
  let used = processorMs();

  function look(): void {
    const now = performance.now();
    const usedNow = processorMs();
    longest = Math.max(longest, Math.min(now - at - TICK_MS, usedNow - used));
    at = now;
    used = usedNow;
    peakMiB = Math.max(peakMiB, residentMiB());
  }
  setInterval(look, TICK_MS).unref();

  return {
    reset() {
      forgetPeak();
      startMiB = residentMiB();
      peakMiB = startMiB;
      at = performance.now();
      used = processorMs();
      longest = 0;
    },
    read() {
      look();
      const grown = Math.max(peakMiB, kernelPeakMiB() ?? 0) - startMiB;
      return { longestBlockMs: Math.round(longest), grownMiB: Math.round(grown) };
    },
  };
}

/** Of this thread alone, where Node tells it: others that collect garbage or read files keep nothing from its turn. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

function residentMiB(): number {
  return process.memoryUsage.rss() / 1024 / 1024;
}

/** Where the kernel keeps the highest mark itself (Linux), which no blocked event loop hides. */
function kernelPeakMiB(): number | undefined {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}

function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Elsewhere the marks of the watch itself have to do.
  }
}
