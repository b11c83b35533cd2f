import uPlot from 'uplot';
import type { WireChart } from '../../features/logs/protocol/grid.ts';
import { type BarRange, drawsFilteredAlone } from './chartBars.ts';

export function createPlot(box: HTMLElement, { onPoint, onSelect }: PlotEvents): Plot {
  let colors = readPlotColors(box);
  let shownData: PlotData | undefined;
  let pressedAt: number | undefined;

  const barsPath = uPlot.paths.bars?.({ size: [0.86, Number.POSITIVE_INFINITY, 1], gap: 0 });
  const series = (color: () => string): uPlot.Series => ({
    fill: color,
    width: 0,
    points: { show: false },
    ...(barsPath && { paths: barsPath }),
  });
  const plot = new uPlot(
    {
      width: Math.max(1, box.clientWidth),
      height: PLOT_HEIGHT_PX,
      padding: [3, 0, 0, 0],
      legend: { show: false },
      axes: [{ show: false }, { show: false }],
      scales: {
        x: { time: false, range: (self) => computeRange(self) },
        y: { range: (_, __, most) => [0, Math.max(1, most)] },
      },
      cursor: {
        x: false,
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: MIN_DRAG_PX },
      },
      series: [
        {},
        series(() => (shownData?.chart.isFiltered ? colors.rest : colors.bar)),
        series(() => colors.bar),
      ],
      hooks: {
        drawClear: [drawBehind],
        setCursor: [({ cursor: { left = -1 } }) => onPoint(left < 0 ? undefined : barAt(left))],
        setSelect: [
          (self) => {
            const { left, width } = self.select;
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            if (width >= MIN_DRAG_PX) onSelect([barAt(left), barAt(left + width - 1)]);
          },
        ],
      },
    },
    [[], [], []],
    box,
  );
  plot.over.addEventListener('mousedown', ({ clientX }) => {
    pressedAt = clientX;
  });
  plot.over.addEventListener('click', ({ clientX, offsetX }) => {
    const isDrag = pressedAt === undefined || Math.abs(clientX - pressedAt) >= MIN_DRAG_PX;
    if (shownData && !isDrag) onSelect([barAt(offsetX), barAt(offsetX)]);
  });
  const resizeObserver = new ResizeObserver(() => {
    plot.setSize({ width: Math.max(1, box.clientWidth), height: PLOT_HEIGHT_PX });
  });
  resizeObserver.observe(box);

  function barAt(left: number): number {
    const last = (shownData?.chart.bars.length ?? 1) - 1;
    return Math.min(last, Math.max(0, Math.round(plot.posToVal(left, 'x'))));
  }

  /** The visible range in bars: half a bar at either side, and space for the areas beside the bars. */
  function computeRange(self: uPlot): uPlot.Range.MinMax {
    const count = shownData?.chart.bars.length ?? 1;
    const computeShare = (side: WireChart['before']) =>
      side ? Math.min(MAX_SIDE_AREA_SHARE, SIDE_AREA_PX[side.kind] / Math.max(1, self.width)) : 0;
    const [before, after] = [computeShare(shownData?.chart.before), computeShare(shownData?.chart.after)];
    const total = count / (1 - before - after);
    return [-0.5 - total * before, count - 0.5 + total * after];
  }

  function drawBehind({ ctx, bbox }: uPlot): void {
    if (!shownData) return;
    const { chart, marked, selected } = shownData;
    const x = (bar: number) => plot.valToPos(bar, 'x', true);
    const fill = (color: string, from: number, to: number) => {
      // uPlot caches the color that it has set last.
      ctx.save();
      ctx.fillStyle = color;
      ctx.fillRect(from, 0, to - from, bbox.top + bbox.height);
      ctx.restore();
    };
    const [start, end] = [x(-0.5), x(chart.bars.length - 0.5)];
    if (chart.before?.kind === 'unread') hatch(ctx, bbox.left, start);
    if (chart.after?.kind === 'unread') hatch(ctx, end, bbox.left + bbox.width);
    if (selected) fill(colors.selected, x(selected[0] - 0.5), x(selected[1] + 0.5));
    if (marked !== undefined) fill(colors.marked, x(marked - 0.5), x(marked + 0.5));
  }

  function hatch(ctx: CanvasRenderingContext2D, from: number, to: number): void {
    const { height } = ctx.canvas;
    const step = HATCH_PX * uPlot.pxRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(from, 0, to - from, height);
    ctx.clip();
    ctx.strokeStyle = colors.unread;
    ctx.lineWidth = uPlot.pxRatio;
    ctx.beginPath();
    for (let x = from - height; x < to; x += step) {
      ctx.moveTo(x, height);
      ctx.lineTo(x + height, 0);
    }
    ctx.stroke();
    ctx.restore();
  }

  return {
    show(next) {
      const isNewChart = next.chart !== shownData?.chart;
      shownData = next;
      if (!isNewChart) plot.redraw(false, false);
      else {
        const { bars } = next.chart;
        const isFilteredAlone = drawsFilteredAlone(next.chart);
        plot.setData([
          bars.map((_, bar) => bar),
          bars.map(({ loaded }) => (isFilteredAlone ? 0 : loaded)),
          bars.map(({ shown }) => (next.chart.isFiltered ? shown : 0)),
        ]);
      }
    },
    recolor() {
      colors = readPlotColors(box);
      // Paths of bars keep the color that they were created with.
      plot.redraw(true, false);
    },
    dispose() {
      resizeObserver.disconnect();
      plot.destroy();
    },
  };
}

/** What the plot shows. */
interface PlotData {
  readonly chart: WireChart;
  /** The bar at the pointer or cursor. */
  readonly marked: number | undefined;
  readonly selected: BarRange | undefined;
}

const PLOT_HEIGHT_PX = 36;

/** Width of the areas beside the bars, at most a share of the total width. */
const SIDE_AREA_PX = { unread: 44, none: 16 };

const MAX_SIDE_AREA_SHARE = 0.15;

/** A shorter drag is a click. */
const MIN_DRAG_PX = 4;

const HATCH_PX = 6;

interface PlotEvents {
  readonly onPoint: (bar: number | undefined) => void;
  readonly onSelect: (bars: BarRange) => void;
}

/** Bars on a canvas, as wide as their box. */
export interface Plot {
  show(plotted: PlotData): void;
  /** To be called when the theme has changed. */
  recolor(): void;
  dispose(): void;
}

/** Loads this file when a chart is first shown. */
export type LoadPlot = () => Promise<{
  readonly createPlot: (box: HTMLElement, events: PlotEvents) => Plot;
}>;

/** The colors of the style sheet, which handles themes, high contrast and system colors. */
interface PlotColors {
  /** `bar`: logs that are shown. `rest`: logs that do not pass the filter. */
  readonly bar: string;
  readonly rest: string;
  readonly selected: string;
  readonly marked: string;
  readonly unread: string;
}

function readPlotColors(box: HTMLElement): PlotColors {
  const probe = document.createElement('span');
  probe.className = 'probe';
  box.append(probe);
  const readColor = (name: string) => {
    probe.style.color = `var(--chart-${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    bar: readColor('bar'),
    rest: readColor('rest'),
    selected: readColor('selected'),
    marked: readColor('marked'),
    unread: readColor('unread'),
  };
  probe.remove();
  return colors;
}
