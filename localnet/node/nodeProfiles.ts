import type { NodeProfile, NodeRefusal, Overrun } from './nodeProfile.ts';

// Facts are those of the sources and public error texts of each: geth eth/filters/api.go, reth rpc/src/eth/filter.rs,
// foundry's anvil, EDR's filter.rs, Besu's EthGetLogs and FilterParameter, Polygon Edge's jsonrpc/filter_manager.go,
// and what providers answer. Limits are the defaults; a server is started with smaller ones where a test needs them.

const invalidParams = (message: string): NodeRefusal => ({ code: -32602, message });
const hex = (value: number) => `0x${value.toString(16)}`;

const gethMethodNotFound: NodeRefusal = {
  code: -32601,
  message: 'the method does not exist/is not available',
};
const beyondHead = invalidParams('block range extends beyond current head block');

const geth: NodeProfile = {
  clientVersion: 'Geth/v1.17.0-stable/linux-amd64/go1.25.1',
  path: '/',
  methodNotFound: gethMethodNotFound,
  unknownField: 'ignored',
  trailingNull: 'anyTopic',
  beyondHead,
  reversedRange: invalidParams('invalid block range params'),
  blockTimestamp: true,
  limits: {},
  tooWide: ({ limit }) => invalidParams(`exceed maximum block range ${limit}`),
};

const anvil: NodeProfile = {
  ...geth,
  clientVersion: 'anvil/v1.7.1',
  methodNotFound: { code: -32601, message: 'Method not found' },
  unknownField: invalidParams('unknown field `paging_options`'),
  trailingNull: 'anyOrNone',
  beyondHead: 'cutOff',
  reversedRange: 'empty',
};

const reth: NodeProfile = {
  ...anvil,
  clientVersion: 'reth/v1.8.2-9c30bf7/x86_64-unknown-linux-gnu',
  beyondHead,
  reversedRange: invalidParams('invalid block range params'),
  limits: { maxDistance: 100_000, maxLogs: 20_000 },
  tooWide: ({ limit }) => invalidParams(`query exceeds max block range ${limit}`),
  tooMany: ({ limit, from, fitsTo }) =>
    invalidParams(`query exceeds max results ${limit}, retry with the range ${from}-${fitsTo}`),
  oneBlockUnlimited: true,
};

const besu: NodeProfile = {
  ...geth,
  clientVersion: 'besu/v25.9.0/linux-x86_64/openjdk-java-21',
  methodNotFound: { code: -32601, message: 'Method not found' },
  unknownField: invalidParams('Invalid filter params'),
  reversedRange: invalidParams('Invalid filter params'),
  blockTimestamp: false,
  limits: { maxDistance: 5000 },
  tooWide: () => ({ code: -32005, message: 'Requested range exceeds maximum RPC range limit' }),
};

const alchemy: NodeProfile = {
  ...geth,
  path: '/v2/demo-key',
  limits: { maxLogs: 10_000 },
  tooMany: (overrun) =>
    invalidParams(
      `Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: ${hexRange(overrun)}`,
    ),
};

export const nodeProfiles = {
  geth,
  reth,
  anvil,
  besu,
  hardhat: {
    ...geth,
    clientVersion: 'HardhatNetwork/2.26.3/@nomicfoundation/edr/0.11.3',
    methodNotFound: { code: -32004, message: 'Method is not supported' },
    trailingNull: 'anyOrNone',
    beyondHead: 'cutOff',
    reversedRange: 'empty',
    blockTimestamp: false,
  },
  nethermind: {
    ...geth,
    clientVersion: 'Nethermind/v1.34.1+0b4b1f2c/linux-x64/dotnet9.0.9',
    beyondHead: 'cutOff',
    limits: { maxLogs: 20_000 },
    tooMany: ({ limit }) => ({
      code: -32005,
      message: `Too many logs requested. Max logs per response is ${limit}.`,
    }),
  },
  erigon: {
    ...geth,
    clientVersion: 'erigon/3.2.1/linux-amd64/go1.24.6',
    beyondHead: 'cutOff',
    reversedRange: { code: -32000, message: 'end (1) < begin (2)' },
  },
  // The node of the Palm network since October 2023.
  polygonEdge: {
    ...geth,
    clientVersion: 'polygon-edge/v1.3.1',
    methodNotFound: { code: -32601, message: 'the method does not exist/is not available' },
    beyondHead: 'cutOff',
    reversedRange: { code: -32600, message: 'incorrect range' },
    blockTimestamp: false,
    limits: { maxDistance: 1000 },
    tooWide: () => ({ code: -32600, message: 'block range too high' }),
  },
  infura: {
    ...geth,
    path: '/v3/0123456789abcdef',
    limits: { maxDistance: 10_000, maxLogs: 10_000 },
    tooWide: ({ limit, from, to }) => invalidParams(`range ${to - from} exceeds limit of ${limit}`),
    tooMany: (overrun) => ({
      code: -32005,
      message: `query returned more than ${overrun.limit} results. Try with this block range ${hexRange(overrun)}.`,
      data: {
        from: hex(overrun.from),
        limit: overrun.limit,
        to: hex(Math.max(overrun.from, overrun.fitsTo)),
      },
    }),
  },
  alchemy,
  alchemyFree: {
    ...alchemy,
    limits: { maxDistance: 9 },
    tooWide: ({ from, limit }) => ({
      status: 400,
      code: -32600,
      message: `Under the Free tier plan, you can make eth_getLogs requests with up to a ${limit + 1} block range. Based on your parameters, this block range should work: [${hex(from)}, ${hex(from + limit)}]. Upgrade to PAYG for expanded block range.`,
    }),
  },
  quicknode: {
    ...geth,
    path: '/abcdef0123456789/',
    limits: { maxDistance: 10_000 },
    tooWide: ({ limit }) => ({
      status: 413,
      code: -32614,
      message: `eth_getLogs is limited to a ${limit.toLocaleString('en')} range`,
    }),
  },
  /** A gateway that lets only a few methods through. */
  gateway: {
    ...geth,
    clientVersion: undefined,
    headers: false,
    blockTimestamp: false,
    limits: { maxLogs: 10_000 },
    tooMany: ({ limit }) => ({ code: -32000, message: `logs matched by query exceeds limit of ${limit}` }),
  },
} as const satisfies Record<string, NodeProfile>;

export type NodeProfileName = keyof typeof nodeProfiles;

function hexRange({ from, fitsTo }: Overrun): string {
  return `[${hex(from)}, ${hex(Math.max(from, fitsTo))}]`;
}
