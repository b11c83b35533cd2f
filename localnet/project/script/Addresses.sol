// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Orders} from "../src/Orders.sol";
import {Rewards} from "../src/Rewards.sol";
import {Vault} from "../src/Vault.sol";

// Where `Deploy` puts what the other scripts use, and who uses it.
address constant KEEPER = 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266;
address constant TREASURY = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;
address constant BOB = 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC;
address constant CAROL = 0x90F79bf6EB2c4f870365E785982E1f101E93b906;
address constant DAVE = 0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65;

IERC20 constant HUSD = IERC20(0x5FbDB2315678afecb367f032d93F642f64180aa3);
IERC20 constant TIDE = IERC20(0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512);
Orders constant ORDERS = Orders(0x5FC8d32690cc91D4c39d9d3abcBD16989F875707);
Vault constant VAULT = Vault(0x2279B7A0a67DB372996a5FaB50D91eAA73d2eBe6);
Rewards constant REWARDS = Rewards(0x8A791620dd6260079BF849Dc5567aDC3F2FdC318);
