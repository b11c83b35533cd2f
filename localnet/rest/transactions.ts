import { AbiParameters, Address as AddressText, Hex } from 'ox';
import type { Reply } from '../http/recordingServer.ts';
import { microseconds } from '../tokens/blockTimes.ts';
import { readMovement } from '../tokens/movements.ts';
import { type RestCall, type RestEra, type RestRoute, restReply } from './restCall.ts';
import { type FoundTransaction, findBlock, findTransaction, type WireLog } from './wireTransactions.ts';

// Shapes are those of the named releases: apps/block_scout_web/lib/block_scout_web/views/api/v2/transaction_view.ex at
// v5.1.4, v9.1.0 and v11.2.7, and controllers/api/v2/transaction_controller.ex for what is refused.

const HASH = '(0x[0-9a-zA-Z]+)';
const usualPage = 50;
const largestPage = 100;

/** `/transactions/{hash}`, its logs and token transfers, and `/blocks/{hash}`. */
export const transactionRoutes: readonly RestRoute[] = [
  { pattern: new RegExp(`^/api/v2/transactions/${HASH}$`), answer: of(answerTransaction) },
  { pattern: new RegExp(`^/api/v2/transactions/${HASH}/logs$`), answer: of(answerLogs) },
  { pattern: new RegExp(`^/api/v2/transactions/${HASH}/token-transfers$`), answer: of(answerTransfers) },
  { pattern: /^\/api\/v2\/blocks\/(0x[0-9a-fA-F]{64})$/, answer: answerBlock },
];

const notFound = restReply(404, { message: 'Not found' });

function of(
  answer: (call: RestCall, found: FoundTransaction) => Promise<Reply> | Reply,
): RestRoute['answer'] {
  return async (call, [hash = '']) => {
    if (!/^0x[0-9a-fA-F]{64}$/.test(hash)) return invalid(call.era);
    const found = await findTransaction(call, hash.toLowerCase() as Hex.Hex);
    return found ? answer(call, found) : notFound;
  };
}

/** Since v10 what does not fit the description is refused with a list. */
function invalid(era: RestEra): Reply {
  if (era === 'v5' || era === 'v8') return restReply(422, { message: 'Invalid parameter(s)' });
  const error = {
    title: 'Invalid value',
    source: { pointer: '/transaction_hash_param' },
    detail: 'Invalid format.',
  };
  return restReply(422, { errors: [error] });
}

function answerTransaction({ era }: RestCall, found: FoundTransaction): Reply {
  const { sent, receipt, block, trace } = found;
  const old = era === 'v5';
  const failed = receipt?.status === 0n;
  const price = receipt?.effectiveGasPrice ?? sent.gasPrice ?? undefined;
  const fee = price === undefined ? null : ((receipt?.gasUsed ?? sent.gas) * price).toString();
  return restReply(200, {
    hash: sent.hash,
    result: receipt ? (failed ? (trace?.error ?? 'Reverted') : 'success') : 'pending',
    status: receipt ? (failed ? 'error' : 'ok') : null,
    [old ? 'block' : 'block_number']: block ? Number(block.number) : null,
    timestamp: block ? timestamp(block.timestamp) : null,
    from: addressInfo(sent.from, era),
    to: sent.to && addressInfo(sent.to, era),
    created_contract: receipt?.contractAddress ? addressInfo(receipt.contractAddress, era) : null,
    value: sent.value.toString(),
    fee: { type: receipt ? 'actual' : 'maximum', value: fee },
    gas_price: price?.toString() ?? null,
    type: sent.type === undefined || sent.type === null ? null : Number(sent.type),
    gas_used: receipt?.gasUsed.toString() ?? null,
    gas_limit: sent.gas.toString(),
    base_fee_per_gas: block?.baseFeePerGas?.toString() ?? null,
    nonce: Number(sent.nonce),
    position: sent.transactionIndex === null ? null : Number(sent.transactionIndex),
    revert_reason: failed ? revertReason(trace) : null,
    raw_input: sent.input,
    decoded_input: null,
    [old ? 'tx_burnt_fee' : 'transaction_burnt_fee']: null,
    [old ? 'tx_types' : 'transaction_types']: sent.to ? ['contract_call'] : ['contract_creation'],
    [old ? 'tx_tag' : 'transaction_tag']: null,
    [old ? 'has_error_in_internal_txs' : 'has_error_in_internal_transactions']: failed,
    ...(old
      ? {}
      : { authorization_list: sent.authorizationList?.map((one) => authorization(one, era)) ?? [] }),
  });
}

/** An error that Solidity itself raises is decoded whoever the contract is; any other is raw until it is verified. */
function revertReason(trace: FoundTransaction['trace']): unknown {
  if (!/revert/i.test(trace?.error ?? '')) return null;
  const output = trace?.output ?? '0x';
  if (!output.startsWith('0x08c379a0')) return { raw: output };
  const [reason] = AbiParameters.decode(AbiParameters.from('string reason'), Hex.slice(output, 4));
  const parameters = [{ name: 'reason', type: 'string', value: reason }];
  return { method_id: '08c379a0', method_call: 'Error(string reason)', parameters };
}

function authorization(
  {
    address,
    chainId,
    nonce,
  }: { readonly address: Hex.Hex; readonly chainId: bigint; readonly nonce: bigint },
  era: RestEra,
) {
  const at = AddressText.checksum(address);
  return { [era === 'v8' ? 'address' : 'address_hash']: at, chain_id: Number(chainId), nonce: Number(nonce) };
}

function answerLogs(call: RestCall, { receipt, sent }: FoundTransaction): Reply {
  const logs = receipt?.logs ?? [];
  return paged(call, logs, {
    place: (log) => ({ block_number: Number(log.blockNumber), index: Number(log.logIndex) }),
    isBehind: (log, query) => log.logIndex > BigInt(query.get('index') ?? '-1'),
    render: (log) => renderLog(log, sent.hash, call.era),
  });
}

function renderLog(log: WireLog, transaction: Hex.Hex, era: RestEra) {
  const old = era === 'v5';
  return {
    [old ? 'tx_hash' : 'transaction_hash']: transaction,
    address: addressInfo(log.address, era),
    topics: Array.from({ length: 4 }, (_, place) => log.topics[place] ?? null),
    data: log.data,
    index: Number(log.logIndex),
    decoded: null,
    smart_contract: null,
    ...(old ? {} : { block_number: Number(log.blockNumber), block_hash: log.blockHash }),
  };
}

function answerTransfers(call: RestCall, { receipt, block, sent }: FoundTransaction): Reply {
  const moved = (receipt?.logs ?? []).flatMap((log) => {
    const blockNumber = Number(log.blockNumber);
    const indexed = { ...log, blockNumber, transactionHash: sent.hash, logIndex: Number(log.logIndex) };
    const movement = readMovement(indexed);
    return movement ? [{ log, movement }] : [];
  });
  const { era } = call;
  return paged(call, moved, {
    place: ({ log }) => ({ block_number: Number(log.blockNumber), index: Number(log.logIndex) }),
    isBehind: ({ log }, query) => log.logIndex > BigInt(query.get('index') ?? '-1'),
    render: ({ log, movement }) => ({
      [era === 'v5' ? 'tx_hash' : 'transaction_hash']: sent.hash,
      from: addressInfo(movement.from, era),
      to: addressInfo(movement.to, era),
      token: {
        [era === 'v5' ? 'address' : 'address_hash']: AddressText.checksum(movement.contract),
        type: { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' }[movement.standard],
      },
      total:
        movement.standard === 'erc20'
          ? { value: BigInt(log.data).toString(), decimals: null }
          : { token_id: movement.tokenIds[0]?.toString() ?? null },
      timestamp: block ? timestamp(block.timestamp) : null,
      block_hash: log.blockHash,
      log_index: era === 'v5' ? log.logIndex.toString() : Number(log.logIndex),
      ...(era === 'v5' ? {} : { block_number: Number(log.blockNumber) }),
    }),
  });
}

async function answerBlock(call: RestCall, [hash = '']: readonly string[]): Promise<Reply> {
  const block = await findBlock(call, hash.toLowerCase() as Hex.Hex);
  if (!block) return notFound;
  return restReply(200, {
    height: Number(block.number),
    hash: block.hash,
    timestamp: timestamp(block.timestamp),
  });
}

/** Keyset pages: the cursor is the place of the last item, and its absence the first page. */
function paged<T>(
  { era, query }: RestCall,
  items: readonly T[],
  how: {
    readonly place: (item: T) => Readonly<Record<string, number>>;
    readonly isBehind: (item: T, query: URLSearchParams) => boolean;
    readonly render: (item: T) => object;
  },
): Reply {
  const asked = era === 'v12' ? Number(query.get('items_count') ?? usualPage) : usualPage;
  const size = Math.min(asked, largestPage);
  const rest = items.filter((item) => how.isBehind(item, query));
  const page = rest.slice(0, size);
  const last = rest.length > size ? page.at(-1) : undefined;
  const count = era === 'v12' ? {} : { items_count: page.length };
  return restReply(200, {
    items: page.map(how.render),
    next_page_params: last === undefined ? null : { ...how.place(last), ...count },
  });
}

/** Old releases have fewer members; what is here is in all. */
function addressInfo(address: Hex.Hex, era: RestEra) {
  const hash = AddressText.checksum(address);
  const info = { hash, is_contract: false, name: null, is_verified: false, implementation_name: null };
  return era === 'v5' ? info : { ...info, ens_domain_name: null, proxy_type: null, implementations: [] };
}

function timestamp(seconds: bigint): string {
  return microseconds(new Date(Number(seconds) * 1000));
}
