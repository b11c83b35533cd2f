import { type Address, type Hex, parseAddress, parseHexData } from '../../../core/index.ts';

/** A log as a grid's *Copy as JSON*, a receipt or a test output has it. */
export interface LogItem {
  /** Undefined where it does not say who emitted it. */
  readonly address: Address | undefined;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const MOST_LOGS = 200;
/** A receipt in an answer in a list is four deep. */
const DEEPEST = 8;
/** Values that are looked at: some ten for each log, and much else. */
const MOST_VALUES = 100_000;
const MOST_TOPICS = 4;

/** The logs in a text that is JSON, in order; undefined where it is none or has none. */
export function logItems(text: string): readonly LogItem[] | undefined {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  const logs: LogItem[] = [];
  const left = { values: MOST_VALUES };
  collect(parsed(trimmed), { logs, left, depth: 0 });
  return logs.length > 0 ? logs : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collect(
  value: unknown,
  {
    logs,
    left,
    depth,
  }: { readonly logs: LogItem[]; readonly left: { values: number }; readonly depth: number },
): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  const log = readLog(value);
  if (log) {
    logs.push(log);
    return;
  }
  for (const inner of Object.values(value)) {
    if (left.values-- <= 0 || logs.length >= MOST_LOGS) return;
    collect(inner, { logs, left, depth: depth + 1 });
  }
}

function readLog(value: object): LogItem | undefined {
  if (!('topics' in value && 'data' in value) || !Array.isArray(value.topics)) return undefined;
  const topics = value.topics.slice(0, MOST_TOPICS + 1).map((topic) => parseHexData(topic, 32));
  const data = parseHexData(value.data);
  if (data === undefined || topics.length > MOST_TOPICS || !topics.every((topic) => topic !== undefined)) {
    return undefined;
  }
  const address = 'address' in value && typeof value.address === 'string' ? value.address : '';
  return { address: parseAddress(address), topics, data };
}
