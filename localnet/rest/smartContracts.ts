import { Address, type Hex } from 'ox';
import type { Reply } from '../http/recordingServer.ts';
import { findProxy } from '../verified/proxies.ts';
import type { VerifiedRecord } from '../verified/registry.ts';
import { type RestCall, type RestRoute, restReply } from './restCall.ts';

/** What an explorer has verified of one address: its own source, or that of a contract with the same code. */
export type ExplorerContract = {
  readonly code: string;
  readonly own: VerifiedRecord | undefined;
  readonly twin: VerifiedRecord | undefined;
};

/** Undefined where there is no contract. */
export async function explorerContract(
  { ask, verified }: RestCall,
  address: Hex.Hex,
): Promise<ExplorerContract | undefined> {
  const code = await ask('eth_getCode', [address, 'latest']);
  if (typeof code !== 'string' || code === '0x') return undefined;
  const { registry, chainId } = verified ?? {};
  const own = chainId === undefined ? undefined : registry?.find(chainId, address);
  const twin = own ? undefined : registry?.all().find((one) => one.chainId === chainId && one.code === code);
  return { code, own, twin };
}

/** Blockscout's `smart_contract_view.ex`. Nothing verified is an answer; no contract is none. */
export const smartContractsRoute: RestRoute = {
  pattern: /^\/api\/v2\/smart-contracts\/([^/]+)$/,
  async answer(call, [text = '']): Promise<Reply> {
    if (!/^0x[0-9a-f]{40}$/i.test(text)) return invalidAddress(call);
    const address = text.toLowerCase() as Hex.Hex;
    const found = await explorerContract(call, address);
    if (!found) return restReply(404, { message: 'Not found' });
    const { code, own, twin } = found;
    const base = {
      ...(await proxyFields(call, address)),
      ...{ deployed_bytecode: code, creation_bytecode: null, creation_status: 'success' },
    };
    const shown = own ?? twin;
    if (!shown) return restReply(200, base);
    return restReply(200, { ...base, ...verifiedFields(call, shown, { code, own, twin }) });
  },
};

function invalidAddress({ era }: RestCall): Reply {
  if (era === 'v5' || era === 'v8') return restReply(422, { message: 'Invalid parameter(s)' });
  const source = { pointer: '/address_hash_param' };
  return restReply(422, { errors: [{ title: 'Invalid value', detail: 'Invalid format.', source }] });
}

/** One implementation in the first releases, then a list; members of it were renamed in 8.0. */
async function proxyFields(call: RestCall, address: Hex.Hex) {
  const found = await findProxy(call.ask, address);
  const { registry, chainId = 0 } = call.verified ?? {};
  const leads = found?.leads ?? [];
  const nameOf = (lead: Hex.Hex) => registry?.find(chainId, lead)?.contract.name ?? null;
  if (call.era === 'v5') {
    const [lead] = leads;
    const minimal = found?.kind === 'eip1167' ? lead : undefined;
    const single = found?.kind === 'eip1967' ? lead : undefined;
    return {
      minimal_proxy_address_hash: minimal ? Address.checksum(minimal) : null,
      implementation_address: single ? Address.checksum(single) : null,
      implementation_name: single ? nameOf(single) : null,
    };
  }
  const conflicting = call.verified?.conflicts?.get(address);
  return {
    proxy_type: found?.kind ?? null,
    implementations: leads.map((lead) => ({ address_hash: Address.checksum(lead), name: nameOf(lead) })),
    ...(call.era !== 'v8' && {
      conflicting_implementations: conflicting
        ? conflicting.map((lead) => ({
            proxy_type: 'basic_implementation',
            implementations: [{ address_hash: Address.checksum(lead), name: nameOf(lead) }],
          }))
        : null,
    }),
  };
}

function verifiedFields(
  { era }: RestCall,
  { contract, isExact }: VerifiedRecord,
  { code, own, twin }: ExplorerContract,
) {
  const [file = ''] = contract.fullyQualifiedName.split(':');
  const { [file]: main, ...additional } = contract.sources;
  return {
    ...{ is_verified: own !== undefined, is_fully_verified: own !== undefined && isExact },
    ...{ is_partially_verified: own !== undefined && !isExact },
    is_changed_bytecode: own !== undefined && own.code !== code,
    ...{ is_verified_via_sourcify: false, is_verified_via_eth_bytecode_db: twin !== undefined },
    verified_twin_address_hash: twin ? Address.checksum(twin.address) : null,
    ...{ name: contract.name, abi: contract.abi, source_code: main?.content ?? '', file_path: file },
    additional_sources: Object.entries(additional).map(([path, { content }]) => ({
      ...{ file_path: path, source_code: content },
    })),
    ...{ compiler_version: `v${contract.compilerVersion}`, compiler_settings: contract.settings },
    ...{ evm_version: 'prague', optimization_enabled: true, optimization_runs: 200, language: 'solidity' },
    ...{ constructor_args: null, decoded_constructor_args: null, external_libraries: [] },
    ...(era !== 'v5' && { certified: false, license_type: 'mit' }),
    verified_at: '2026-08-20T10:00:00.000000Z',
  };
}
