import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ChartOffer, WireChart } from '../../../features/logs/protocol/chart.ts';
import type { LogsStrings } from '../../../features/logs/protocol/strings.ts';
import type { ViewState } from '../../../features/logs/protocol/viewState.ts';
import type { ChartCursor } from './chartKeys.ts';

/** What the chart shows, and where the user is in it. */
export interface ChartState {
  readonly isShown: ReadonlySignal<boolean>;
  /** What the user wants; undefined as long as the room in the view decides. */
  readonly isWanted: Signal<boolean | undefined>;
  readonly unit: Signal<WireChart['unit']>;
  /** Undefined until the host has told. */
  readonly told: Signal<WireChart | undefined>;
  /** Bars that there is room for; undefined until it is drawn. */
  readonly room: Signal<number | undefined>;
  readonly isTableOpen: Signal<boolean>;
  /** The bar under the pointer. */
  readonly pointed: Signal<number | undefined>;
  readonly cursor: Signal<ChartCursor | undefined>;
}

/** Pixels: in a view beside the code that is narrower, the lines above the rows have taken much of its height. */
const LEAST_WIDTH = 400;

export function createChartState(
  kept: ViewState['chart'] | undefined,
  width: ReadonlySignal<number>,
): ChartState {
  const isWanted = signal(kept?.isShown);
  return {
    ...{ isWanted, isShown: computed(() => isWanted.value ?? width.value >= LEAST_WIDTH) },
    ...{ unit: signal(kept?.unit ?? 'block') },
    ...{ told: signal(undefined), room: signal(undefined), isTableOpen: signal(false) },
    ...{ pointed: signal(undefined), cursor: signal(undefined) },
  };
}

/** What the chart has to do with the panel that it is in. */
export interface ChartPanel {
  readonly chart: ChartState;
  readonly strings: LogsStrings;
  /** As BCP 47 names it. */
  readonly locale: string;
  readonly offer: ChartOffer | undefined;
  /** By which the rows are narrowed. */
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}
