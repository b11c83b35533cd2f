// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Delegating} from "./Delegating.sol";

/// As Safe before 1.1: the first slot has the address of the code, which the code itself changes.
contract WalletProxy is Delegating {
    address private _masterCopy;

    constructor(address masterCopy) {
        _masterCopy = masterCopy;
    }

    function _code() internal view override returns (address) {
        return _masterCopy;
    }
}

abstract contract MasterCopy {
    event ChangedMasterCopy(address masterCopy);

    address private _masterCopy;

    function changeMasterCopy(address masterCopy) external {
        _masterCopy = masterCopy;
        emit ChangedMasterCopy(masterCopy);
    }
}

contract WalletV1 is MasterCopy {
    event Executed(bytes32 indexed id, address indexed to, uint256 value);

    function act(address to, uint256 value) external {
        emit Executed(bytes32(value), to, value);
    }
}

contract WalletV2 is MasterCopy {
    event Executed(bytes32 indexed id, address to, uint256 indexed value);

    function act(address to, uint256 value) external {
        emit Executed(bytes32(value), to, value);
    }
}
