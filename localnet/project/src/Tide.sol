// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Token} from "./Token.sol";

contract Tide is Token {
    constructor() Token("Tide", "TIDE", 18, 1_000_000_000e18) {}
}
