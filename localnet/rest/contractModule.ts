import { Address, type Hex } from 'ox';
import { type ModuleAnswer, moduleReply, type RestCall } from './restCall.ts';
import { explorerContract } from './smartContracts.ts';

const unverified = 'Contract source code not verified';

/** Blockscout's `contract_controller.ex`: what is told of a contract that is verified itself, of a twin nothing. */
export const contractModule: ModuleAnswer = async (call, action) => {
  if (action === 'getcontractcreation') return creation(call);
  if (action !== 'getabi' && action !== 'getsourcecode') return undefined;
  const text = call.query.get('address');
  if (text === null) return moduleReply('0', 'Query parameter address is required', null);
  const address = readAddress(text);
  if (!address) return moduleReply('0', 'Invalid address hash', null);
  const own = (await explorerContract(call, address))?.own;
  if (action === 'getabi') {
    return own
      ? moduleReply('1', 'OK', JSON.stringify(own.contract.abi))
      : moduleReply('0', unverified, null);
  }
  if (!own) return moduleReply('1', 'OK', [{ Address: Address.checksum(address) }]);
  const { contract } = own;
  const [file = ''] = contract.fullyQualifiedName.split(':');
  const { [file]: main, ...additional } = contract.sources;
  return moduleReply('1', 'OK', [
    {
      ...{ Address: Address.checksum(address), ContractName: contract.name, FileName: file },
      ...{ ABI: JSON.stringify(contract.abi), SourceCode: main?.content ?? '' },
      AdditionalSources: Object.entries(additional).map(([path, { content }]) => ({
        ...{ Filename: path, SourceCode: content },
      })),
      ...{ CompilerVersion: `v${contract.compilerVersion}`, OptimizationUsed: 'true', EVMVersion: 'prague' },
    },
  ]);
};

/** Up to ten contracts. */
function creation(call: RestCall) {
  const asked = (call.query.get('contractaddresses') ?? '').split(',').slice(0, 10);
  const addresses = asked.flatMap((text) => readAddress(text) ?? []);
  if (addresses.length === 0) {
    return moduleReply('0', 'Query parameter contractaddresses is required', null);
  }
  const { registry, chainId = 0 } = call.verified ?? {};
  const found = addresses.flatMap((address) => {
    const deployment = registry?.find(chainId, address)?.deployment;
    if (!deployment) return [];
    const { deployer, transactionHash } = deployment;
    return [{ contractAddress: address, contractCreator: deployer, txHash: transactionHash }];
  });
  return found.length > 0 ? moduleReply('1', 'OK', found) : moduleReply('0', 'No data found', null);
}

function readAddress(text: string): Hex.Hex | undefined {
  return /^0x[0-9a-f]{40}$/i.test(text) ? (text.toLowerCase() as Hex.Hex) : undefined;
}
