import type { Abortable } from '../base/concurrency.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import { createTimeSlices, forEachInSlices } from '../base/timeSlices.ts';
import type { Address } from '../eth/hex.ts';
import { hashData } from '../eth/keccak.ts';
import { matchCodePattern, mayBeProxy } from '../identity/proxyPatterns.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import { type ContractBuild, createBuildReader } from '../traces/readBuilds.ts';
import type { CodeComparison } from './codeComparison.ts';
import { findForeignCode } from './deployedCode.ts';
import { explainMatch } from './explainMatch.ts';
import { explainMismatch } from './explainMismatch.ts';
import { listPushedSelectors, listSelectors } from './findContractByCode.ts';
import { type CompareCodeDeps, type CompareContext, matchPlaced, type PlacedCode } from './placedCode.ts';

/** The deployed code to compare: that of an address in the state after a block. */
export interface CodeRequest {
  readonly address: Address;
  readonly block: bigint;
  readonly contract: IndexedContract;
}

/**
 * Compares the code of an address after a block with the build of a contract. Of a proxy, a clone and an account that
 * delegates, the code that it runs is compared, unless the contract is the proxy itself. It sends one request, and two
 * or three more where the code at the address differs from the build.
 *
 * @throws AppError `historyUnavailable` if the node no longer has the state of the block; any network kind; the reason of
 *   `signal` when it aborts. What cannot be compared is the match `unknown`.
 * @example
 * const { match } = await compareCode({ address, block, contract }, { client, chainId, contracts, files, clock });
 */
export async function compareCode(
  { address, block, contract }: CodeRequest,
  deps: CompareCodeDeps,
  options: Abortable = {},
): Promise<CodeComparison> {
  const builds = deps.builds ?? createBuildReader(deps.files);
  const { client } = deps;
  const fetchCode = async (to: Address): Promise<PlacedCode> => {
    return { address: to, code: await client.getCode({ to, block }, options) };
  };
  const own = await fetchCode(address);
  const none: CodeComparison = {
    ...{ contract, address, block, implementation: undefined, codeHash: undefined, match: 'none' },
    isOutdated: false,
    ...{ immutables: [], libraries: [], unchecked: [], settings: [], difference: undefined },
    ...{ otherBuild: undefined, deployedBuild: undefined, implementations: [], equalContracts: [] },
    reasons: [createMessage('There is no code at {0} in block {1}.', address, decimal(block))],
  };
  if (own.code === '0x') return none;
  const build = await builds.read(contract);
  const context: CompareContext = {
    ...{ deps, builds, contract, fetchCode, options },
    slices: createTimeSlices(deps.clock),
  };
  const matched = build && (await matchPlaced(own, build, context));
  if (build && matched?.isSame)
    return { ...none, ...(await explainMatch(own, { ...context, build, matched })) };
  let left = 0;
  const onCut = (count: number) => {
    left = count;
  };
  let areSlotsUnread = false;
  const onSlotsUnread = () => {
    areSlotsUnread = true;
  };
  const implementations = await client.fetchImplementations(address, block, {
    ...options,
    onCut,
    onSlotsUnread,
  });
  const reasons: Message[] = [];
  if (matchCodePattern(own.code)?.type === 'eip7702') reasons.push(explainDelegation(address));
  const others = await Promise.all(implementations.slice(0, MAX_IMPLEMENTATIONS).map(fetchCode));
  const withCode = others.filter(({ code }) => code !== '0x');
  const found = build && (await findMatching(withCode, build, context));
  const chosen = found ? undefined : await chooseNearest(withCode, contract, context);
  const compared = found ?? chosen?.placed ?? others[0] ?? own;
  const implementation = compared === own ? undefined : compared.address;
  if (left > 0 && !found)
    reasons.push(
      createMessage('The diamond has more facets than are listed: the last {0} are not compared.', left),
    );
  const isUnread = areSlotsUnread && !found && mayBeProxy(compared.code);
  if (isUnread)
    reasons.push(
      createMessage(
        'The endpoint did not return the storage slots of {0}, so it may be a proxy of other code.',
        compared.address,
      ),
    );
  // The contract may be a facet that is not listed, or behind a proxy that is not known to be one.
  const match = (left > 0 && !found) || isUnread ? { match: 'unknown' as const } : {};
  const base = { ...none, implementation, implementations };
  if (compared.code === '0x') {
    const reason = createMessage(
      'There is no code at the implementation {0} in block {1}.',
      compared.address,
      decimal(block),
    );
    return { ...base, ...match, reasons: [...reasons, reason] };
  }
  if (chosen?.reason) reasons.push(chosen.reason);
  const result = build
    ? await explainCompared(compared, { ...context, build })
    : {
        match: 'unknown' as const,
        codeHash: hashData(compared.code),
        reasons: [explainMissingBuild(contract)],
      };
  return { ...base, ...result, ...match, reasons: [...reasons, ...result.reasons] };
}

/** The implementation with the most functions of a contract; of equal ones the last, which the innermost proxy runs. */
async function chooseNearest(
  places: readonly PlacedCode[],
  contract: IndexedContract,
  { slices, options }: Pick<CompareContext, 'options' | 'slices'>,
): Promise<{ readonly placed: PlacedCode; readonly reason: Message | undefined } | undefined> {
  const selectors = listSelectors(contract);
  const counted: { readonly placed: PlacedCode; readonly count: number }[] = [];
  const addCount = (placed: PlacedCode) => {
    const pushed = listPushedSelectors(placed.code);
    counted.push({ placed, count: selectors.filter((selector) => pushed.has(selector)).length });
  };
  await forEachInSlices(places, addCount, { slices, ...options });
  const most = Math.max(0, ...counted.map(({ count }) => count));
  const placed = counted.findLast(({ count }) => count === most)?.placed;
  if (!placed) return undefined;
  const { name } = contract;
  if (places.length === 1 || selectors.length === 0) return { placed, reason: undefined };
  const reason =
    most > 0
      ? createMessage(
          '{1} is compared, one of {0} implementations: it has {2} of the {3} functions of {4}.',
          ...([places.length, placed.address, most, selectors.length, foreign(name)] as const),
        )
      : createMessage(
          'None of the {0} implementations has a function of {1}. The last one is compared.',
          places.length,
          foreign(name),
        );
  return { placed, reason };
}

/** Facets of a diamond: the largest have some hundred. */
const MAX_IMPLEMENTATIONS = 200;

async function explainCompared(
  placed: PlacedCode,
  context: CompareContext & { readonly build: ContractBuild },
) {
  const { build } = context;
  const matched = await matchPlaced(placed, build, context);
  if (matched.isSame) return explainMatch(placed, { ...context, matched });
  const foreign = findForeignCode(placed.code);
  const codeHash = hashData(placed.code);
  if (foreign) return { match: 'unknown' as const, codeHash, reasons: [foreign] };
  if (build.runtime.digits === '')
    return { match: 'unknown' as const, codeHash, reasons: [explainMissingBuild(context.contract)] };
  return explainMismatch(placed, { ...context, offset: matched.offset });
}

async function findMatching(
  places: readonly PlacedCode[],
  build: ContractBuild,
  context: CompareContext,
): Promise<PlacedCode | undefined> {
  for (const placed of places) {
    if ((await matchPlaced(placed, build, context)).isSame) return placed;
    if (context.slices.isOver()) await context.slices.rest(context.options);
  }
  return undefined;
}

const explainDelegation = (address: Address) =>
  createMessage('The account {0} delegates to a contract (EIP-7702), whose code is compared.', address);

function explainMissingBuild({ name, artifact }: IndexedContract) {
  return artifact === undefined
    ? createMessage('There is no build of {0}. Compile the project.', foreign(name))
    : createMessage(
        'The file {1} has no code of {0} that can be compared. Compile the project.',
        foreign(name),
        foreign(artifact),
      );
}
