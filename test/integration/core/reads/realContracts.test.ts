import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type AbiFunction, createPublicClient, http, toFunctionSignature } from 'viem';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { parseAbi } from '../../../../src/core/abi/parseAbi.ts';
import {
  type Address,
  createChainClient,
  loadStandardLookup,
  readResultToJson,
  systemClock,
} from '../../../../src/core/index.ts';
import { readContract } from '../../../../src/core/reads/readContract.ts';
import { isFullRun } from '../../../support/fullRun.ts';

const root = dirname(createRequire(import.meta.url).resolve('@openzeppelin/contracts/package.json'));

interface Artifact {
  readonly contractName: string;
  readonly abi: readonly { readonly type: string; readonly name: string; readonly stateMutability: string }[];
  readonly deployedBytecode: string;
  readonly deployedLinkReferences: object;
}

const samples = isFullRun ? [0, 1, 2] : [2];

/** Three values of a type: the least, a usual one, and one with much in it. */
function sampleOf(
  type: string,
  components: readonly { name: string; type: string }[],
  which: number,
): unknown {
  const list = /^(.*)\[(\d*)\]$/.exec(type);
  if (list) {
    const length = list[2] ? Number(list[2]) : which;
    return Array.from({ length }, () => sampleOf(list[1] ?? '', components, which));
  }
  if (type === 'tuple')
    return Object.fromEntries(components.map((one) => [one.name, sampleOf(one.type, [], which)]));
  if (type === 'bool') return which > 0;
  if (type === 'string') return ['', 'text', 'ünï "x" 😀'][which];
  if (type === 'bytes') return ['0x', '0x12', `0x${'ab'.repeat(70)}`][which];
  if (type === 'address') return `0x${String(which).repeat(40)}`;
  const fixed = /^bytes(\d+)$/.exec(type);
  if (fixed) return `0x${String(which + 1).repeat(2 * Number(fixed[1]))}`;
  return [0n, 1n, 127n][which];
}

/** A value of viem as our JSON has it. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString();
  if (typeof value === 'string') return /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
}

describe('view functions of the contracts of OpenZeppelin', () => {
  let anvil: Anvil;
  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
  });
  after(() => anvil.stop());

  it('return what viem reads, and revert where viem says so', async () => {
    const node = createNodeRpc(anvil.url);
    const client = createChainClient({ url: anvil.url, fetch, clock: systemClock });
    const viem = createPublicClient({ transport: http(anvil.url) });
    const lookup = await loadStandardLookup();
    const artifacts = globSync('build/contracts/*.json', { cwd: root })
      .map((path): Artifact => JSON.parse(readFileSync(join(root, path), 'utf8')))
      .filter((one) => one.deployedBytecode !== '0x' && Object.keys(one.deployedLinkReferences).length === 0);
    const counts = { returned: 0, reverted: 0 };
    for (const [place, { abi, deployedBytecode, contractName }] of artifacts.entries()) {
      const address: Address = `0x${(0xc0de_0000 + place).toString(16).padStart(40, '0')}`;
      await node.call('anvil_setCode', [address, deployedBytecode]);
      for (let slot = 0; slot < 12; slot++) {
        const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
        await node.call('anvil_setStorageAt', [address, word(slot), word(2 * slot + 1)]);
      }
      const { items } = parseAbi(abi);
      const origin = {
        trust: 'deployment',
        from: contractName,
        contract: contractName,
        line: undefined,
      } as const;
      const deps = {
        ...{ client, lookup, chainId: 31337, contracts: [], findEnum: () => undefined },
        code: { abiAt: () => ({ id: contractName, items: items.map((text) => ({ text, origin })) }) },
        prefetchAbis: async () => undefined,
      };
      const views = abi.filter((item) =>
        /^(?:view|pure)$/.test(item.stateMutability),
      ) as unknown as AbiFunction[];
      for (const [which, view] of samples.flatMap((one) => views.map((each) => [one, each] as const))) {
        const args = view.inputs.map((input) =>
          sampleOf(input.type, ('components' in input ? input.components : []) as never, which),
        );
        const written = toFunctionSignature(view);
        const expected = await viem
          .readContract({ address, abi: [view], functionName: view.name, args, blockNumber: 0n })
          .then(
            (value) => toJson(view.outputs.length > 1 ? value : [value]),
            (error: Error) => (/reverted/.test(error.message) ? 'reverted' : error.message),
          );
        const read = { address, function: view.inputs.length > 0 ? written : view.name, args, block: 0n };
        const result = await readContract(read, deps).then(
          (found) => readResultToJson(found).values.map(({ value }) => value),
          (error) => error.kind,
        );
        assert.deepEqual(result, expected, `${contractName} ${written} ${JSON.stringify(toJson(args))}`);
        counts[result === 'reverted' ? 'reverted' : 'returned']++;
      }
    }
    const { returned, reverted } = counts;
    assert.ok(returned > 50 * samples.length, `${returned} returned, ${reverted} reverted`);
  });
});
