import type { Hex } from 'ox';
import * as z from 'zod/mini';
import type { RestCall } from './restCall.ts';

const hex = z.templateLiteral(['0x', z.string()]);
const quantity = z.pipe(
  z.string(),
  z.transform((text) => BigInt(text)),
);
const maybe = <T extends z.ZodMiniType>(field: T) => z.optional(z.nullable(field));

const Sent = z.object({
  hash: hex,
  blockNumber: z.nullable(quantity),
  transactionIndex: z.nullable(quantity),
  from: hex,
  to: z.nullable(hex),
  value: quantity,
  gas: quantity,
  gasPrice: maybe(quantity),
  nonce: quantity,
  type: maybe(quantity),
  input: hex,
  authorizationList: z.optional(z.array(z.object({ address: hex, chainId: quantity, nonce: quantity }))),
});
const Log = z.object({
  address: hex,
  topics: z.array(hex),
  data: hex,
  logIndex: quantity,
  blockNumber: quantity,
  blockHash: hex,
});
const Receipt = z.object({
  status: quantity,
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  contractAddress: maybe(hex),
  logs: z.array(Log),
});
const Block = z.object({ number: quantity, hash: hex, timestamp: quantity, baseFeePerGas: maybe(quantity) });
const Trace = z.object({ error: z.optional(z.string()), output: z.optional(hex) });

export type WireTransaction = z.infer<typeof Sent>;
export type WireLog = z.infer<typeof Log>;

/** A transaction with all that hangs on it; no receipt and no block while it is pending. */
export type FoundTransaction = {
  readonly sent: WireTransaction;
  readonly receipt: z.infer<typeof Receipt> | undefined;
  readonly block: z.infer<typeof Block> | undefined;
  /** What it failed with. */
  readonly trace: z.infer<typeof Trace> | undefined;
};

/** What the explorer has recorded of a transaction; undefined where it knows none of that hash. */
export async function findTransaction(
  { ask }: RestCall,
  hash: Hex.Hex,
): Promise<FoundTransaction | undefined> {
  const sent = Sent.safeParse(await ask('eth_getTransactionByHash', [hash])).data;
  if (!sent) return undefined;
  if (sent.blockNumber === null) return { sent, receipt: undefined, block: undefined, trace: undefined };
  const [mined, header] = await Promise.all([
    ask('eth_getTransactionReceipt', [hash]),
    ask('eth_getBlockByNumber', [`0x${sent.blockNumber.toString(16)}`, false]),
  ]);
  const receipt = Receipt.parse(mined);
  const traced =
    receipt.status === 0n ? await ask('debug_traceTransaction', [hash, { tracer: 'callTracer' }]) : {};
  return { sent, receipt, block: Block.parse(header), trace: Trace.parse(traced) };
}

/** A block by its hash, as the node has it. */
export async function findBlock({ ask }: RestCall, hash: Hex.Hex) {
  return Block.safeParse(await ask('eth_getBlockByHash', [hash, false])).data;
}
