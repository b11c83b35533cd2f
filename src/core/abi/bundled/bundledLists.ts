import { accessControl } from './access/accessControl.ts';
import { accessManager } from './access/accessManager.ts';
import { ownable } from './access/ownable.ts';
import { pausable } from './access/pausable.ts';
import { reentrancyGuard } from './access/reentrancyGuard.ts';
import { entryPoint06 } from './accounts/entryPoint06.ts';
import { entryPoint07 } from './accounts/entryPoint07.ts';
import { entryPoint08 } from './accounts/entryPoint08.ts';
import { entryPoint09 } from './accounts/entryPoint09.ts';
import { safe } from './accounts/safe.ts';
import { safeBefore14 } from './accounts/safeBefore14.ts';
import { simpleAccount } from './accounts/simpleAccount.ts';
import { smartAccounts } from './accounts/smartAccounts.ts';
import { arbitrumBridge } from './bridges/arbitrumBridge.ts';
import { arbitrumErrors } from './bridges/arbitrumErrors.ts';
import { arbitrumGateways } from './bridges/arbitrumGateways.ts';
import { arbitrumPrecompiles } from './bridges/arbitrumPrecompiles.ts';
import { arbitrumRollup } from './bridges/arbitrumRollup.ts';
import { opBridges } from './bridges/opBridges.ts';
import { opDisputes } from './bridges/opDisputes.ts';
import { opMessengers } from './bridges/opMessengers.ts';
import { opPortal } from './bridges/opPortal.ts';
import { opSystem } from './bridges/opSystem.ts';
import { uniswapV2 } from './exchanges/uniswapV2.ts';
import { uniswapV2Router } from './exchanges/uniswapV2Router.ts';
import { uniswapV3 } from './exchanges/uniswapV3.ts';
import { uniswapV3Periphery } from './exchanges/uniswapV3Periphery.ts';
import { uniswapV4 } from './exchanges/uniswapV4.ts';
import { uniswapV4Periphery } from './exchanges/uniswapV4Periphery.ts';
import { universalRouter } from './exchanges/universalRouter.ts';
import { compoundTimelock } from './governance/compoundTimelock.ts';
import { governor } from './governance/governor.ts';
import { governorBravo } from './governance/governorBravo.ts';
import { timelockController } from './governance/timelockController.ts';
import { votes } from './governance/votes.ts';
import { earlyProxies } from './proxies/earlyProxies.ts';
import { erc165 } from './proxies/erc165.ts';
import { erc1967 } from './proxies/erc1967.ts';
import { erc2535 } from './proxies/erc2535.ts';
import { initializable } from './proxies/initializable.ts';
import { multicall } from './proxies/multicall.ts';
import { openZeppelinErrors } from './proxies/openZeppelinErrors.ts';
import { upgrades } from './proxies/upgrades.ts';
import { erc20 } from './tokens/erc20.ts';
import { erc721 } from './tokens/erc721.ts';
import { erc777 } from './tokens/erc777.ts';
import { erc1155 } from './tokens/erc1155.ts';
import { erc2612 } from './tokens/erc2612.ts';
import { erc3009 } from './tokens/erc3009.ts';
import { erc4626 } from './tokens/erc4626.ts';
import { erc4907 } from './tokens/erc4907.ts';
import { erc5192 } from './tokens/erc5192.ts';
import { erc6093 } from './tokens/erc6093.ts';
import { erc6909 } from './tokens/erc6909.ts';
import { nftExtensions } from './tokens/nftExtensions.ts';
import { openZeppelinTokens } from './tokens/openZeppelinTokens.ts';
import { permit2 } from './tokens/permit2.ts';
import { tokenExtensions } from './tokens/tokenExtensions.ts';
import { weth9 } from './tokens/weth9.ts';

/** All lists, the narrower standard before what also has its items: who names an item is the first that has it. */
export const bundledLists: readonly BundledList[] = [
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

/** What a standard or a published contract declares. */
interface BundledList {
  readonly name: string;
  /** Items as `AbiItemText`, one a line. */
  readonly items: string;
}
