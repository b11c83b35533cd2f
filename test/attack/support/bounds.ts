import assert from 'node:assert/strict';
import { campaign } from './campaign.ts';
import { measureSlowness } from './machinePace.ts';
import type { Strain } from './strain.ts';

/**
 * What no attack may go beyond, whatever it sends; the times are those of a machine that is not slow. The short form runs on
 * any machine: its times are only in the report.
 */
const bounds = {
  seconds: campaign.short ? Number.POSITIVE_INFINITY : 30,
  longestBlockMs: campaign.short ? Number.POSITIVE_INFINITY : 150,
  grownMiB: 400,
};

export interface RunMetrics extends Strain {
  readonly seconds: number;
}

/** Further tries of an attack that went beyond a bound: what a busy machine adds does not come three times. */
const MORE_TRIES = 2;

const courses = new Map<string, RunMetrics[]>();
let running: Mocha.Test | undefined;

/** For Mocha: knows which attack is being run, to have it run again. */
export const boundsHooks = {
  beforeEach(this: Mocha.Context) {
    running = this.currentTest;
  },
};

/**
 * Notes how an attack went, for the report, and fails where it went beyond the bounds in the best of its tries. `part` tells
 * apart what one attack does.
 */
export function assertWithinBounds(measured: RunMetrics, part = ''): void {
  const name = `${running?.fullTitle()} ${part}`.trimEnd();
  const course = shareOfBounds(measured) > 1 ? atFullPace(measured) : measured;
  courses.set(name, [...(courses.get(name) ?? []), course]);
  if (shareOfBounds(course) > 1) running?.retries(MORE_TRIES);
  const { seconds, longestBlockMs, grownMiB } = course;
  assert.ok(seconds <= bounds.seconds, `took ${seconds.toFixed(1)} s`);
  assert.ok(longestBlockMs <= bounds.longestBlockMs, `kept the event loop for ${longestBlockMs} ms`);
  assert.ok(grownMiB <= bounds.grownMiB, `took ${grownMiB} MiB more`);
}

/** What each attack took in its best try, as a table; the worst of each column last. */
export function formatMetrics(): string {
  const best = [...courses].map(([name, tries]) => ({
    name: tries.length > 1 ? `${name} (the best of ${tries.length} tries)` : name,
    course: tries.reduce((a, b) => (shareOfBounds(b) < shareOfBounds(a) ? b : a)),
  }));
  if (best.length === 0) return 'Nothing was measured.';
  const most = (figure: keyof RunMetrics) => Math.max(...best.map(({ course }) => course[figure]));
  const worst = {
    seconds: most('seconds'),
    longestBlockMs: most('longestBlockMs'),
    grownMiB: most('grownMiB'),
  };
  const line = (name: string, { seconds, longestBlockMs, grownMiB }: RunMetrics) =>
    `${seconds.toFixed(1).padStart(6)} s  ${`${longestBlockMs}`.padStart(4)} ms  ${`${grownMiB}`.padStart(4)} MiB  ${name}`;
  return [...best.map(({ name, course }) => line(name, course)), line('worst', worst)].join('\n');
}

/** What it would have taken on a machine that is as fast as the one that the bounds were set on. */
function atFullPace(course: RunMetrics): RunMetrics {
  const times = measureSlowness();
  return {
    ...course,
    seconds: course.seconds / times,
    longestBlockMs: Math.round(course.longestBlockMs / times),
  };
}

/** Of that bound which a course came nearest to. */
function shareOfBounds(course: RunMetrics): number {
  const figures = Object.keys(bounds) as (keyof typeof bounds)[];
  return Math.max(...figures.map((figure) => course[figure] / bounds[figure]));
}
