// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Badge} from "../src/Badge.sol";
import {Disperse} from "../src/Disperse.sol";
import {HarborDollar} from "../src/HarborDollar.sol";
import {Items} from "../src/Items.sol";
import {Orders} from "../src/Orders.sol";
import {Rewards} from "../src/Rewards.sol";
import {Tide} from "../src/Tide.sol";
import {Vault} from "../src/Vault.sol";
import {KEEPER} from "./Addresses.sol";
import {Script} from "./Vm.sol";

/// Deploys all in a fixed order, on which the addresses depend.
contract Deploy is Script {
    function run() external sentBy(KEEPER) {
        new HarborDollar();
        new Tide();
        new Badge();
        new Items();
        new Disperse();
        Orders orders = new Orders();
        orders.openArchive();
        Vault vault = new Vault();
        new ERC1967Proxy(address(vault), abi.encodeCall(Vault.initialize, (KEEPER)));
        new Rewards();
    }
}
