import uPlot from 'uplot';
import type { WireChart } from '../../../features/logs/protocol/chart.ts';
import { drawsFilteredAlone } from '../chart/barRange.ts';
import { takeColors } from '../chart/plotColors.ts';
import type { Plot, PlotEvents, Plotted } from '../chart/plotted.ts';

const HEIGHT = 36;
/** Pixels of a part beside the bars, at most a share of the width. */
const BESIDE = { unread: 44, none: 16 };
const MOST_BESIDE = 0.15;
/** Fewer pixels than this are a click. */
const LEAST_DRAG = 4;
const HATCH = 6;

export function createPlot(box: HTMLElement, { onPoint, onSelect }: PlotEvents): Plot {
  let colors = takeColors(box);
  let plotted: Plotted | undefined;
  let pressedAt: number | undefined;

  const barsPath = uPlot.paths.bars?.({ size: [0.86, Number.POSITIVE_INFINITY, 1], gap: 0 });
  const series = (color: () => string): uPlot.Series => ({
    ...{ fill: color, width: 0, points: { show: false } },
    ...(barsPath && { paths: barsPath }),
  });
  const plot = new uPlot(
    {
      ...{ width: Math.max(1, box.clientWidth), height: HEIGHT, padding: [3, 0, 0, 0] },
      legend: { show: false },
      axes: [{ show: false }, { show: false }],
      scales: {
        x: { time: false, range: (self) => extent(self) },
        y: { range: (_, __, most) => [0, Math.max(1, most)] },
      },
      cursor: {
        ...{ x: false, y: false, points: { show: false } },
        drag: { x: true, y: false, setScale: false, dist: LEAST_DRAG },
      },
      series: [
        {},
        series(() => (plotted?.chart.isFiltered ? colors.rest : colors.bar)),
        series(() => colors.bar),
      ],
      hooks: {
        drawClear: [drawBehind],
        setCursor: [({ cursor: { left = -1 } }) => onPoint(left < 0 ? undefined : barAt(left))],
        setSelect: [
          (self) => {
            const { left, width } = self.select;
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            if (width >= LEAST_DRAG) onSelect([barAt(left), barAt(left + width - 1)]);
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
    const isDrag = pressedAt === undefined || Math.abs(clientX - pressedAt) >= LEAST_DRAG;
    if (plotted && !isDrag) onSelect([barAt(offsetX), barAt(offsetX)]);
  });
  const sized = new ResizeObserver(() => {
    plot.setSize({ width: Math.max(1, box.clientWidth), height: HEIGHT });
  });
  sized.observe(box);

  function barAt(left: number): number {
    const last = (plotted?.chart.bars.length ?? 1) - 1;
    return Math.min(last, Math.max(0, Math.round(plot.posToVal(left, 'x'))));
  }

  /** In bars: half a bar at either side, and room for what is beside them. */
  function extent(self: uPlot): uPlot.Range.MinMax {
    const count = plotted?.chart.bars.length ?? 1;
    const share = (beside: WireChart['before']) =>
      beside ? Math.min(MOST_BESIDE, BESIDE[beside.kind] / Math.max(1, self.width)) : 0;
    const [before, after] = [share(plotted?.chart.before), share(plotted?.chart.after)];
    const all = count / (1 - before - after);
    return [-0.5 - all * before, count - 0.5 + all * after];
  }

  function drawBehind({ ctx, bbox }: uPlot): void {
    if (!plotted) return;
    const { chart, marked, selected } = plotted;
    const x = (bar: number) => plot.valToPos(bar, 'x', true);
    const fill = (color: string, from: number, to: number) => {
      // The plot remembers the colour that it has set last.
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
    const step = HATCH * uPlot.pxRatio;
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
      const isOther = next.chart !== plotted?.chart;
      plotted = next;
      if (!isOther) plot.redraw(false, false);
      else {
        const { bars } = next.chart;
        const isAlone = drawsFilteredAlone(next.chart);
        plot.setData([
          bars.map((_, bar) => bar),
          bars.map(({ loaded }) => (isAlone ? 0 : loaded)),
          bars.map(({ shown }) => (next.chart.isFiltered ? shown : 0)),
        ]);
      }
    },
    recolor() {
      colors = takeColors(box);
      // A path of bars keeps the colour that it was made with.
      plot.redraw(true, false);
    },
    dispose() {
      sized.disconnect();
      plot.destroy();
    },
  };
}
