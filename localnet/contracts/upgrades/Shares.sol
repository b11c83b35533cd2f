// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Delegating, Slot} from "./Delegating.sol";

/// Names the code of many proxies.
contract SharesBeacon {
    event Upgraded(address indexed implementation);

    address public implementation;

    constructor(address implementation_) {
        upgradeTo(implementation_);
    }

    function upgradeTo(address implementation_) public {
        implementation = implementation_;
        emit Upgraded(implementation_);
    }
}

contract SharesProxy is Delegating {
    event BeaconUpgraded(address indexed beacon);

    constructor(address beacon) {
        Slot.write(Slot.BEACON, beacon);
        emit BeaconUpgraded(beacon);
    }

    function _code() internal view override returns (address) {
        return SharesBeacon(Slot.read(Slot.BEACON)).implementation();
    }
}

contract SharesV1 {
    event Issued(address indexed holder, address indexed issuer, uint256 count);

    function act(address issuer, uint256 count) external {
        emit Issued(msg.sender, issuer, count);
    }
}

contract SharesV2 {
    event Issued(address indexed holder, address issuer, uint256 indexed count);

    function act(address issuer, uint256 count) external {
        emit Issued(msg.sender, issuer, count);
    }
}
