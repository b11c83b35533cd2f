import type { WireChart } from '../../../features/logs/protocol/chart.ts';
import type { BarRange } from './barRange.ts';

/** What is drawn. */
export interface Plotted {
  readonly chart: WireChart;
  /** The bar that is pointed at or moved to. */
  readonly marked: number | undefined;
  readonly selected: BarRange | undefined;
}

export interface PlotEvents {
  readonly onPoint: (bar: number | undefined) => void;
  readonly onSelect: (bars: BarRange) => void;
}

/** Bars on a canvas, as wide as the box that they are in. */
export interface Plot {
  show(plotted: Plotted): void;
  /** The colours of the theme have changed. */
  recolor(): void;
  dispose(): void;
}

/** The program that draws is loaded when a chart is first shown. */
export type LoadPlot = () => Promise<{
  readonly createPlot: (box: HTMLElement, events: PlotEvents) => Plot;
}>;
