import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { creationOf, handmadeProxies } from '../../../../localnet/chain/handmadeProxies.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { sendCall } from '../../../../localnet/chain/transactions.ts';
import { removeFolder } from '../../../../scripts/support/script.ts';
import { type Address, formatMessage, type Hex } from '../../../../src/core/index.ts';
import { compile, toFoundryFiles } from '../../../support/codeProject.ts';
import { encodeCall, word } from '../../../support/proxyKindsProject.ts';
import { createTracer } from '../../../support/traces/tracer.ts';
import { writeFiles } from '../../../support/writeFiles.ts';

const SOURCES = {
  'src/Outer.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Other {
  function absent(uint256) external;
}
contract Inner {
  uint256[] public list;
  function burn() external {
    while (true) list.push(1);
  }
  function check(uint256 value) external pure {
    require(value > 5, "five at least");
  }
}
contract Outer {
  function burnInside(Inner inner) external {
    inner.burn{gas: 60000}();
  }
  function burnAndRefuse(Inner inner) external {
    (bool ok, ) = address(inner).call{gas: 60000}(abi.encodeCall(Inner.burn, ()));
    require(ok);
  }
  function callAbsent(Other inner) external {
    inner.absent(1);
  }
}
`,
};

/** The compiler checks all of an argument in memory, but members of one in calldata when they are read. */
const ORDERS = {
  'src/Orders.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
struct Order { address owner; bool[2] flags; }
contract Orders {
  function inMemory(Order[] memory orders) external pure returns (uint256) { return orders.length; }
  function inCalldata(Order[] calldata orders) external pure returns (uint256) {
    require(orders.length > 5);
    return orders.length;
  }
}
`,
};

/** Proxies of the project, compiled with the optimizer. */
const PROXIES = {
  'src/Proxies.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Beacon {
  function implementation() external view returns (address);
}
abstract contract Delegating {
  function target() internal view virtual returns (address);
  fallback() external payable {
    address to = target();
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
contract Uups is Delegating {
  address private immutable to;
  constructor(address _to) { to = _to; }
  function target() internal view override returns (address) { return to; }
}
contract Transparent is Delegating {
  error NotForAdmin();
  address private to;
  address private constant ADMIN = address(0xad);
  constructor(address _to) { to = _to; }
  function target() internal view override returns (address) {
    if (msg.sender == ADMIN) revert NotForAdmin();
    return to;
  }
}
contract OneBeacon is Beacon {
  address public implementation;
  constructor(address _to) { implementation = _to; }
}
contract ByBeacon is Delegating {
  Beacon private beacon;
  constructor(Beacon _beacon) { beacon = _beacon; }
  function target() internal view override returns (address) { return beacon.implementation(); }
}
`,
};

/** Compiled by way of Yul, so that no place is certain. */
const PAYERS = {
  'src/Payer.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Silent {
  uint256 private n;
  function set(uint256 a) external { require(a > 1); n = a; }
}
contract Payer {
  constructor() payable {}
  function pay(address payable to) external { to.transfer(0); }
  function tryToPay(address to, uint256 a) external {
    (bool ok, ) = to.call("");
    require(ok || a > 1);
  }
  function caught(Silent to, uint256 a) external {
    try to.set(a) {} catch (bytes memory) { revert(); }
  }
}
`,
};

describe('why an inner call failed, where no revert data says so', () => {
  let anvil: Anvil;
  let folder: string;
  let inner: Address;
  let outer: Address;
  let clone: Address;

  async function send(data: Hex, to?: Address): Promise<{ readonly hash: Hex; readonly created: Address }> {
    const node = createNodeRpc(anvil.url);
    const [from] = (await node.call('eth_accounts', [])) as [Address];
    const [, params] = sendCall({ from, data, gas: 3_000_000n, ...(to && { to }) });
    const { transactionHash, contractAddress } = (await node.call('eth_sendTransactionSync', params)) as {
      readonly transactionHash: Hex;
      readonly contractAddress: Address;
    };
    return { hash: transactionHash, created: contractAddress };
  }

  before(async function () {
    this.timeout(60_000);
    const compiled = compile(SOURCES, { optimizer: { enabled: false } });
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    await createNodeRpc(anvil.url).call('evm_setAutomine', [true]);
    folder = await mkdtemp(join(tmpdir(), 'chainside-inside-'));
    await writeFiles(folder, { ...toFoundryFiles(SOURCES, compiled), 'foundry.toml': '[profile.default]\n' });
    const deploy = async (name: string) => {
      const { object } = compiled.contracts['src/Outer.sol']?.[name]?.evm.bytecode ?? assert.fail(name);
      return (await send(`0x${object}`)).created;
    };
    inner = await deploy('Inner');
    outer = await deploy('Outer');
    clone = (await send(creationOf(handmadeProxies.clone(inner)))).created;
  });
  after(async () => {
    await anvil.stop();
    await removeFolder(folder);
  });

  const trace = async (data: Hex, to: Address) => {
    const { hash } = await send(data, to);
    const { failedAt } = await (await createTracer(anvil.url, folder))(hash);
    return failedAt ?? assert.fail();
  };

  it('is said with the line: out of gas, but not where the caller gave up by itself', async () => {
    const burnt = await trace(encodeCall('burnInside(address)', inner), outer);
    assert.ok(burnt.certain && burnt.why);
    assert.deepEqual([burnt.line, formatMessage(burnt.why)], [9, 'out of gas']);
    assert.deepEqual(
      burnt.stack.map(({ line }) => line),
      [9, 17],
    );
    const refused = await trace(encodeCall('burnAndRefuse(address)', inner), outer);
    assert.deepEqual([refused.certain && refused.line, refused.why], [21, undefined]);
  });

  it('is said with the line of the caller, where the called contract lacks the function', async () => {
    const absent = await trace(encodeCall('callAbsent(address)', inner), outer);
    assert.ok(absent.certain && absent.why);
    assert.equal(
      formatMessage(absent.why),
      'Inner has no function absent (0x5dcb2cb6), and no fallback function',
    );
    assert.deepEqual([absent.line, absent.stack.length], [24, 1]);
  });

  for (const viaIR of [false, true]) {
    it(`is said of a call through a proxy to what lacks the function${viaIR ? ', by way of Yul' : ''}`, async () => {
      const compiled = compile(PROXIES, { optimizer: { enabled: true, runs: 200 }, viaIR });
      await writeFiles(folder, toFoundryFiles(PROXIES, compiled));
      const deploy = async (name: string, to: Address) => {
        const { object } = compiled.contracts['src/Proxies.sol']?.[name]?.evm.bytecode ?? assert.fail(name);
        return (await send(`0x${object}${word(to)}`)).created;
      };
      const proxies = {
        clone,
        uups: await deploy('Uups', inner),
        transparent: await deploy('Transparent', inner),
        byBeacon: await deploy('ByBeacon', await deploy('OneBeacon', inner)),
        behindClone: (await send(creationOf(handmadeProxies.clone(await deploy('Uups', inner))))).created,
      };
      const expected = 'Inner has no function absent (0x5dcb2cb6), and no fallback function';
      for (const [name, proxy] of Object.entries(proxies)) {
        const { why } = await trace(encodeCall('absent(uint256)', 1), proxy);
        assert.equal(why && formatMessage(why), expected, name);
        const inside = await trace(encodeCall('callAbsent(address)', proxy), outer);
        assert.ok(inside.why && inside.certain, name);
        assert.deepEqual([formatMessage(inside.why), inside.stack.at(-1)?.line], [expected, 24], name);
      }
    });
  }

  it('is said by way of Yul where the failure was passed on; a call that was refused has no lines', async () => {
    const compiled = compile(PAYERS, { optimizer: { enabled: true, runs: 200 }, viaIR: true });
    await writeFiles(folder, toFoundryFiles(PAYERS, compiled));
    const deploy = async (name: string) => {
      const { object } = compiled.contracts['src/Payer.sol']?.[name]?.evm.bytecode ?? assert.fail(name);
      return (await send(`0x${object}`)).created;
    };
    const [payer, silent] = [await deploy('Payer'), await deploy('Silent')];
    const passed = await trace(encodeCall('pay(address)', silent), payer);
    assert.equal(
      passed.why && formatMessage(passed.why),
      'Silent has no receive function, and no fallback function',
    );
    assert.deepEqual(passed.certain || passed.candidates.map(({ line }) => line), [9]);
    const own = await trace(encodeCall('caught(address,uint256)', silent, 1n), payer);
    assert.ok(own.certain || own.candidates.some(({ line }) => line === 15));
    const caught = await trace(encodeCall('tryToPay(address,uint256)', silent, 1n), payer);
    assert.equal(caught.why, undefined);
    assert.deepEqual(caught.certain || caught.candidates.map(({ line }) => line), [12, 10, 11]);
  });

  it('is a member of an argument out of its range, where the compiler checks it before', async () => {
    const compiled = compile(ORDERS, { optimizer: { enabled: true, runs: 200 } });
    await writeFiles(folder, toFoundryFiles(ORDERS, compiled));
    const { object } = compiled.contracts['src/Orders.sol']?.Orders?.evm.bytecode ?? assert.fail();
    const orders = (await send(`0x${object}`)).created;
    const call = (name: string) => encodeCall(`${name}((address,bool[2])[])`, 32n, 1n, inner, 2n, 1n);
    const { why } = await trace(call('inMemory'), orders);
    assert.equal(
      why && formatMessage(why),
      'argument 1 of Orders.inMemory is not a valid (address,bool[2])[]',
    );
    assert.equal((await trace(call('inCalldata'), orders)).why, undefined);
  });

  it('does not call a clone unknown code, as it has no lines', async () => {
    const checked = await trace(encodeCall('check(uint256)', 1), clone);
    assert.ok(checked.certain);
    assert.deepEqual([checked.line, checked.unknownCode], [12, undefined]);
  });
});
