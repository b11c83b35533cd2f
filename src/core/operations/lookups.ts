import { formatAbiItem } from '../abi/item.ts';
import { asAppError, badInput } from '../base/errors.ts';
import { formatMessage, sanitizeText } from '../base/text.ts';
import { requireAddress } from '../eth/address.ts';
import { type Address, parseAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { formatUnits } from '../eth/units.ts';
import { identityToJson } from '../identity/identity.ts';
import type { IndexedContract, IndexedDeployment } from '../project/index/joinContracts.ts';
import { describeCompleteness } from '../tokens/completeness.ts';
import type { TokenBalance, TokenBalances } from '../tokens/holdings.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from './operation.ts';
import { createNameBook, findEventsAt, formatAmbiguousAddress, resolveAddress } from './resolveEvents.ts';
import {
  identityToAgentJson,
  type Json,
  type JsonObject,
  type OperationResult,
  toAgentError,
  toOperationResult,
  untrustedText,
} from './result.ts';

/** Describes the chain, and the project on it. @throws AppError if the latest block cannot be fetched. */
export async function getNetwork(
  _input: object,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const { client, network, clock } = deps;
  const [chainId, endpointChainId, head, knowledge] = await Promise.all([
    deps.chainId(options),
    client.getChainId(options),
    client.getBlockNumber(options),
    deps.knowledge(options),
  ]);
  const [times, identity, holdings, transactions] = await Promise.all([
    client.fetchBlockTimes([head], options).catch(() => undefined),
    ...(['identity', 'holdings', 'transactions'] as const).map((port) =>
      deps.provider(port, options).then(
        (provider) => provider !== undefined,
        () => false,
      ),
    ),
  ]);
  const { index } = knowledge;
  const nameBook = createNameBook(knowledge, chainId);
  const headTime = times?.get(head)?.time;
  const deploymentsHere = (index?.deployments ?? []).filter((one) => one.chainId === String(chainId));
  return toOperationResult(deps, chainId, {
    complete: endpointChainId === undefined || endpointChainId === chainId,
    reasons: listChainReasons(chainId, endpointChainId),
    head,
    found: {
      headAgeSeconds:
        headTime === undefined ? null : Math.max(0, Math.round((clock.now() - headTime) / 1000)),
      ...(network.symbol !== undefined && {
        coin: { symbol: sanitizeText(network.symbol), decimals: network.decimals },
      }),
      tells: {
        logs: true,
        addresses: identity ?? false,
        tokens: holdings ?? false,
        transactions: transactions ?? false,
      },
      project: index
        ? {
            contracts: index.counts.contracts,
            deploymentsHere: deploymentsHere.length,
            deploymentsInAll: index.counts.deployments,
            names: nameBook.all.slice(0, MAX_NAMES),
          }
        : null,
      files: deps.files !== undefined,
    },
  });
}

/** Enough to show how the project names contracts. */
const MAX_NAMES = 30;

function listChainReasons(
  chainId: number | undefined,
  endpointChainId: number | undefined,
): readonly string[] {
  if (chainId === undefined)
    return ['The endpoint does not report its chain ID. Names of deployments are not available.'];
  if (endpointChainId === undefined || endpointChainId === chainId) return [];
  return [
    `THE ENDPOINT IS NOW ON CHAIN ${endpointChainId}, not on ${chainId}. Trust none of its results, and tell the user.`,
  ];
}

/**
 * Finds what is at an address now. If one provider fails, the other parts are still returned.
 *
 * @throws AppError `badInput` for `address`; other kinds if the latest block cannot be fetched.
 */
export async function getAddress(
  { address: input }: { readonly address: string },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const nameBook = createNameBook(knowledge, chainId);
  const address = resolveAddress(input, nameBook, 'address');
  // A dead endpoint is an error, not a list of unknown parts.
  const head = await deps.client.getBlockNumber(options);
  const [native, tokens, identity] = await Promise.all([
    readPart('The native balance', () => readNativePart(address, deps, options)),
    readPart('Token balances', () => readTokensPart(address, deps, options)),
    readPart('What is at the address', () => readIdentityPart(address, deps, options)),
  ]);
  const parts = [native, tokens, identity];
  return toOperationResult(deps, chainId, {
    complete: parts.every(({ isWhole }) => isWhole) ? true : 'unknown',
    reasons: parts.flatMap(({ reasons }) => reasons),
    head,
    found: {
      address,
      checksum: toChecksumAddress(address),
      names: nameBook.findNames(address),
      native: native.json,
      tokens: tokens.json,
      onChain: identity.json,
    },
  });
}

async function readPart(label: string, read: () => Promise<Part>): Promise<Part> {
  try {
    return await read();
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const { message, serverText } = toAgentError(error);
    return {
      json: { state: 'failed', ...serverText },
      isWhole: false,
      reasons: [`${label} could not be read: ${message}`],
    };
  }
}

const createUnknownPart = (reason: string): Part => ({
  json: { state: 'unknown' },
  isWhole: false,
  reasons: [reason],
});

interface Part {
  readonly json: JsonObject;
  readonly isWhole: boolean;
  readonly reasons: readonly string[];
}

async function readNativePart(
  address: Address,
  { client, network }: OperationDeps,
  options: OperationOptions,
): Promise<Part> {
  const balance = await client.getBalance(address, options);
  if (balance.state !== 'known')
    return createUnknownPart('The endpoint has no native balance for this address. That does not mean zero.');
  const { wei } = balance;
  const json = {
    state: wei === 0n ? 'zero' : 'known',
    wei: wei.toString(),
    amount: formatUnits(wei, network.decimals),
    symbol: network.symbol ?? null,
  };
  return { json, isWhole: true, reasons: [] };
}

async function readTokensPart(
  address: Address,
  deps: OperationDeps,
  options: OperationOptions,
): Promise<Part> {
  const provider = await deps.provider('holdings', options);
  if (!provider)
    return createUnknownPart(
      'No provider lists the tokens of an address. Only an explorer or a data API does.',
    );
  const balances = await provider.tokenBalances(address, { quoteCurrency: 'USD', signal: options.signal });
  const tokens = balances.tokens.filter(({ native }) => !native);
  const reasons = listTokenReasons(balances);
  return {
    json: {
      state: tokens.length === 0 ? 'zero' : 'known',
      count: tokens.length,
      list: tokens.slice(0, MAX_TOKENS).map(tokenToJson),
      ...(tokens.length > MAX_TOKENS && { truncated: true }),
    },
    isWhole: reasons.length === 0 && tokens.length <= MAX_TOKENS,
    reasons:
      tokens.length > MAX_TOKENS
        ? [...reasons, `Only ${MAX_TOKENS} of ${tokens.length} tokens are listed.`]
        : reasons,
  };
}

/** More are only counted. */
const MAX_TOKENS = 20;

function listTokenReasons({ completeness, skipped }: TokenBalances): readonly string[] {
  if (completeness) return completeness.reasons.map(describeCompleteness).map(formatMessage);
  return skipped > 0 ? [`Token entries that could not be read: ${skipped}.`] : [];
}

function tokenToJson({ contract, name, symbol, decimals, amount, standard }: TokenBalance): JsonObject {
  return {
    contract,
    standard: standard ?? null,
    name: name === undefined ? null : untrustedText(name),
    symbol: symbol === undefined ? null : untrustedText(symbol),
    decimals: decimals ?? null,
    amount: amount?.toString() ?? null,
  };
}

async function readIdentityPart(
  address: Address,
  deps: OperationDeps,
  options: OperationOptions,
): Promise<Part> {
  const provider = await deps.provider('identity', options);
  if (!provider) return createUnknownPart('The endpoint does not report what is at an address.');
  const identity = await provider.identity(address, options);
  const isKnown = identity.kind !== 'unknown';
  return {
    json: { state: isKnown ? 'known' : 'unknown', ...identityToAgentJson(identityToJson(identity)) },
    isWhole: isKnown,
    reasons: isKnown ? [] : ['It is unknown whether there is a contract at the address.'],
  };
}

/**
 * Finds what a name or an address refers to.
 *
 * @throws AppError `badInput` for `contract` if the name is unknown, with the known names.
 */
export async function resolveContract(
  { contract: input }: { readonly contract: string },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const nameBook = createNameBook(knowledge, chainId);
  const resolved = resolveName(input, knowledge, nameBook.findAddressesByName);
  const { addresses, deployments, contracts } = resolved;
  if (addresses.length + deployments.length + contracts.length === 0) {
    const ownNames = (knowledge.index?.contracts ?? []).flatMap(({ name, isOwn }) => (isOwn ? [name] : []));
    const contractNames = [...new Set(ownNames)].slice(0, 12).map((name) => sanitizeText(name));
    const suggestion =
      contractNames.length > 0 ? ` Contracts of the project: ${contractNames.join(', ')}.` : '';
    throw badInput('contract', formatAmbiguousAddress(input, 0, nameBook) + suggestion);
  }
  const [only, ...more] = addresses;
  const onlyAddress = only !== undefined && more.length === 0 ? only : undefined;
  const { identity, failureReason } = onlyAddress ? await readIdentity(onlyAddress, deps, options) : {};
  const events = onlyAddress ? await findEventsAt([onlyAddress], { addresses, knowledge, chainId }) : [];
  const texts =
    events.length > 0
      ? events.map((event) => formatAbiItem(event))
      : contracts.flatMap(({ abi }) => abi.filter((text) => text.startsWith('event ')));
  const unique = [...new Set(texts)].map((text) => text.slice('event '.length));
  const isSourceOnly = events.length === 0 && contracts.length > 0 && contracts.every(hasNoArtifact);
  const isOnlyName =
    onlyAddress !== undefined &&
    contracts.length > 0 &&
    deployments.every((one) => one.address !== onlyAddress);
  const reasons = [failureReason, isSourceOnly && SOURCE_ONLY_REASON, isOnlyName && SAME_NAME_REASON].filter(
    (reason) => typeof reason === 'string',
  );
  return toOperationResult(deps, chainId, {
    complete: failureReason === undefined && !isSourceOnly ? true : 'unknown',
    reasons,
    found: {
      ...(onlyAddress && { address: onlyAddress, names: nameBook.findNames(onlyAddress) }),
      ...(more.length > 0 && { addresses: addresses.slice(0, MAX_DEPLOYMENTS) }),
      deployments: deployments.slice(0, MAX_DEPLOYMENTS).map((one) => deploymentToJson(one, chainId)),
      ...(deployments.length > MAX_DEPLOYMENTS && {
        moreDeployments: deployments.length - MAX_DEPLOYMENTS,
      }),
      contracts: contracts.slice(0, MAX_CONTRACTS).map(contractToJson),
      events: unique.slice(0, MAX_EVENTS).map((text) => sanitizeText(text, 400)),
      ...(unique.length > MAX_EVENTS && { moreEvents: unique.length - MAX_EVENTS }),
      abi: getAbiOrigin(onlyAddress, knowledge, chainId) ?? (contracts.length > 0 ? 'project' : null),
      ...(onlyAddress && { onChain: identity ?? null }),
    },
  });
}

const MAX_DEPLOYMENTS = 20;
const MAX_EVENTS = 40;
const MAX_CONTRACTS = 5;

const SOURCE_ONLY_REASON =
  'The contract is known from its source, not from a build. Events with types of missing files are not listed.';
const SAME_NAME_REASON = 'An address and a contract have this name. The address may have another contract.';

function resolveName(
  input: string,
  { index }: OperationKnowledge,
  findAddresses: (name: string) => readonly Address[],
): ResolvedName {
  const name = input.trim();
  const address = parseAddress(name) && requireAddress(name, 'contract');
  const addresses = address ? [address] : findAddresses(name);
  const contractsByName = index && !address ? index.contractNamed(name) : [];
  const deploymentsByName =
    index && !address ? index.deployments.filter(({ contract }) => contract === name) : [];
  const deploymentsByAddress = index ? addresses.flatMap((one) => index.deploymentsAt(one)) : [];
  const deployments = [...new Set([...deploymentsByAddress, ...deploymentsByName])];
  const contractsByDeployment = index ? deployments.flatMap((one) => index.contractOf(one) ?? []) : [];
  return { addresses, deployments, contracts: [...new Set([...contractsByName, ...contractsByDeployment])] };
}

interface ResolvedName {
  readonly addresses: readonly Address[];
  readonly deployments: readonly IndexedDeployment[];
  readonly contracts: readonly IndexedContract[];
}

async function readIdentity(
  address: Address,
  deps: OperationDeps,
  options: OperationOptions,
): Promise<{ readonly identity?: JsonObject; readonly failureReason?: string }> {
  try {
    const provider = await deps.provider('identity', options);
    if (!provider) return { failureReason: 'The endpoint does not report what is at an address.' };
    return { identity: identityToAgentJson(identityToJson(await provider.identity(address, options))) };
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const { message, serverText } = toAgentError(error);
    return {
      failureReason: `What is at the address could not be read: ${message}`,
      ...(serverText && { identity: serverText }),
    };
  }
}

const hasNoArtifact = ({ artifact }: IndexedContract) => artifact === undefined;

function deploymentToJson(deployment: IndexedDeployment, chainId: number | undefined): JsonObject {
  const { chainId: at, address, contract, block, file } = deployment;
  return {
    chainId: at,
    here: at === String(chainId),
    address,
    ...(contract !== undefined && { contract: sanitizeText(contract) }),
    ...(block !== undefined && { block: block.toString() }),
    file: sanitizeText(file, 200),
  };
}

function contractToJson({ name, source, line, artifact, abi, isOwn }: IndexedContract): Json {
  return {
    name: sanitizeText(name),
    source:
      source === undefined ? null : sanitizeText(line === undefined ? source : `${source}:${line}`, 200),
    ...(artifact !== undefined && { artifact: sanitizeText(artifact, 200) }),
    functions: abi.filter((text) => text.startsWith('function ')).length,
    library: !isOwn,
  };
}

function getAbiOrigin(
  address: Address | undefined,
  { index, code }: OperationKnowledge,
  chainId: number | undefined,
): string | undefined {
  if (address === undefined || chainId === undefined) return undefined;
  const at = { address, chainId };
  if (index?.abiAt(at)?.items) return 'project';
  return code.abiAt(at)?.items ? 'verified' : undefined;
}
