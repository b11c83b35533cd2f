// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BOB, CAROL, DAVE, HUSD, KEEPER, REWARDS, TIDE, TREASURY, VAULT} from "./Addresses.sol";
import {Script} from "./Vm.sol";

/// Gives the members something to trade with.
contract Endow is Script {
    function run() external {
        endow();
        allow(TREASURY);
        allow(BOB);
        allow(CAROL);
        allow(DAVE);
    }

    function endow() private sentBy(KEEPER) {
        HUSD.transfer(address(REWARDS), 250_000e6);
        HUSD.transfer(TREASURY, 500_000e6);
        TIDE.transfer(BOB, 40_000e18);
        TIDE.transfer(CAROL, 40_000e18);
        HUSD.transfer(DAVE, 40_000e6);
    }

    function allow(address member) private sentBy(member) {
        HUSD.approve(address(VAULT), type(uint256).max);
        TIDE.approve(address(VAULT), type(uint256).max);
    }
}
