import assert from 'node:assert/strict';
import type { Hex } from '../../../../src/core/eth/hex.ts';
import { getStandardLookup } from '../../../../src/core/standards/lookup.ts';

/** As block explorers show them; those of OpenZeppelin and EntryPoint are held against their own ABIs. */
const topics: Readonly<Record<Hex, string>> = {
  '0x7f26b83ff96e1f2b6a682f133852f6798a09c465da95921460cefb3847402498': 'Initializable Initialized',
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c': 'WETH9 Deposit',
  '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65': 'WETH9 Withdrawal',
  '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9': 'Uniswap v2 PairCreated',
  '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822': 'Uniswap v2 Swap',
  '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1': 'Uniswap v2 Sync',
  '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118': 'Uniswap v3 PoolCreated',
  '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67': 'Uniswap v3 Swap',
  '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f': 'Uniswap v4 Swap',
  '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438': 'Uniswap v4 Initialize',
  '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e': 'Safe ExecutionSuccess',
  '0x6895c13664aa4f67288b25d7a21d7aaa34916e355fb9b6fae0a139a9085becb8': 'Safe ExecutionFromModuleSuccess',
  '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32': 'OP portal TransactionDeposited',
  '0x02a52367d10742d8032712c1bb8e0144ff1ec5ffda1ed7d70bb05a2744955054': 'OP portal MessagePassed',
  '0xcb0f7ffd78f9aee47a248fae8db181db6eee833039123e026dcbff529522e52a': 'OP messengers SentMessage',
  '0x4641df4a962071e12719d8c8c8e5ac7fc4d97b927346a3d7a335b1f7517e133c': 'OP messengers RelayedMessage',
  '0xff64905f73a67fb594e0f940a8075a860db489ad991e032f48c81123eb52d60b':
    'Arbitrum bridge InboxMessageDelivered',
  '0x5e3c1311ea442664e8b1611bfabef659120ea7a0a2cfc0667700bebc69cbffe1': 'Arbitrum bridge MessageDelivered',
  '0x3e7aafa77dbf186b7fd488006beff893744caa3c4f6f299e8a709fa2087374fc': 'Arbitrum precompiles L2ToL1Tx',
  '0x5ccd009502509cf28762c67858994d85b163bb6e451f5e9df7c5e18c9c2e123e':
    'Arbitrum precompiles RedeemScheduled',
  '0x3067048beee31b25b2f1681f88dac838c8bba36af25bfb2b7cf7473a5847e35f':
    'Uniswap v3 periphery IncreaseLiquidity',
  '0x26f6a048ee9138f2c0ce266f322cb99228e8d619ae2bff30c67f8dcf9d2377b4':
    'Uniswap v3 periphery DecreaseLiquidity',
  '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec': 'Permit2 Permit',
  '0x35d79ab81f2b2017e19afb5c5571778877782d7a8786f5907f93b0f4702f4f23': 'OP bridges ETHDepositInitiated',
  '0x75e41bc35ff1bf14d81d1d2f649c0084a0f974f9289c803ec9898eeec4c8d0b8': 'Safe 1.3 ChangedMasterCopy',
};

const functions: Readonly<Record<Hex, string>> = {
  '0x38ed1739': 'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
  '0x414bf389': 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))',
  '0x3593564c': 'execute(bytes,bytes[],uint256)',
  '0x6a761202': 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
};

describe('bundled lists: hashes that everyone knows', () => {
  const lookup = getStandardLookup();

  it('are the topics of their events', () => {
    for (const [topic0, event] of Object.entries(topics)) {
      const [first] = lookup.events(topic0 as Hex);
      assert.equal(`${first?.origin.from} ${first?.item.name}`, event, topic0);
    }
  });

  it('are the selectors of their functions', () => {
    for (const [selector, signature] of Object.entries(functions))
      assert.equal(lookup.functions(selector as Hex)[0]?.item.signature, signature);
  });
});
