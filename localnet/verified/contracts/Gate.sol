// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// A proxy with an event of its own beside those of the standard.
contract Gate is ERC1967Proxy {
    event Passed(address indexed by, bytes4 selector);

    constructor(address implementation) ERC1967Proxy(implementation, "") {}

    function _unsafeAllowUninitialized() internal pure override returns (bool) {
        return true;
    }

    function _fallback() internal override {
        emit Passed(msg.sender, msg.sig);
        super._fallback();
    }
}
