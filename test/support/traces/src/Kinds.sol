// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Checks, Outside} from "./Checks.sol";

interface IKinds {
    enum Side {
        Left,
        Right
    }

    function write() external view;
}

// Größe, 数, 🐟: this file has the line ends of Windows.
function checkFree(uint256 a) pure returns (uint256) {
    if (a > 3) revert Outside(a); // @freeFunction
    return a;
}

abstract contract Made {
    constructor(uint256 a) {
        require(a != 0, "made of nothing"); // @baseConstructor
    }
}

contract Child is Made {
    constructor(uint256 a) payable Made(a) {}

    receive() external payable {
        require(msg.value > 1 ether, "too little"); // @receive
    }

    fallback() external payable {
        require(msg.data.length > 8); // @fallback
    }
}

contract OtherCopy {
    function need(uint256 a) external pure {
        require(a > 1, "need two"); // @otherCopy
    }
}

contract Broken {
    constructor() {
        assembly {
            invalid() // @brokenConstructor
        }
    }
}

/// More ways to fail.
contract Kinds {
    error Wrapped(bytes inner);

    uint256 private written;

    modifier last(uint256 a) {
        _;
        require(a != 2, "last"); // @lastModifier
    }

    function multiply(uint256 a, uint256 b) external pure returns (uint256) {
        return a + a * b; // @multiply
    }

    function inMemory(uint256 length, uint256 index) external pure returns (uint256) {
        uint256[] memory list = new uint256[](length);
        return list[index]; // @inMemory
    }

    function slice(bytes calldata data, uint256 end) external pure returns (bytes memory) {
        return data[1:end]; // @slice
    }

    function decode(bytes calldata data) external pure returns (uint256, address) {
        return abi.decode(data, (uint256, address)); // @decode
    }

    function withModifier(uint256 a) external pure last(a) returns (uint256) {
        return a;
    }

    function useFree(uint256 a) external pure returns (uint256) {
        return
            checkFree(1) +
            checkFree(a);
    }

    function recurse(uint256 a) public pure returns (uint256) {
        require(a != 2, "two"); // @recursive
        return a == 0 ? 0 : recurse(a - 1);
    }

    function given(string calldata reason) external pure {
        revert(reason); // @givenText
    }

    function wrap(Kinds target, uint256 a) external {
        try target.multiply(a, a) {} catch (bytes memory inner) {
            revert Wrapped(inner); // @wrapped
        }
    }

    function innerCaught(Kinds target, uint256 a) external view returns (uint256) {
        try target.recurse(a) returns (uint256 b) {
            return b;
        } catch {
            return a / 0 ** a; // @afterCaught
        }
    }

    function create(uint256 a, uint256 value) external returns (Child) {
        return new Child{value: value}(a); // @createWithValue
    }

    function pay(address payable to, uint256 value) external {
        to.transfer(value); // @transfer
    }

    function write() external {
        written++; // @writeProtected
    }

    function createBroken() external {
        new Broken();
    }

    function writeStatic() external view {
        IKinds(address(this)).write();
    }

    function side(IKinds.Side given_) external pure returns (uint256) { // @side
        return uint256(given_);
    }

    function either(uint256 a) external pure returns (uint256 b) {
        unchecked {
            b = a - 5;
        }
        b = a > 5 ? b : Checks.limit(a + 20);
    }

    function exhaust() external pure {
        assembly {
            invalid() // @invalid
        }
    }

    function sign(uint256 a) external view {
        bytes memory data = abi.encodeCall(this.recurse, (a));
        assembly {
            revert(add(data, 32), mload(data)) // @assemblyData
        }
    }
}
