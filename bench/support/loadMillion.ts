// Loads all logs of an address into a store, in a process whose memory holds nothing else. Run with --expose-gc and
// the arguments URL and ADDRESS; prints what it measured as JSON.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createLogStore, type LogStore, type Verdict } from '../../src/core/index.ts';
import { type ArrangeTimes, arrangeTimes } from './arrangeRows.ts';
import { loadAll, openQuery } from './chainside.ts';
import { type ChartTimes, chartTimes } from './chartRows.ts';
import { memoryHeld } from './memoryHeld.ts';
import { replay } from './rawRequests.ts';
import { timed } from './stats.ts';

export interface LoadedMillion {
  readonly rows: number;
  readonly state: Verdict['state'];
  readonly loadMs: number;
  /** Fetch and parse of the same requests, as many at once. */
  readonly rawMs: number;
  /** Part of the loading time that went into the store. */
  readonly appendMs: number;
  readonly bytesPerLog: number;
  readonly loopDelayP50Ms: number;
  readonly loopDelayP99Ms: number;
  readonly loopDelayMostMs: number;
  readonly arranged: ArrangeTimes;
  readonly charted: ChartTimes;
}

const RESOLUTION_MS = 1;

/** A loop that comes in time is late by nothing; the histogram counts from the timer's start. */
const delayMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);

async function measure(url: string, address: string): Promise<LoadedMillion> {
  // The first load makes the engine's code hot; its rows are dropped.
  const first = await load(url, address, createLogStore());
  const rawMs = await timed(() => replay(url, first.traffic.bodies, first.traffic.mostAtOnce));

  const before = await memoryHeld();
  const store = createLogStore();
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  const { loadMs, appendMs, state } = await load(url, address, store);
  loop.disable();
  const bytes = (await memoryHeld()) - before;
  return {
    ...{ rows: store.length, state, loadMs, rawMs, appendMs, bytesPerLog: bytes / store.length },
    loopDelayP50Ms: delayMs(loop.percentile(50)),
    loopDelayP99Ms: delayMs(loop.percentile(99)),
    loopDelayMostMs: delayMs(loop.max),
    arranged: await arrangeTimes(store),
    charted: await chartTimes(store),
  };
}

async function load(url: string, address: string, store: LogStore) {
  const query = openQuery(url, { address });
  let appendMs = 0;
  let state: Verdict['state'] = 'more';
  const loadMs = await timed(async () => {
    const verdict = await loadAll(query, (logs) => {
      const started = performance.now();
      store.append(logs);
      appendMs += performance.now() - started;
    });
    state = verdict.state;
  });
  const { traffic } = query;
  return { loadMs, appendMs, state, traffic };
}

const [url, address] = process.argv.slice(2);
if (url === undefined || address === undefined) {
  throw new Error('Usage: node --expose-gc loadMillion.ts URL ADDRESS');
}
console.log(JSON.stringify(await measure(url, address)));
