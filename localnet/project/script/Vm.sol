// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// What the scripts use of forge's cheat codes.
interface Vm {
    function startBroadcast(address sender) external;
    function stopBroadcast() external;
}

abstract contract Script {
    bool public constant IS_SCRIPT = true;
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// What follows in the function is sent by `sender`.
    modifier sentBy(address sender) {
        vm.startBroadcast(sender);
        _;
        vm.stopBroadcast();
    }
}
