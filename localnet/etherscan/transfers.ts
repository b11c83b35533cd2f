import type { Hex } from 'ox';
import * as z from 'zod/mini';
import { createContractReader } from '../tokens/contractReader.ts';
import { type Movement, readMovement, type Standard } from '../tokens/movements.ts';

// Facts are those of https://docs.etherscan.io: "Get a list of 'ERC20 - Token Transfer Events' by Address", and the same of
// ERC721 and ERC1155.

/** All values are text. There is no log index. */
export type TransferRow = Readonly<Record<string, string>>;

type Get = (name: string) => string | undefined;
type NodeCall = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Records of a response on the free plan. */
const MAX_RECORDS = 1000;
/** `page` times `offset`. */
const MAX_RECORD = 10_000;

export const transferActions: Readonly<Record<string, Standard>> = {
  tokentx: 'erc20',
  tokennfttx: 'erc721',
  token1155tx: 'erc1155',
};

/** One page of rows that are sorted newest first, by the parameters of the request; a text for a refusal. */
export function pageTransfers(rows: readonly TransferRow[], get: Get): readonly TransferRow[] | string {
  const [page, offset] = [
    Number(get('page') ?? 1),
    Math.min(Number(get('offset') ?? MAX_RECORDS), MAX_RECORDS),
  ];
  if (page * offset > MAX_RECORD) {
    const rule = `PageNo x Offset size must be less than or equal to ${MAX_RECORD}`;
    return `Result window is too large, ${rule}`;
  }
  const [from, to] = [Number(get('startblock') ?? 0), Number(get('endblock') ?? 9_999_999_999)];
  const found = rows.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to);
  const sorted = get('sort') === 'desc' ? found : found.toReversed();
  return sorted.slice((page - 1) * offset, page * offset);
}

const logsSchema = z.array(
  z.object({
    ...{ address: z.string(), topics: z.array(z.string()), data: z.string(), transactionHash: z.string() },
    ...{ blockNumber: z.string(), transactionIndex: z.string(), blockHash: z.string() },
  }),
);
const blockSchema = z.object({ timestamp: z.string() });

/** The transfers of an address by a node's logs, newest first, each ID of a batch by itself. */
export async function listTransfers(
  standard: Standard,
  get: Get,
  call: NodeCall,
): Promise<readonly TransferRow[]> {
  const owner = get('address')?.toLowerCase();
  const contract = get('contractaddress')?.toLowerCase();
  const filter = { fromBlock: '0x0', toBlock: 'latest', ...(contract && { address: contract }) };
  const logs = logsSchema.parse(await call('eth_getLogs', [filter])).reverse();
  const rows: TransferRow[] = [];
  const times = new Map<string, string>();
  const tokens = new Map<string, TransferRow>();
  for (const log of logs) {
    const movement = readMovement({ ...log, blockNumber: Number(log.blockNumber) } as never);
    if (movement?.standard !== standard || (movement.from !== owner && movement.to !== owner)) continue;
    const time = times.get(log.blockNumber) ?? (await fetchTime(log.blockNumber, call));
    times.set(log.blockNumber, time);
    const token = tokens.get(movement.contract) ?? (await fetchToken(movement.contract, call));
    tokens.set(movement.contract, token);
    for (const place of movement.amounts.keys()) {
      rows.push({
        ...{ blockNumber: `${Number(log.blockNumber)}`, timeStamp: time, hash: log.transactionHash },
        ...{ blockHash: log.blockHash, from: movement.from, to: movement.to },
        ...{ contractAddress: movement.contract, ...renderAmount(movement, place) },
        ...{ ...token, transactionIndex: `${Number(log.transactionIndex)}`, confirmations: '1' },
      });
    }
  }
  return rows;
}

function renderAmount({ standard, tokenIds, amounts }: Movement, place: number) {
  const amount = `${amounts[place]}`;
  if (standard === 'erc20') return { value: amount };
  const tokenID = `${tokenIds[place]}`;
  return standard === 'erc721' ? { tokenID } : { tokenID, tokenValue: amount };
}

async function fetchTime(block: string, call: NodeCall): Promise<string> {
  return `${Number(blockSchema.parse(await call('eth_getBlockByNumber', [block, false])).timestamp)}`;
}

async function fetchToken(contract: Hex.Hex, call: NodeCall): Promise<TransferRow> {
  const head = Number(await call('eth_blockNumber', []));
  const reader = createContractReader({ call }, contract, head);
  const [name, symbol, decimals] = [await reader.name(), await reader.symbol(), await reader.decimals()];
  const tokenDecimal = `${decimals ?? ''}`;
  return { tokenName: name ?? '', tokenSymbol: symbol ?? '', tokenDecimal };
}
