import type { Budget, Row, Section } from './benchmark.ts';
import type { Sample } from './stats.ts';

/** A time, and the time of the floor or the peer that was measured in the same rounds. */
export interface Timing {
  readonly what: string;
  readonly sample: Sample;
  readonly against?: { readonly what: string; readonly sample: Sample };
  readonly budget?: Budget;
}

export function timingSection(title: string, how: string, timings: readonly Timing[]): Section {
  return {
    title,
    how,
    columns: ['', 'p50', 'p95', 'rounds', 'against', 'its p50', 'ratio'],
    rows: timings.map(timingRow),
  };
}

function timingRow({ what, sample, against, budget }: Timing): Row {
  const ratio = against ? sample.p50 / against.sample.p50 : undefined;
  return {
    cells: [
      ...[what, milliseconds(sample.p50), milliseconds(sample.p95), String(sample.rounds)],
      against?.what ?? '',
      against ? milliseconds(against.sample.p50) : '',
      ratio === undefined ? '' : `${ratio.toFixed(2)}×`,
    ],
    figures: {
      ...{ what, p50Ms: sample.p50, p95Ms: sample.p95, rounds: sample.rounds },
      ...(against && {
        against: against.what,
        againstP50Ms: against.sample.p50,
        againstP95Ms: against.sample.p95,
      }),
      ...(ratio !== undefined && { ratio }),
    },
    ...(budget && { budget }),
  };
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
}
