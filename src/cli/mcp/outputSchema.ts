import type { OperationName } from '../../core/index.ts';

/** The JSON schema of the result of a tool. An error has what every result has, and `error`. */
export function getOutputSchema(tool: OperationName) {
  return {
    type: 'object' as const,
    properties: { ...COMMON, ...FOUND[tool] },
    required: ['complete', 'reasons', 'network', 'head', 'source'],
  };
}

const list = { type: 'array' };
const object = { type: 'object' };
const text = { type: 'string' };
const flag = { type: 'boolean' };
const textOrNull = { type: ['string', 'null'] };

/** What every result has. */
const COMMON = {
  complete: { enum: [true, false, 'unknown'] },
  reasons: { type: 'array', items: text },
  network: object,
  head: textOrNull,
  source: object,
  error: object,
};

/** What a tool finds. Parts that depend on the chain or on the input may be absent. */
const FOUND: Readonly<Record<OperationName, object>> = {
  get_network: {
    headAgeSeconds: { type: ['number', 'null'] },
    coin: object,
    tells: object,
    project: { type: ['object', 'null'] },
    files: flag,
  },
  resolve_contract: { address: text, deployments: list, contracts: list, events: list },
  get_address: { address: text, checksum: text, names: list, native: object, tokens: object },
  query_events: {
    count: textOrNull,
    range: object,
    last: object,
    columns: list,
    groups: list,
    // Mode file has their number.
    rows: { type: ['array', 'number'] },
    file: textOrNull,
    estimate: object,
    next_call: object,
  },
  decode_data: { candidates: list, ambiguous: flag },
  get_transaction: { kind: text, hash: text, status: text, block: textOrNull, to: textOrNull, logs: list },
  read_contract: {
    address: text,
    function: text,
    block: text,
    isBlockCertain: flag,
    from: text,
    values: list,
  },
  get_state: { block: text, isBlockCertain: flag, count: text, rows: list, next_call: object },
  compare_code: {
    address: text,
    contract: object,
    block: text,
    match: text,
    same: flag,
    isOutdated: flag,
    isBlockCertain: flag,
    immutables: list,
    settings: list,
  },
};
