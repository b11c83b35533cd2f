// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Token} from "./Token.sol";

contract HarborDollar is Token {
    constructor() Token("Harbor Dollar", "HUSD", 6, 1_000_000_000e6) {}
}
