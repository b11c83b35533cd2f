// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Failing} from "./Failing.sol";

interface IAbsent {
    function absent() external returns (uint256);
}

/// Calls `Failing`, and lets its failures pass, catches them, or fails itself.
contract Callers {
    Failing public immutable target;

    event Called(uint256 indexed id);

    constructor(Failing target_) {
        target = target_;
    }

    function through(uint256 a) external returns (uint256) {
        emit Called(a);
        return target.subtract(a, a); // @throughCall
    }

    function lowLevel(uint256 a) external {
        (bool ok, ) = address(target).call(abi.encodeCall(Failing.asserted, (a)));
        require(ok); // @lowLevel
    }

    function lowLevelEmpty() external {
        (bool ok, ) = address(target).call(abi.encodeCall(Failing.inAssembly, (9)));
        require(ok); // @lowLevelEmpty
    }

    function rethrown(uint256 a) external {
        (bool ok, bytes memory data) = address(target).call(abi.encodeCall(Failing.requireText, (a))); // @rethrownCall
        if (!ok) {
            assembly {
                revert(add(data, 32), mload(data))
            }
        }
    }

    function caught(uint256 a) external {
        try target.requireText(a) {} catch {}
        emit Called(a);
        require(a > 50, "not one"); // @caughtSameText
    }

    function caughtThenOther(uint256 a) external {
        try target.requireText(a) {} catch {
            revert("other"); // @caughtThenOther
        }
    }

    function noCode() external {
        IAbsent(address(0xdead)).absent(); // @noCode
    }

    function shortReturn() external {
        IAbsent(address(this)).absent(); // @shortReturn
    }

    fallback() external {}

    function triedTwice() external {
        address[2] memory all = [address(target), address(0xdead)];
        for (uint256 i = 0; i < 2; i++) {
            try Failing(all[i]).threeBare(0, 1, 1) returns (uint256) {} catch {} // @triedTwice
        }
    }

    function notCaught(uint256 a) external {
        try target.subtract(a, a) returns (uint256) {} catch Error(string memory) {}
    }

    function rethrownText(uint256 a) external {
        (bool ok, bytes memory data) = address(target).call(abi.encodeCall(Failing.requireText, (a))); // @rethrownTextCall
        require(ok, readText(data));
    }

    function readText(bytes memory data) private pure returns (string memory text) {
        assembly {
            text := add(data, 68)
        }
    }

    function lowLevelThenBare() external {
        (bool ok, ) = address(target).call(abi.encodeCall(Failing.inAssembly, (9)));
        ok;
        revert(); // @lowLevelThenBare
    }

    function outOfGasInside() external {
        target.fill();
    }

    function create(uint256 limit) external returns (Failing) {
        return new Failing(limit);
    }

    function createAndCall(uint256 limit, uint256 a) external {
        Failing made = new Failing(limit);
        made.asserted(a);
    }
}

/// Runs the code of another contract with its own storage.
contract Proxy {
    address private immutable implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }

    fallback() external payable {
        address to = implementation;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0) // @proxyCall
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 {
                revert(0, returndatasize())
            }
            default {
                return(0, returndatasize())
            }
        }
    }
}

/// Has the code of `OtherCopy`, but for the hash in the metadata.
contract Copy {
    function need(uint256 a) external pure {
        require(a > 1, "need two"); // @copy
    }
}

/// Has no fallback function and takes no coins.
contract Strict {
    uint256 public count;

    function add(uint256 more) external { // @notPayable
        count += more;
    }
}
