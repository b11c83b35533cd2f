import { type LogFilter, logFilterToJson } from '../../../core/index.ts';

/** A filter as JSON-RPC has it, to be read by people: a line for each field and for each topic. */
export function filterText(filter: LogFilter): string {
  const { topics, ...others } = logFilterToJson(filter);
  const positions = topics.map((position) => `    ${listText(position)}`);
  const fields = {
    address: listText(others.address),
    topics: positions.length === 0 ? '[]' : `[\n${positions.join(',\n')}\n  ]`,
    fromBlock: JSON.stringify(others.fromBlock),
    toBlock: JSON.stringify(others.toBlock),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  "${name}": ${value}`);
  return `{\n${lines.join(',\n')}\n}`;
}

function listText(values: readonly string[] | null): string {
  return values ? `[${values.map((value) => JSON.stringify(value)).join(', ')}]` : 'null';
}
