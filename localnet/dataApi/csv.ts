import type { Reply } from '../http/recordingServer.ts';

/** Items as the service sends them for `format=CSV`: one column for each field that holds a plain value. */
export function csvReply(items: readonly Readonly<Record<string, unknown>>[]): Reply {
  const columns = Object.keys(items[0] ?? {}).filter((name) => !items.some((item) => isNested(item[name])));
  const rows = items.map((item) => columns.map((name) => cell(item[name])));
  const body = [columns, ...rows].map((cells) => `${cells.join(',')}\n`).join('');
  return { status: 200, headers: { 'content-type': 'text/csv' }, body };
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
