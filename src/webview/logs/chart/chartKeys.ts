import type { BarRange } from './barRange.ts';

/** Where the keyboard is in the chart. */
export interface ChartCursor {
  readonly bar: number;
  /** The bar at which the selection began that goes to this one; undefined where nothing is selected. */
  readonly anchor?: number | undefined;
}

interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
}

const PAGE = 10;

/** Where a key leads; undefined for one that leads nowhere. */
export function afterKey(
  { key, shiftKey }: PressedKey,
  { bar, anchor = bar }: ChartCursor,
  bars: number,
): ChartCursor | undefined {
  const to = placeOf(key, bar, bars - 1);
  if (to === undefined) return undefined;
  const inside = Math.min(bars - 1, Math.max(0, to));
  return shiftKey ? { bar: inside, anchor } : { bar: inside };
}

function placeOf(key: string, bar: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return bar - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return bar + 1;
    case 'PageDown':
      return bar - PAGE;
    case 'PageUp':
      return bar + PAGE;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** The bars from where the selection began to where the keyboard is. */
export function selectedBars({ bar, anchor = bar }: ChartCursor): BarRange {
  return [Math.min(bar, anchor), Math.max(bar, anchor)];
}
