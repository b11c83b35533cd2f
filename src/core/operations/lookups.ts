import { type AbiItemText, formatAbiItem, parseAbiItem } from '../abi/item.ts';
import { asAppError } from '../base/errors.ts';
import { decimal, joinTexts, type OwnText, ownText, ownWord } from '../base/ownText.ts';
import { requireWrittenAddress } from '../eth/address.ts';
import { type Address, parseAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { formatUnits } from '../eth/units.ts';
import { identityToJson } from '../identity/identity.ts';
import { parseDatasetUrl } from '../networks/portalDatasets.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { IndexedContract, IndexedDeployment } from '../project/index/joinContracts.ts';
import { describeCompleteness } from '../tokens/completeness.ts';
import type { TokenBalance, TokenBalances } from '../tokens/holdings.ts';
import { abiText, messageText, pickPlainNames, untrustedText, userText, wordText } from './agentText.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from './operation.ts';
import { createNameBook, createNameError, findEventsAt, resolveAddress } from './resolveEvents.ts';
import {
  identityToAgentJson,
  type Json,
  type JsonObject,
  type OperationResult,
  toAgentError,
  toCompletion,
  toOperationResult,
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
  const isPortal = parseDatasetUrl(network.rpcUrl) !== undefined;
  const headTime = times?.get(head)?.time;
  const deploymentsHere = (index?.deployments ?? []).filter((one) => one.chainId === String(chainId));
  return toOperationResult(deps, chainId, {
    ...toCompletion(
      endpointChainId === undefined || endpointChainId === chainId,
      listChainReasons(chainId, endpointChainId),
    ),
    head,
    found: {
      ...(isPortal && { note: PORTAL_NOTE }),
      headAgeSeconds:
        headTime === undefined ? null : Math.max(0, Math.round((clock.now() - headTime) / 1000)),
      ...(network.symbol !== undefined && {
        coin: { symbol: userText(network.symbol, 64), decimals: network.decimals },
      }),
      tells: {
        logs: true,
        balances: !isPortal,
        addresses: !isPortal && identity === true,
        tokens: holdings ?? false,
        transactions: !isPortal && transactions === true,
      },
      project: index
        ? {
            contracts: index.counts.contracts,
            deploymentsHere: deploymentsHere.length,
            deploymentsInAll: index.counts.deployments,
            names: nameBook.all.slice(0, MAX_NAMES).map((name) => untrustedText(name)),
            ...(nameBook.all.length > MAX_NAMES && { truncated: true }),
            ...(index.skippedFiles.count > 0 && { skippedFiles: skippedToJson(index.skippedFiles) }),
          }
        : null,
      files: deps.files !== undefined,
    },
  });
}

/** What is not known of the project, as no file says it. */
function skippedToJson({ files, count }: ContractIndex['skippedFiles']) {
  return {
    count,
    files: files.slice(0, MAX_SKIPPED).map(({ path, reason }) => ({
      file: untrustedText(path),
      reason: untrustedText(reason),
    })),
  };
}

const MAX_SKIPPED = 10;

/** Enough to show how the project names contracts. */
const MAX_NAMES = 30;

const PORTAL_NOTE = ownText`The endpoint is an SQD Portal: it has logs, block numbers and times. It has no balances, tokens, transactions or calls, so get_address and get_transaction need a node or an explorer.`;

function listChainReasons(
  chainId: number | undefined,
  endpointChainId: number | undefined,
): readonly OwnText[] {
  if (chainId === undefined)
    return [ownText`The endpoint does not report its chain ID. Names of deployments are not available.`];
  if (endpointChainId === undefined || endpointChainId === chainId) return [];
  return [
    ownText`THE ENDPOINT IS NOW ON CHAIN ${endpointChainId}, not on ${chainId}. Trust none of its results, and tell the user.`,
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
    readPart(ownText`The native balance`, () => readNativePart(address, deps, options)),
    readPart(ownText`Token balances`, () => readTokensPart(address, deps, options)),
    readPart(ownText`What is at the address`, () => readIdentityPart(address, deps, options)),
  ]);
  const parts = [native, tokens, identity];
  return toOperationResult(deps, chainId, {
    ...toCompletion(
      parts.every(({ isWhole }) => isWhole) ? true : 'unknown',
      parts.flatMap(({ reasons }) => reasons),
    ),
    head,
    found: {
      address,
      checksum: toChecksumAddress(address),
      ...namesToJson(nameBook.findNames(address)),
      native: native.json,
      tokens: tokens.json,
      onChain: identity.json,
    },
  });
}

function namesToJson(names: readonly string[]): JsonObject {
  return {
    names: names.slice(0, MAX_NAMES).map((name) => untrustedText(name)),
    ...(names.length > MAX_NAMES && { truncated: true }),
  };
}

async function readPart(label: OwnText, read: () => Promise<Part>): Promise<Part> {
  try {
    return await read();
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const { message, serverText } = toAgentError(error);
    return {
      json: { state: ownWord('failed'), ...serverText },
      isWhole: false,
      reasons: [ownText`${label} could not be read: ${message}`],
    };
  }
}

const createUnknownPart = (reason: OwnText): Part => ({
  json: { state: ownWord('unknown') },
  isWhole: false,
  reasons: [reason],
});

interface Part {
  readonly json: JsonObject;
  readonly isWhole: boolean;
  readonly reasons: readonly OwnText[];
}

async function readNativePart(
  address: Address,
  { client, network }: OperationDeps,
  options: OperationOptions,
): Promise<Part> {
  const balance = await client.getBalance(address, options);
  if (balance.state !== 'known')
    return createUnknownPart(
      ownText`The endpoint has no native balance for this address. That does not mean zero.`,
    );
  const { wei } = balance;
  const json = {
    state: ownWord(wei === 0n ? 'zero' : 'known'),
    wei: decimal(wei),
    amount: userText(formatUnits(wei, network.decimals)),
    symbol: network.symbol === undefined ? null : userText(network.symbol, 64),
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
      ownText`No provider lists the tokens of an address. Only an explorer or a data API does.`,
    );
  const balances = await provider.tokenBalances(address, { quoteCurrency: 'USD', signal: options.signal });
  const tokens = balances.tokens.filter(({ native }) => !native);
  const reasons = listTokenReasons(balances);
  return {
    json: {
      state: ownWord(tokens.length === 0 ? 'zero' : 'known'),
      count: tokens.length,
      list: tokens.slice(0, MAX_TOKENS).map(tokenToJson),
      ...(tokens.length > MAX_TOKENS && { truncated: true }),
    },
    isWhole: reasons.length === 0 && tokens.length <= MAX_TOKENS,
    reasons:
      tokens.length > MAX_TOKENS
        ? [...reasons, ownText`Only ${MAX_TOKENS} of ${tokens.length} tokens are listed.`]
        : reasons,
  };
}

/** More are only counted. */
const MAX_TOKENS = 20;

function listTokenReasons({ completeness, skipped }: TokenBalances): readonly OwnText[] {
  if (completeness) return completeness.reasons.map(describeCompleteness).map(messageText);
  return skipped > 0 ? [ownText`Token entries that could not be read: ${skipped}.`] : [];
}

function tokenToJson({ contract, name, symbol, decimals, amount, standard }: TokenBalance): JsonObject {
  return {
    contract,
    standard: standard === undefined ? null : ownWord(standard),
    name: name === undefined ? null : untrustedText(name),
    symbol: symbol === undefined ? null : untrustedText(symbol),
    decimals: decimals ?? null,
    amount: amount === undefined ? null : decimal(amount),
  };
}

async function readIdentityPart(
  address: Address,
  deps: OperationDeps,
  options: OperationOptions,
): Promise<Part> {
  const provider = await deps.provider('identity', options);
  if (!provider) return createUnknownPart(NO_IDENTITY_REASON);
  const identity = await provider.identity(address, options);
  const isKnown = identity.kind !== 'unknown';
  return {
    json: { state: ownWord(isKnown ? 'known' : 'unknown'), ...identityToAgentJson(identityToJson(identity)) },
    isWhole: isKnown,
    reasons: isKnown ? [] : [ownText`It is unknown whether there is a contract at the address.`],
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
    const contractNames = [...new Set(ownNames)].slice(0, 12);
    const plainNames = pickPlainNames(contractNames);
    const suggestion =
      plainNames.length > 0 ? ownText` Contracts of the project: ${joinTexts(plainNames, ', ')}.` : undefined;
    throw createNameError('contract', input, nameBook, {
      ...(suggestion && { suggestion }),
      names: contractNames,
    });
  }
  const [only, ...more] = addresses;
  const onlyAddress = only !== undefined && more.length === 0 ? only : undefined;
  const { identity, failureReason } = onlyAddress ? await readIdentity(onlyAddress, deps, options) : {};
  const events = onlyAddress ? await findEventsAt([onlyAddress], { addresses, knowledge, chainId }) : [];
  const texts =
    events.length > 0
      ? events.map((event) => formatAbiItem(event))
      : contracts.flatMap(({ abi }) => abi.filter((text) => text.startsWith('event ')));
  const unique = [...new Set(texts)];
  const isCut =
    unique.length > MAX_EVENTS ||
    contracts.length > MAX_CONTRACTS ||
    Math.max(addresses.length, deployments.length) > MAX_DEPLOYMENTS;
  const isSourceOnly = events.length === 0 && contracts.length > 0 && contracts.every(hasNoArtifact);
  const isOnlyName =
    onlyAddress !== undefined &&
    contracts.length > 0 &&
    deployments.every((one) => one.address !== onlyAddress);
  const reasons = [failureReason, isSourceOnly && SOURCE_ONLY_REASON, isOnlyName && SAME_NAME_REASON].filter(
    (reason) => reason !== undefined && reason !== false,
  );
  return toOperationResult(deps, chainId, {
    ...toCompletion(true, reasons),
    found: {
      ...(onlyAddress && { address: onlyAddress, ...namesToJson(nameBook.findNames(onlyAddress)) }),
      ...(more.length > 0 && { addresses: addresses.slice(0, MAX_DEPLOYMENTS) }),
      deployments: deployments.slice(0, MAX_DEPLOYMENTS).map((one) => deploymentToJson(one, chainId)),
      ...(deployments.length > MAX_DEPLOYMENTS && {
        moreDeployments: deployments.length - MAX_DEPLOYMENTS,
      }),
      contracts: contracts.slice(0, MAX_CONTRACTS).map(contractToJson),
      ...(contracts.length > MAX_CONTRACTS && { moreContracts: contracts.length - MAX_CONTRACTS }),
      events: unique.slice(0, MAX_EVENTS).flatMap(declarationToJson),
      ...(unique.length > MAX_EVENTS && { moreEvents: unique.length - MAX_EVENTS }),
      ...(isCut && { truncated: true }),
      abi:
        getAbiOrigin(onlyAddress, knowledge, chainId) ?? (contracts.length > 0 ? ownWord('project') : null),
      ...(onlyAddress && { onChain: identity ?? null }),
    },
  });
}

const MAX_DEPLOYMENTS = 20;
const MAX_EVENTS = 40;
const MAX_CONTRACTS = 5;

const SOURCE_ONLY_REASON = ownText`The contract is known from its source, not from a build. Events with types of missing files are not listed.`;
const SAME_NAME_REASON = ownText`An address and a contract have this name. The address may have another contract.`;
const NO_IDENTITY_REASON = ownText`The endpoint does not report what is at an address.`;

function declarationToJson(text: AbiItemText): readonly OwnText[] {
  const item = parseAbiItem(text);
  return item ? [abiText(item, text.slice('event '.length))] : [];
}

function resolveName(
  input: string,
  { index }: OperationKnowledge,
  findAddresses: (name: string) => readonly Address[],
): ResolvedName {
  const name = input.trim();
  const address = parseAddress(name) && requireWrittenAddress(name, 'contract');
  const addresses = address ? [address] : findAddresses(name);
  const contractsByName = index && !address ? index.contractNamed(name) : [];
  const deploymentsByName =
    index && !address ? index.deployments.filter(({ contract }) => contract === name) : [];
  const deploymentsByAddress = index ? addresses.flatMap((one) => index.deploymentsAt(one)) : [];
  const deployments = [...new Set([...deploymentsByAddress, ...deploymentsByName])];
  const contractsByDeployment = deployments.flatMap((one) => {
    const at = { address: one.address, chainId: Number(one.chainId) };
    return [index?.contractOf(one), ...(index?.contractsAt(at) ?? [])].filter((each) => each !== undefined);
  });
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
): Promise<{ readonly identity?: JsonObject; readonly failureReason?: OwnText }> {
  try {
    const provider = await deps.provider('identity', options);
    if (!provider) return { failureReason: NO_IDENTITY_REASON };
    return { identity: identityToAgentJson(identityToJson(await provider.identity(address, options))) };
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const { message, serverText } = toAgentError(error);
    return {
      failureReason: ownText`What is at the address could not be read: ${message}`,
      ...(serverText && { identity: serverText }),
    };
  }
}

const hasNoArtifact = ({ artifact }: IndexedContract) => artifact === undefined;

function deploymentToJson(deployment: IndexedDeployment, chainId: number | undefined): JsonObject {
  const { chainId: at, address, contract, block, file } = deployment;
  return {
    chainId: wordText(at) ?? untrustedText(at),
    here: at === String(chainId),
    address,
    ...(contract !== undefined && { contract: untrustedText(contract) }),
    ...(block !== undefined && { block: decimal(block) }),
    file: untrustedText(file),
  };
}

function contractToJson({ name, source, line, artifact, abi, isOwn }: IndexedContract): Json {
  return {
    name: untrustedText(name),
    source: source === undefined ? null : untrustedText(line === undefined ? source : `${source}:${line}`),
    ...(artifact !== undefined && { artifact: untrustedText(artifact) }),
    functions: abi.filter((text) => text.startsWith('function ')).length,
    library: !isOwn,
  };
}

function getAbiOrigin(
  address: Address | undefined,
  { index, code }: OperationKnowledge,
  chainId: number | undefined,
): OwnText | undefined {
  if (address === undefined || chainId === undefined) return undefined;
  const at = { address, chainId };
  if (index?.abiAt(at)?.items) return ownWord('project');
  return code.abiAt(at)?.items ? ownWord('verified') : undefined;
}
