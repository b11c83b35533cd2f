import { formatQuantity } from '../core/index.ts';

const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

let isOn = false;
let isDrawn = false;
let drawnAt = Number.NEGATIVE_INFINITY;
let requests = 0;
let lines = 0;

/** Shows from now on how far the command is: in one line on standard error, if that is a terminal and not of a CI. */
export function startProgress(): void {
  isOn = process.stderr.isTTY === true && !process.env.CI;
  process.once('exit', clearProgress);
}

export function countRequest(): void {
  requests += 1;
  drawProgress();
}

export function countLines(count: number): void {
  lines += count;
  drawProgress();
}

/** Makes place for another line. */
export function clearProgress(): void {
  if (isDrawn) process.stderr.write(CLEAR_LINE);
  isDrawn = false;
}

function drawProgress(): void {
  const now = performance.now();
  if (!isOn || now - drawnAt < REDRAW_MS) return;
  drawnAt = now;
  isDrawn = true;
  const printed = lines === 0 ? '' : `, ${formatQuantity(lines, 'line')}`;
  process.stderr.write(`${CLEAR_LINE}${formatQuantity(requests, 'request')}${printed} …`);
}

/** Text for people in a style, where the stream shows it: https://no-color.org, https://force-color.org. */
export function styleFor(stream: NodeJS.WriteStream, style: keyof typeof STYLES, text: string): string {
  const [on, off] = STYLES[style];
  return hasColors(stream) ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}

/** Codes that begin and end a style. `styleText` would keep an older Node from saying that it is too old. */
const STYLES = { bold: [1, 22], red: [31, 39] } as const;

function hasColors({ isTTY }: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return isTTY === true && !NO_COLOR && TERM !== 'dumb';
}
