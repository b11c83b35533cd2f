import type { Hex, Log } from '../../../src/core/index.ts';

/** Code of a contract that emits this one log, whatever it is called with. */
export function emitterCode({ topics, data }: Pick<Log, 'topics' | 'data'>): Hex {
  const size = data.length / 2 - 1;
  const pushes = topics.toReversed().map((topic) => `7f${topic.slice(2)}`);
  const emit = `${pushes.join('')}${push(size)}6000${(0xa0 + topics.length).toString(16)}00`;
  // CODECOPY of what stands behind the code.
  const offset = 9 + emit.length / 2;
  return `0x${push(size)}${push(offset)}600039${emit}${data.slice(2)}`;
}

function push(value: number): string {
  return `61${value.toString(16).padStart(4, '0')}`;
}
