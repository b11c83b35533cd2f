import { formatAbiItem } from '../abi/item.ts';
import { asAppError, badInput } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import { type Address, parseAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { formatUnits } from '../eth/units.ts';
import { identityToJson } from '../identity/identity.ts';
import type { IndexedContract, IndexedDeployment } from '../project/index/joinContracts.ts';
import { formatCompletenessReason } from '../tokens/completeness.ts';
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

/** Names that are given: to see how things are called. */
const MAX_NAMES = 30;

/** Which chain is asked, and what of the project is known of it. @throws AppError as a question for a block does. */
export async function getNetwork(
  _input: object,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const { client, network, clock } = deps;
  const [chainId, told, head, knowledge] = await Promise.all([
    deps.chainId(options),
    client.getChainId(options),
    client.getBlockNumber(options),
    deps.knowledge(options),
  ]);
  const [times, identity, holdings, transactions] = await Promise.all([
    client.fetchBlockTimes([head], options).catch(() => undefined),
    ...(['identity', 'holdings', 'transactions'] as const).map((port) =>
      deps.provider(port, options).then(
        (source) => source !== undefined,
        () => false,
      ),
    ),
  ]);
  const { index } = knowledge;
  const known = createNameBook(knowledge, chainId);
  const made = times?.get(head)?.time;
  const here = (index?.deployments ?? []).filter((one) => one.chainId === String(chainId));
  return toOperationResult(deps, chainId, {
    complete: told === undefined || told === chainId,
    reasons: chainReasons(chainId, told),
    head,
    found: {
      headAgeSeconds: made === undefined ? null : Math.max(0, Math.round((clock.now() - made) / 1000)),
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
            deploymentsHere: here.length,
            deploymentsInAll: index.counts.deployments,
            names: known.all.slice(0, MAX_NAMES),
          }
        : null,
      files: deps.files !== undefined,
    },
  });
}

function chainReasons(chainId: number | undefined, told: number | undefined): readonly string[] {
  if (chainId === undefined)
    return ['the endpoint does not tell its chain id: names of deployments are not known'];
  if (told === undefined || told === chainId) return [];
  return [
    `THE ENDPOINT IS OF CHAIN ${told} NOW, not of ${chainId}: trust no answer of it, and tell the user`,
  ];
}

/** Tokens that are given; the rest is counted. */
const MAX_TOKENS = 20;

interface Part {
  readonly json: JsonObject;
  readonly isWhole: boolean;
  readonly reasons: readonly string[];
}

/**
 * What is at an address now. What one source fails to tell is a state of its own: the rest is told all the same.
 *
 * @throws AppError `badInput` for `address`; as a question for a block does.
 */
export async function getAddress(
  { address: written }: { readonly address: string },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const known = createNameBook(knowledge, chainId);
  const address = resolveAddress(written, known, 'address');
  // A dead endpoint is an error, and no list of things that are not known.
  const head = await deps.client.getBlockNumber(options);
  const [native, tokens, identity] = await Promise.all([
    guarded('the native balance', () => nativePart(address, deps, options)),
    guarded('token balances', () => tokensPart(address, deps, options)),
    guarded('what is at the address', () => identityPart(address, deps, options)),
  ]);
  const parts = [native, tokens, identity];
  return toOperationResult(deps, chainId, {
    complete: parts.every(({ isWhole }) => isWhole) ? true : 'unknown',
    reasons: parts.flatMap(({ reasons }) => reasons),
    head,
    found: {
      address,
      checksum: toChecksumAddress(address),
      names: known.namesOf(address),
      native: native.json,
      tokens: tokens.json,
      onChain: identity.json,
    },
  });
}

async function guarded(what: string, read: () => Promise<Part>): Promise<Part> {
  try {
    return await read();
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const { words, said } = toAgentError(error);
    return {
      json: { state: 'failed', ...said },
      isWhole: false,
      reasons: [`${what} could not be read: ${words}`],
    };
  }
}

const createUnknownPart = (reason: string): Part => ({
  json: { state: 'unknown' },
  isWhole: false,
  reasons: [reason],
});

async function nativePart(
  address: Address,
  { client, network }: OperationDeps,
  options: OperationOptions,
): Promise<Part> {
  const balance = await client.getBalance(address, options);
  if (balance.state !== 'known')
    return createUnknownPart('the endpoint has no native balance on record, which is not zero');
  const { wei } = balance;
  const json = {
    state: wei === 0n ? 'zero' : 'known',
    wei: wei.toString(),
    amount: formatUnits(wei, network.decimals),
    symbol: network.symbol ?? null,
  };
  return { json, isWhole: true, reasons: [] };
}

async function tokensPart(address: Address, deps: OperationDeps, options: OperationOptions): Promise<Part> {
  const source = await deps.provider('holdings', options);
  if (!source)
    return createUnknownPart(
      'nobody here lists the tokens of an address: only an explorer or a data API does',
    );
  const read = await source.tokenBalances(address, { quoteCurrency: 'USD', signal: options.signal });
  const tokens = read.tokens.filter(({ native }) => !native);
  const reasons = reasonsOf(read);
  return {
    json: {
      state: tokens.length === 0 ? 'zero' : 'known',
      count: tokens.length,
      list: tokens.slice(0, MAX_TOKENS).map(tokenJson),
      ...(tokens.length > MAX_TOKENS && { truncated: true }),
    },
    isWhole: reasons.length === 0 && tokens.length <= MAX_TOKENS,
    reasons:
      tokens.length > MAX_TOKENS
        ? [...reasons, `${MAX_TOKENS} of ${tokens.length} tokens are given`]
        : reasons,
  };
}

function reasonsOf({ completeness, skipped }: TokenBalances): readonly string[] {
  if (completeness) return completeness.reasons.map(formatCompletenessReason);
  return skipped > 0 ? [`${skipped} entries of tokens could not be read`] : [];
}

function tokenJson({ contract, name, symbol, decimals, amount, standard }: TokenBalance): JsonObject {
  return {
    contract,
    standard: standard ?? null,
    name: name === undefined ? null : untrustedText(name),
    symbol: symbol === undefined ? null : untrustedText(symbol),
    decimals: decimals ?? null,
    amount: amount?.toString() ?? null,
  };
}

async function identityPart(address: Address, deps: OperationDeps, options: OperationOptions): Promise<Part> {
  const source = await deps.provider('identity', options);
  if (!source) return createUnknownPart('the endpoint does not tell what is at an address');
  const identity = await source.identity(address, options);
  const isTold = identity.kind !== 'unknown';
  return {
    json: { state: isTold ? 'known' : 'unknown', ...identityToAgentJson(identityToJson(identity)) },
    isWhole: isTold,
    reasons: isTold ? [] : ['nobody tells whether there is a contract at the address'],
  };
}

/** Of each list that is given. */
const MAX_DEPLOYMENTS = 20;
const MAX_EVENTS = 40;
const MAX_CONTRACTS = 5;

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
): Promise<OperationResult> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const known = createNameBook(knowledge, chainId);
  const resolved = resolve(written, knowledge, known.findAddressesByName);
  const { addresses, deployments, contracts } = resolved;
  if (addresses.length + deployments.length + contracts.length === 0) {
    const others = (knowledge.index?.contracts ?? []).flatMap(({ name, isOwn }) => (isOwn ? [name] : []));
    const contractNames = [...new Set(others)].slice(0, 12).map((name) => sanitizeText(name));
    const further = contractNames.length > 0 ? ` Contracts of the project: ${contractNames.join(', ')}.` : '';
    throw badInput('contract', formatAmbiguousAddress(written, 0, known) + further);
  }
  const [only, ...more] = addresses;
  const at = only !== undefined && more.length === 0 ? only : undefined;
  const { identity, why } = at ? await identityAt(at, deps, options) : {};
  const events = at ? await findEventsAt([at], { addresses, knowledge, chainId }) : [];
  const texts =
    events.length > 0
      ? events.map((event) => formatAbiItem(event))
      : contracts.flatMap(({ abi }) => abi.filter((text) => text.startsWith('event ')));
  const unique = [...new Set(texts)].map((text) => text.slice('event '.length));
  const isOfSources = events.length === 0 && contracts.length > 0 && contracts.every(hasNoArtifact);
  const isOnlyName =
    at !== undefined && contracts.length > 0 && deployments.every((one) => one.address !== at);
  const reasons = [why, isOfSources && OF_SOURCES, isOnlyName && ONLY_A_NAME].filter(
    (reason) => typeof reason === 'string',
  );
  return toOperationResult(deps, chainId, {
    complete: why === undefined && !isOfSources ? true : 'unknown',
    reasons,
    found: {
      ...(at && { address: at, names: known.namesOf(at) }),
      ...(more.length > 0 && { addresses: addresses.slice(0, MAX_DEPLOYMENTS) }),
      deployments: deployments.slice(0, MAX_DEPLOYMENTS).map((one) => deploymentJson(one, chainId)),
      ...(deployments.length > MAX_DEPLOYMENTS && {
        moreDeployments: deployments.length - MAX_DEPLOYMENTS,
      }),
      contracts: contracts.slice(0, MAX_CONTRACTS).map(contractJson),
      events: unique.slice(0, MAX_EVENTS).map((text) => sanitizeText(text, 400)),
      ...(unique.length > MAX_EVENTS && { moreEvents: unique.length - MAX_EVENTS }),
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
    const source = await deps.provider('identity', options);
    if (!source) return { why: 'the endpoint does not tell what is at an address' };
    return { identity: identityToAgentJson(identityToJson(await source.identity(address, options))) };
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const { words, said } = toAgentError(error);
    return { why: `what is at the address could not be read: ${words}`, ...(said && { identity: said }) };
  }
}

const hasNoArtifact = ({ artifact }: IndexedContract) => artifact === undefined;

function deploymentJson(deployment: IndexedDeployment, chainId: number | undefined): JsonObject {
  const { chainId: at, address, contract, block, file } = deployment;
  return {
    ...{ chainId: at, here: at === String(chainId), address },
    ...(contract !== undefined && { contract: sanitizeText(contract) }),
    ...(block !== undefined && { block: block.toString() }),
    file: sanitizeText(file, 200),
  };
}

function contractJson({ name, source, line, artifact, abi, isOwn }: IndexedContract): Json {
  return {
    name: sanitizeText(name),
    source:
      source === undefined ? null : sanitizeText(line === undefined ? source : `${source}:${line}`, 200),
    ...(artifact !== undefined && { artifact: sanitizeText(artifact, 200) }),
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
