import { AbiFunction, type Hex } from 'ox';
import type { RestCall } from './restCall.ts';

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const multi = [
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
];
const facts = {
  name: AbiFunction.from('function name() view returns (string)'),
  symbol: AbiFunction.from('function symbol() view returns (string)'),
  decimals: AbiFunction.from('function decimals() view returns (uint8)'),
  totalSupply: AbiFunction.from('function totalSupply() view returns (uint256)'),
} as const;

/** The token of a contract, which an explorer knows by its transfers; null where there was none. */
export async function tokenField({ ask, index, era }: RestCall, address: Hex.Hex, shown: string) {
  const type = standardByTransfers(index, address);
  if (type === undefined) return null;
  const read = async (name: keyof typeof facts) => {
    const data = AbiFunction.encodeData(facts[name]);
    const result = await ask('eth_call', [{ to: address, data }, 'latest']);
    if (typeof result !== 'string' || result === '0x') return null;
    return String(AbiFunction.decodeResult(facts[name], result as Hex.Hex));
  };
  return {
    ...(era === 'v5' ? { address: shown } : { address_hash: shown }),
    type,
    name: await read('name'),
    symbol: await read('symbol'),
    decimals: type === 'ERC-20' ? await read('decimals') : null,
    total_supply: await read('totalSupply'),
    ...{ exchange_rate: null, icon_url: null, volume_24h: null, circulating_market_cap: null },
    ...(era === 'v5' ? { holders: null } : { holders_count: null }),
  };
}

function standardByTransfers(index: RestCall['index'], address: Hex.Hex): string | undefined {
  const head = index.head() ?? 0;
  for (const { topics } of index.logs({ from: 0, to: head }, address)) {
    const [topic0 = ''] = topics;
    if (multi.includes(topic0)) return 'ERC-1155';
    if (topic0 === transfer) return topics.length === 4 ? 'ERC-721' : 'ERC-20';
  }
  return undefined;
}
