import type { AbiLookup } from '../abi/candidates.ts';
import { createAbiLookup, type LocatedItem } from '../abi/lookup.ts';
import { accessControl, accessManager, ownable, pausable, reentrancyGuard } from './access.ts';
import {
  entryPoint06,
  entryPoint07,
  entryPoint08,
  entryPoint09,
  safe,
  safeBefore14,
  simpleAccount,
  smartAccounts,
} from './accounts.ts';
import {
  arbitrumBridge,
  arbitrumErrors,
  arbitrumGateways,
  arbitrumPrecompiles,
  arbitrumRollup,
} from './arbitrum.ts';
import { compoundTimelock, governor, governorBravo, timelockController, votes } from './governance.ts';
import { opBridges, opDisputes, opMessengers, opPortal, opSystem } from './optimism.ts';
import {
  earlyProxies,
  erc165,
  erc1967,
  erc2535,
  erc3668,
  initializable,
  multicall,
  openZeppelinErrors,
  upgrades,
} from './proxies.ts';
import {
  erc20,
  erc721,
  erc777,
  erc1155,
  erc2612,
  erc3009,
  erc4626,
  erc4907,
  erc5192,
  erc6093,
  erc6909,
  nftExtensions,
  openZeppelinTokens,
  permit2,
  tokenExtensions,
  weth9,
} from './tokens.ts';
import {
  uniswapV2,
  uniswapV2Router,
  uniswapV3,
  uniswapV3Periphery,
  uniswapV4,
  uniswapV4Periphery,
  universalRouter,
} from './uniswap.ts';

let lookup: AbiLookup | undefined;

/**
 * The events, errors and functions of well-known standards and contracts; `from` of an origin is the name of a list,
 * `ERC-20` or `Uniswap v3`. Created on first use, and shared. This module imports the lists, 130 KB: load it lazily, with
 * `loadStandardLookup`.
 *
 * @example getStandardLookup().functions('0xa9059cbb')[0]?.item.signature // 'transfer(address,uint256)'
 */
export function getStandardLookup(): AbiLookup {
  lookup ??= createAbiLookup(listStandardItems());
  return lookup;
}

/**
 * The items of all lists, list by list.
 *
 * @example [...listStandardItems()][0]?.origin.from // 'ERC-165'
 */
export function* listStandardItems(): Generator<LocatedItem> {
  for (const { name, items } of standardLists) {
    const origin = { trust: 'bundled', from: name, contract: undefined, line: undefined } as const;
    for (const text of items.trim().split('\n')) yield { text, origin };
  }
}

/** A narrow standard comes before the lists that repeat its items: the first list with an item names it. */
export const standardLists: readonly StandardList[] = [
  erc165,
  multicall,
  openZeppelinErrors,
  erc20,
  erc721,
  erc1155,
  erc6093,
  erc4626,
  erc6909,
  erc2612,
  erc3009,
  erc777,
  erc5192,
  erc4907,
  nftExtensions,
  tokenExtensions,
  votes,
  openZeppelinTokens,
  weth9,
  permit2,
  initializable,
  ownable,
  accessControl,
  accessManager,
  pausable,
  reentrancyGuard,
  erc1967,
  earlyProxies,
  erc2535,
  erc3668,
  upgrades,
  governor,
  governorBravo,
  timelockController,
  compoundTimelock,
  entryPoint06,
  entryPoint07,
  entryPoint08,
  entryPoint09,
  simpleAccount,
  smartAccounts,
  safe,
  safeBefore14,
  uniswapV2,
  uniswapV2Router,
  uniswapV3,
  uniswapV3Periphery,
  uniswapV4,
  uniswapV4Periphery,
  universalRouter,
  opPortal,
  opBridges,
  opMessengers,
  opDisputes,
  opSystem,
  arbitrumBridge,
  arbitrumRollup,
  arbitrumErrors,
  arbitrumGateways,
  arbitrumPrecompiles,
];

interface StandardList {
  readonly name: string;
  /** Items as `AbiItemText`, one a line. */
  readonly items: string;
}
