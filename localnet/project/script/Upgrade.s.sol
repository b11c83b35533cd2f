// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {VaultV2} from "../src/VaultV2.sol";
import {KEEPER, VAULT} from "./Addresses.sol";
import {Script} from "./Vm.sol";

/// Puts the second version behind the proxy of the vault.
contract Upgrade is Script {
    function run() external sentBy(KEEPER) {
        VaultV2 version = new VaultV2{salt: "harbor"}();
        VAULT.upgradeToAndCall(address(version), "");
    }
}
