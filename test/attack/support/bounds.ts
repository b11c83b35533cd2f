import assert from 'node:assert/strict';
import type { Strain } from './strain.ts';

/** What no attack may go beyond, whatever it sends. */
const bounds = { seconds: 30, blockMs: 150, grownMiB: 400 } as const;

export interface Course extends Strain {
  readonly seconds: number;
}

const courses: { readonly name: string; readonly course: Course }[] = [];

/** Notes how an attack went, for the report, and fails where it went beyond the bounds. */
export function holdsBounds(name: string, course: Course): void {
  courses.push({ name, course });
  const { seconds, longestBlockMs, grownMiB } = course;
  assert.ok(seconds <= bounds.seconds, `took ${seconds.toFixed(1)} s`);
  assert.ok(longestBlockMs <= bounds.blockMs, `kept the event loop for ${longestBlockMs} ms`);
  assert.ok(grownMiB <= bounds.grownMiB, `took ${grownMiB} MiB more`);
}

/** What each attack took, as a table; the worst of each column last. */
export function courseTable(): string {
  const worst = {
    seconds: Math.max(...courses.map(({ course }) => course.seconds)),
    longestBlockMs: Math.max(...courses.map(({ course }) => course.longestBlockMs)),
    grownMiB: Math.max(...courses.map(({ course }) => course.grownMiB)),
  };
  const line = (name: string, { seconds, longestBlockMs, grownMiB }: Course) =>
    `${seconds.toFixed(1).padStart(6)} s  ${`${longestBlockMs}`.padStart(4)} ms  ${`${grownMiB}`.padStart(4)} MiB  ${name}`;
  return [...courses.map(({ name, course }) => line(name, course)), line('worst', worst)].join('\n');
}
