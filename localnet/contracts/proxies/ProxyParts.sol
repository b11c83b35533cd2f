// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// What proxies run.
contract ProxyLogic {
    uint256 public immutable version;

    constructor(uint256 version_) {
        version = version_;
    }
}

/// Runs the code at an address for whoever calls.
abstract contract Delegating {
    function _delegate(address to) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// Keeps addresses in given slots and runs the one in the first.
contract SlotsProxy is Delegating {
    bytes32 private immutable _first;

    constructor(bytes32[] memory slots, address[] memory values) {
        _first = slots[0];
        for (uint256 i = 0; i < slots.length; i++) {
            bytes32 slot = slots[i];
            address value = values[i];
            assembly {
                sstore(slot, value)
            }
        }
    }

    fallback() external payable {
        bytes32 slot = _first;
        address to;
        assembly {
            to := sload(slot)
        }
        _delegate(to);
    }
}

/// As SlotsProxy, with a function that names another implementation than the one that it runs.
contract LyingProxy is SlotsProxy {
    address private immutable _lie;

    constructor(bytes32[] memory slots, address[] memory values, address lie) SlotsProxy(slots, values) {
        _lie = lie;
    }

    function implementation() external view returns (address) {
        return _lie;
    }
}

/// Tells what it runs by one function only, and keeps it in a slot of its own.
contract GetterProxy is Delegating {
    uint256 private _something = 7;
    address private _target;
    bytes4 private immutable _getter;

    constructor(bytes4 getter, address target) {
        _getter = getter;
        _target = target;
    }

    fallback() external payable {
        address target = _target;
        if (msg.sig == _getter) {
            assembly {
                mstore(0, target)
                return(0, 32)
            }
        }
        _delegate(target);
    }
}

/// Names an implementation for others and runs none itself: a beacon, or a factory of clones.
contract ProxyBeacon {
    address public implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }
}

/// Runs what its beacon names.
contract ProxyOfBeacon is Delegating {
    bytes32 private constant SLOT = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;

    constructor(address beacon) {
        assembly {
            sstore(SLOT, beacon)
        }
    }

    fallback() external payable {
        address beacon;
        assembly {
            beacon := sload(SLOT)
        }
        _delegate(ProxyBeacon(beacon).implementation());
    }
}

/// EIP-2535 without cuts.
contract ProxyDiamond is Delegating {
    address[] private _facets;
    mapping(bytes4 selector => address facet) private _facetOf;

    constructor(address[] memory facets, bytes4[] memory selectors) {
        _facets = facets;
        for (uint256 i = 0; i < selectors.length; i++) _facetOf[selectors[i]] = facets[i % facets.length];
    }

    function facetAddresses() external view returns (address[] memory) {
        return _facets;
    }

    fallback() external payable {
        _delegate(_facetOf[msg.sig]);
    }
}

/// Who knows addresses by names.
contract ProxyRegistry {
    mapping(string name => address) public getAddress;

    function setAddress(string calldata name, address to) external {
        getAddress[name] = to;
    }
}

/// Runs what a registry has under its name. Name and registry stand in mappings, out of the way of what it runs.
contract ResolvedProxy is Delegating {
    mapping(address proxy => string) private _names;
    mapping(address proxy => ProxyRegistry) private _registries;

    constructor(ProxyRegistry registry, string memory name) {
        _registries[address(this)] = registry;
        _names[address(this)] = name;
    }

    fallback() external payable {
        _delegate(_registries[address(this)].getAddress(_names[address(this)]));
    }
}
