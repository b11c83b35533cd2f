import { Address, type Hex } from 'ox';
import type { VerifiedRecord } from '../verified/registry.ts';
import { signaturesOf } from '../verified/signaturesOf.ts';

/** The shape that every answer about one contract has, a miss too. */
export function minimalContract(
  { chainId, address }: { readonly chainId: string; readonly address: Hex.Hex },
  record: VerifiedRecord | undefined,
) {
  const match = record ? (record.isExact ? 'exact_match' : 'match') : null;
  return {
    ...{ match, creationMatch: match, runtimeMatch: match },
    ...{ chainId, address: Address.checksum(address) },
    ...(record && { verifiedAt: '2026-08-20T10:00:00Z', matchId: record.matchId }),
  };
}

/** Everything that can be asked for of a verified contract, by the first part of its name. */
export async function contractFields(
  { contract, code, deployment }: VerifiedRecord,
  proxyResolution: () => Promise<unknown>,
): Promise<Readonly<Record<string, unknown>>> {
  const { abi, fullyQualifiedName, compilerVersion, settings, sources, storageLayout } = contract;
  return {
    abi,
    compilation: {
      ...{ language: 'Solidity', compiler: 'solc', compilerVersion, compilerSettings: settings },
      ...{ name: contract.name, fullyQualifiedName },
    },
    deployment: {
      transactionHash: deployment?.transactionHash ?? null,
      blockNumber: deployment ? String(deployment.blockNumber) : null,
      transactionIndex: deployment ? '0' : null,
      deployer: deployment ? Address.checksum(deployment.deployer) : null,
    },
    proxyResolution: await proxyResolution(),
    signatures: {
      function: signaturesOf(abi, 'function'),
      event: signaturesOf(abi, 'event'),
      error: signaturesOf(abi, 'error'),
    },
    sources,
    sourceIds: Object.fromEntries(Object.keys(sources).map((path, id) => [path, { id }])),
    storageLayout: storageLayout ?? null,
    transientStorageLayout: null,
    creationBytecode: { recompiledBytecode: contract.bytecode },
    runtimeBytecode: { onchainBytecode: code },
    metadata: null,
    userdoc: null,
    devdoc: null,
    stdJsonInput: null,
    stdJsonOutput: null,
  };
}

/** Names of all that can be asked for. */
const fieldNames: readonly string[] = [
  ...['creationBytecode', 'runtimeBytecode', 'deployment', 'sources', 'compilation', 'abi', 'metadata'],
  ...['storageLayout', 'transientStorageLayout', 'userdoc', 'devdoc', 'sourceIds', 'stdJsonInput'],
  ...['stdJsonOutput', 'signatures', 'proxyResolution'],
];

/** The selectors of a query, or why they are none. */
export function readSelectors(params: URLSearchParams): readonly string[] | { readonly wrong: string } {
  const fields = params.get('fields');
  const omit = params.get('omit');
  if (fields !== null && omit !== null) return { wrong: 'Cannot specify both fields and omit' };
  const selectors = (fields ?? omit ?? '').split(',').filter((one) => one !== '');
  if (selectors.includes('all') && selectors.length > 1) return { wrong: 'Cannot specify all with others' };
  const unknown = selectors.find((one) => one !== 'all' && !isSelector(one));
  if (unknown !== undefined) return { wrong: `Field selector ${unknown} is not a valid field` };
  if (omit !== null) return fieldNames.filter((name) => !selectors.includes(name));
  return selectors.includes('all') ? fieldNames : selectors;
}

/** A name, or a name and one level below it. */
function isSelector(text: string): boolean {
  const [name = '', ...below] = text.split('.');
  return fieldNames.includes(name) && below.length < 2;
}

/** The members of `fields` that selectors name. */
export function project(
  fields: Readonly<Record<string, unknown>>,
  selectors: readonly string[],
): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  for (const selector of selectors) {
    const [name = '', below] = selector.split('.');
    if (below === undefined) given[name] = fields[name];
    else {
      const whole = fields[name] as Readonly<Record<string, unknown>> | null;
      given[name] = { ...(given[name] as object | undefined), [below]: whole?.[below] ?? null };
    }
  }
  return given;
}
