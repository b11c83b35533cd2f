import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeFolder } from '../../../scripts/support/script.ts';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import { createOperationDeps } from '../../../src/cli/operationDeps.ts';
import {
  compareDeployedCode,
  createIndexKnowledge,
  fetchWrittenState,
  groupDeployments,
  type Hex,
  isAppError,
  type OperationDeps,
  readState,
  runToEnd,
  systemClock,
} from '../../../src/core/index.ts';
import { decodeData } from '../../../src/core/operations/decode.ts';
import {
  encodeCall,
  PROXY_KINDS,
  type ProxyKindsProject,
  startProxyKinds,
} from '../../support/proxyKindsProject.ts';
import { parseLines, runCli } from '../../support/runCli.ts';

const FIRST = {
  file: 'src/Ledger.sol',
  error: 'TooMuch(amount: 10, most: 5)',
  quote: 'price',
  pay: 'amount',
};
const SECOND = {
  file: 'src/LedgerV2.sol',
  error: 'TooMuch(asked: 10, allowed: 9)',
  quote: 'cost',
  pay: 'value',
};

describe('proxies of each kind, before and after an upgrade', () => {
  let folder: string;
  let chain: ProxyKindsProject;
  let deps: OperationDeps;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-kinds-'));
    chain = await startProxyKinds();
    await chain.writeProject(async (path, text) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    });
    const line = parseCommandLine(['ask', 'get_network', '--rpc', chain.url, '--dir', folder]);
    const output = { printMessage: () => undefined } as never;
    const http = { fetch, clock: systemClock };
    const { signal } = new AbortController();
    deps = createOperationDeps(line, { env: {}, http, output, signal, version: '1.0.0' });
  });
  after(async () => {
    await chain.stop();
    await removeFolder(folder);
  });

  const addressOf = (kind: string) => chain.addresses[kind] ?? assert.fail(kind);
  const toValue = (data: Hex) => BigInt(data);
  /** A value with the name that the version gives it, or the message of the error. */
  const read = (kind: string, name: string, block: number, ...args: readonly string[]) =>
    readState({ address: addressOf(kind), function: name, args, block }, deps).then(
      ({ outputs, values }) => [outputs[0]?.name, values[0]],
      (error: unknown) => (isAppError(error) ? error.message : assert.fail()),
    );
  const index = async () => (await deps.knowledge({})).index ?? assert.fail();

  for (const kind of PROXY_KINDS) {
    const now = kind === 'Clone' ? FIRST : SECOND;
    const isDiamond = kind === 'Diamond';

    it(`${kind}: reads have the functions, outputs and errors of the code in each block`, async () => {
      const { created, upgraded } = chain;
      for (const [block, version] of [
        [created, FIRST],
        [upgraded, now],
      ] as const) {
        for (const signature of ['totalSupply()', 'fee()']) {
          const truth = toValue(await chain.call(addressOf(kind), encodeCall(signature), block));
          assert.deepEqual(await read(kind, signature.slice(0, -2), block), ['', truth], signature);
        }
        const quote = toValue(await chain.call(addressOf(kind), encodeCall('quote(uint256)', 2), block));
        assert.deepEqual(await read(kind, 'quote', block, '2'), [version.quote, quote]);
        assert.equal(await read(kind, 'quote', block, '10'), `The call reverted: ${version.error}.`);
      }
      const gone = await read(kind, 'legacy', upgraded);
      if (isDiamond) assert.equal(gone, 'The call reverted: "no such function".');
      else if (now === FIRST) assert.deepEqual(gone, ['', 7n]);
      else assert.equal(gone, `Block ${upgraded} runs LedgerV2, which has no legacy.`);
    });

    it(`${kind}: roles and holders are the proxy's, with the names of the code that runs`, async () => {
      const at = { address: addressOf(kind) };
      for (const block of [chain.created, chain.upgraded]) {
        const roles = await fetchWrittenState({ ...at, kind: 'roles', block }, deps);
        const named = roles.rows.flatMap((row) =>
          row.kind === 'role' && row.role.startsWith('0x') ? [[row.roleName, row.member]] : [],
        );
        assert.deepEqual(named, [
          ['KEEPER', chain.member],
          ['PAYER', chain.member],
        ]);
        assert.equal(roles.verdict.confirmed, true);
      }
      const { rows, verdict } = await fetchWrittenState({ ...at, kind: 'holders' }, deps);
      const balance = toValue(await chain.call(at.address, encodeCall('balanceOf(address)', chain.member)));
      assert.deepEqual(
        [rows, verdict.confirmed],
        [[{ kind: 'balance', holder: chain.member, balance }], true],
      );
    });

    it(`${kind}: calldata and errors are those of the code that runs`, async () => {
      for (const [signature, args] of [
        ['pay(uint256)', [3]],
        ['TooMuch(uint256,uint256)', [10, 9]],
      ] as const) {
        const result = await decodeData(
          { hex: encodeCall(signature, ...args), address: addressOf(kind) },
          deps,
        );
        const text = JSON.stringify(result);
        assert.match(text, new RegExp(`: ${now.file}`));
        assert.doesNotMatch(text, /Aardvark/);
      }
    });

    it(`${kind}: the code and the storage compared are those of the implementation`, async () => {
      const contract = isDiamond ? 'PayFacetV2' : now === FIRST ? 'Ledger' : 'LedgerV2';
      const same = await compareDeployedCode({ address: addressOf(kind), contract }, deps);
      assert.deepEqual([same.match, same.contract.name], ['exact', contract]);
      assert.equal(same.implementation, addressOf(contract));
      const other = await compareDeployedCode({ address: addressOf(kind), contract: 'Aardvark' }, deps);
      assert.equal(other.otherBuild?.contract, isDiamond ? 'PayFacetV2' : contract);
      if (isDiamond) return;
      const variables = other.deployedBuild?.storage?.variables ?? [];
      const supply = variables.find(({ label }) => label === 'totalSupply') ?? assert.fail();
      const truth = await chain.call(addressOf(kind), encodeCall('totalSupply()'));
      assert.equal(await chain.slot(addressOf(kind), Number(supply.slot)), truth);
    });

    if (kind !== 'Clone')
      it(`${kind}: events and functions by name are those of the code that runs`, async () => {
        const found = await index();
        const { findEventsByName } = createIndexKnowledge(found, 31337);
        const events = findEventsByName?.('Paid', [addressOf(kind)]) ?? [];
        assert.deepEqual(
          events.map(({ inputs }) => inputs[1]?.name),
          [now.pay],
        );
        const groups = runToEnd(groupDeployments(found));
        const through = groups.find(
          ({ contract }) => contract.name === (isDiamond ? 'PayFacetV2' : 'LedgerV2'),
        );
        assert.ok(
          through?.deployments.some(({ address, role }) => role === 'proxy' && address === addressOf(kind)),
        );
      });
  }

  it('are what check and decode of the command line mean', async () => {
    const checks = PROXY_KINDS.map((kind, place) => ({
      chainId: 31337,
      read: { contract: addressOf(kind), function: 'quote', arguments: ['10'] },
      expect: { reverts: kind === 'Clone' ? FIRST.error : SECOND.error },
      place,
    }));
    for (const { place, ...check } of checks)
      await writeFile(join(folder, `read${place}.chainlog.json`), JSON.stringify(check));
    await writeFile(
      join(folder, 'logs.chainlog.json'),
      JSON.stringify({ chainId: 31337, address: 'Transparent', event: 'Paid', expect: { count: 2 } }),
    );
    const { stdout } = await runCli(['check', folder, '--rpc', chain.url, '--format', 'json']);
    const results = parseLines(stdout).filter(({ state }) => state);
    assert.deepEqual(
      results.map(({ state, reasons }) => [state, reasons]),
      Array(6).fill(['ok', []]),
    );

    const place = ['--address', addressOf('Clone'), '--chain-id', '31337', '--dir', folder];
    const decode = async (...options: readonly string[]) =>
      parseLines((await runCli(['decode', encodeCall('pay(uint256)', 3), ...place, ...options])).stdout)[0]
        .meaning;
    assert.equal((await decode('--rpc', chain.url)).from, 'src/Ledger.sol');
    assert.equal((await decode()).from, 'src/Aardvark.sol');
    const unreachable = await decode('--rpc', 'http://127.0.0.1:9');
    assert.equal(unreachable.from, 'src/Aardvark.sol');
  });
});
