import type { Writable } from 'node:stream';
import { formatQuantity } from '../core/index.ts';

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** How far a command is, in one line on standard error. */
export interface Progress {
  /** Shows it from now on, if standard error is a terminal and not of a CI. */
  start(): void;
  countRequest(): void;
  countLines(count: number): void;
  /** Makes place for another line. */
  clear(): void;
}

export function createProgress(stderr: OutputStream, env: Env): Progress {
  let isOn = false;
  let isDrawn = false;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let requests = 0;
  let lines = 0;

  function clear(): void {
    if (isDrawn) stderr.write(CLEAR_LINE);
    isDrawn = false;
  }

  function draw(): void {
    const now = performance.now();
    if (!isOn || now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    isDrawn = true;
    const printed = lines === 0 ? '' : `, ${formatQuantity(lines, 'line')}`;
    stderr.write(`${CLEAR_LINE}${formatQuantity(requests, 'request')}${printed} …`);
  }

  return {
    start() {
      isOn = stderr.isTTY === true && !env.CI;
    },
    countRequest() {
      requests += 1;
      draw();
    },
    countLines(count) {
      lines += count;
      draw();
    },
    clear,
  };
}

/** Text for people in a style, where the stream shows it: https://no-color.org, https://force-color.org. */
export function formatStyled(
  text: string,
  style: keyof typeof STYLES,
  { stream, env }: { readonly stream: OutputStream; readonly env: Env },
): string {
  const [on, off] = STYLES[style];
  return hasColors(stream, env) ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}

/** Codes that begin and end a style. `styleText` would keep an older Node from saying that it is too old. */
const STYLES = { bold: [1, 22], red: [31, 39] } as const;

function hasColors({ isTTY }: OutputStream, { FORCE_COLOR, NO_COLOR, TERM }: Env): boolean {
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return isTTY === true && !NO_COLOR && TERM !== 'dumb';
}
