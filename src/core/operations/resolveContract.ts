import { abiItemText } from '../abi/read/abiItemText.ts';
import { asAppError, badInput } from '../base/errors.ts';
import type { IndexedContract, IndexedDeployment } from '../contracts/index/indexed.ts';
import { identityToJson } from '../identity/identityJson.ts';
import { type Address, parseAddress } from '../values/address.ts';
import { plainText } from '../values/plainText.ts';
import { eventsAt } from './events/resolveEvents.ts';
import { answerOf, type Json, type JsonObject, type OperationAnswer } from './kit/answer.ts';
import { failureForAgent } from './kit/failureForAgent.ts';
import { identityForAgent } from './kit/identityForAgent.ts';
import { knownNames, unclearAddress } from './kit/names.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from './kit/operation.ts';

/** Of each list that is given. */
const MOST_DEPLOYMENTS = 20;
const MOST_EVENTS = 40;
const MOST_CONTRACTS = 5;

interface Resolved {
  readonly addresses: readonly Address[];
  readonly deployments: readonly IndexedDeployment[];
  readonly contracts: readonly IndexedContract[];
}

const OF_SOURCES =
  'known by its source, without a build: what uses types of files that are not here is not among the events';
const ONLY_A_NAME =
  'an address and a contract are called so: nothing says that the contract is what is at the address';

/**
 * What a name or an address stands for.
 *
 * @throws AppError `badInput` for `contract` where nothing is called so, with the names that are known.
 */
export async function resolveContract(
  { contract: written }: { readonly contract: string },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationAnswer> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const known = knownNames(knowledge, chainId);
  const resolved = resolve(written, knowledge, known.addressesNamed);
  const { addresses, deployments, contracts } = resolved;
  if (addresses.length + deployments.length + contracts.length === 0) {
    const others = (knowledge.index?.contracts ?? []).flatMap(({ name, isOwn }) => (isOwn ? [name] : []));
    const contractNames = [...new Set(others)].slice(0, 12).map((name) => plainText(name));
    const further = contractNames.length > 0 ? ` Contracts of the project: ${contractNames.join(', ')}.` : '';
    throw badInput('contract', unclearAddress(written, 0, known) + further);
  }
  const [only, ...more] = addresses;
  const at = only !== undefined && more.length === 0 ? only : undefined;
  const { identity, why } = at ? await identityAt(at, deps, options) : {};
  const events = at ? await eventsAt([at], { addresses, knowledge, chainId }) : [];
  const texts =
    events.length > 0
      ? events.map((event) => abiItemText(event))
      : contracts.flatMap(({ abi }) => abi.filter((text) => text.startsWith('event ')));
  const unique = [...new Set(texts)].map((text) => text.slice('event '.length));
  const isOfSources = events.length === 0 && contracts.length > 0 && contracts.every(hasNoArtifact);
  const isOnlyName =
    at !== undefined && contracts.length > 0 && deployments.every((one) => one.address !== at);
  const reasons = [why, isOfSources && OF_SOURCES, isOnlyName && ONLY_A_NAME].filter(
    (reason) => typeof reason === 'string',
  );
  return answerOf(deps, chainId, {
    complete: why === undefined && !isOfSources ? true : 'unknown',
    reasons,
    found: {
      ...(at && { address: at, names: known.namesOf(at) }),
      ...(more.length > 0 && { addresses: addresses.slice(0, MOST_DEPLOYMENTS) }),
      deployments: deployments.slice(0, MOST_DEPLOYMENTS).map((one) => deploymentJson(one, chainId)),
      ...(deployments.length > MOST_DEPLOYMENTS && {
        moreDeployments: deployments.length - MOST_DEPLOYMENTS,
      }),
      contracts: contracts.slice(0, MOST_CONTRACTS).map(contractJson),
      events: unique.slice(0, MOST_EVENTS).map((text) => plainText(text, 400)),
      ...(unique.length > MOST_EVENTS && { moreEvents: unique.length - MOST_EVENTS }),
      abi: abiSource(at, knowledge, chainId) ?? (contracts.length > 0 ? 'project' : null),
      ...(at && { onChain: identity ?? null }),
    },
  });
}

function resolve(
  written: string,
  { index }: OperationKnowledge,
  addressesNamed: (name: string) => readonly Address[],
): Resolved {
  const name = written.trim();
  const address = parseAddress(name);
  const addresses = address ? [address] : addressesNamed(name);
  const named = index && !address ? index.contractNamed(name) : [];
  const ofName = index && !address ? index.deployments.filter(({ contract }) => contract === name) : [];
  const ofAddress = index ? addresses.flatMap((one) => index.deploymentsAt(one)) : [];
  const deployments = [...new Set([...ofAddress, ...ofName])];
  const ofDeployments = index ? deployments.flatMap((one) => index.contractOf(one) ?? []) : [];
  return { addresses, deployments, contracts: [...new Set([...named, ...ofDeployments])] };
}

async function identityAt(
  address: Address,
  deps: OperationDeps,
  options: OperationOptions,
): Promise<{ readonly identity?: JsonObject; readonly why?: string }> {
  try {
    const source = await deps.source('identity', options);
    if (!source) return { why: 'the endpoint does not tell what is at an address' };
    return { identity: identityForAgent(identityToJson(await source.identity(address, options))) };
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const { words, said } = failureForAgent(error);
    return { why: `what is at the address could not be read: ${words}`, ...(said && { identity: said }) };
  }
}

const hasNoArtifact = ({ artifact }: IndexedContract) => artifact === undefined;

function deploymentJson(deployment: IndexedDeployment, chainId: number | undefined): JsonObject {
  const { chainId: at, address, contract, block, file } = deployment;
  return {
    ...{ chainId: at, here: at === String(chainId), address },
    ...(contract !== undefined && { contract: plainText(contract) }),
    ...(block !== undefined && { block: block.toString() }),
    file: plainText(file, 200),
  };
}

function contractJson({ name, source, line, artifact, abi, isOwn }: IndexedContract): Json {
  return {
    name: plainText(name),
    source: source === undefined ? null : plainText(line === undefined ? source : `${source}:${line}`, 200),
    ...(artifact !== undefined && { artifact: plainText(artifact, 200) }),
    ...{ functions: abi.filter((text) => text.startsWith('function ')).length, library: !isOwn },
  };
}

/** Who knows the ABI of what is at an address. */
function abiSource(
  address: Address | undefined,
  { index, code }: OperationKnowledge,
  chainId: number | undefined,
): string | undefined {
  if (address === undefined || chainId === undefined) return undefined;
  const at = { address, chainId };
  if (index?.abiAt(at)?.items) return 'project';
  return code.abiAt(at)?.items ? 'verified' : undefined;
}
