import { isPanic } from '../abi/explainData.ts';
import type { HexMeaning } from '../abi/hexMeaning.ts';
import {
  createMessage,
  type Foreign,
  foreign,
  groupDigits,
  type Message,
  sanitizeText,
} from '../base/text.ts';
import { asRecord } from '../base/values.ts';
import { type Address, parseAddress, ZERO_ADDRESS } from '../eth/hex.ts';
import { isCreation } from '../traces/callFrame.ts';
import { type ExplainedFrame, getContractAt } from '../traces/explainTrace.ts';
import { findHalt } from '../traces/halts.ts';
import type { TransactionTrace } from '../traces/traceTransaction.ts';
import { listEffects } from './effects.ts';
import type { AssetTransfer, ExplainedTransaction } from './explainTransaction.ts';
import {
  formatItem,
  formatMoved,
  formatParty,
  getPartyName,
  type Moved,
  type SummaryNames,
} from './summaryText.ts';
import type { Transaction } from './transaction.ts';

type KnownTrace = Extract<TransactionTrace, { readonly state: 'told' }>;

interface Known {
  readonly explained: ExplainedTransaction;
  readonly trace: KnownTrace | undefined;
  readonly names: SummaryNames;
}

/**
 * What happened, in one sentence: why it failed and where, or the most important thing that it did, and how many more.
 * It says what logs, calls and revert data show, and nothing else. Names, symbols and texts of contracts in it are
 * untrusted.
 *
 * @param trace adds the line that failed, contracts that calls created, and coins that contracts sent.
 * @example const summary = summarizeTransaction(explained, names); // Treasury paid 1,200.00 PBL to Bob
 */
export function summarizeTransaction(
  explained: ExplainedTransaction,
  names: SummaryNames,
  trace?: TransactionTrace,
): Message {
  const known = { explained, names, trace: trace?.state === 'told' ? trace : undefined };
  switch (explained.transaction.status) {
    case 'failed':
      return describeFailure(known);
    case 'pending':
      return createMessage('Pending: {0}', describeIntent(known));
    case 'unknown':
      return createMessage('Success or failure is unknown: {0}', describeIntent(known));
    case 'success': {
      const text = describeSuccess(known);
      const failed = known.trace ? countFailed(known.trace.root) : 0;
      if (failed === 0) return text;
      return failed === 1
        ? createMessage('{0}, although one call inside failed', text)
        : createMessage('{0}, although {1} calls inside failed', text, groupDigits(failed));
    }
  }
}

function describeFailure(known: Known): Message {
  const { explained, trace } = known;
  const failedAt = trace?.failedAt;
  const reason = failedAt?.why ?? describeReason(known);
  if (failedAt?.certain)
    return createMessage(
      'Failed: {0} at {1}',
      reason,
      foreign(`${sanitizeText(failedAt.file, MAX_FILE_CHARS)}:${failedAt.line}`),
    );
  if (failedAt?.why) return createMessage('Failed: {0}', reason);
  if (isContractCreation(explained.transaction))
    return createMessage('Failed: {0} in the creation of a contract', reason);
  const { input } = explained.transaction;
  return input === '0x'
    ? createMessage('Failed: {0}', reason)
    : createMessage('Failed: {0} in {1}', reason, formatCalled(known));
}

const MAX_FILE_CHARS = 200;
const MAX_TEXT_CHARS = 160;

/** By the trace, which is exact, else by the replay or the explorer. */
function describeReason({ explained, trace, names }: Known): Message {
  const { transaction, revert } = explained;
  const failure = transaction.failure?.state === 'told' ? transaction.failure : undefined;
  const root = trace?.method === 'eth_call' ? undefined : trace?.root;
  const error = root?.frame.error;
  const hasData = root !== undefined && root.frame.output !== '0x';
  const meaning = hasData && root.revert ? root.revert : revert[0];
  const text = meaning && describeError(meaning, names);
  if (text) return text;
  const message = error ?? failure?.message ?? '';
  const halt = findHalt(message);
  if (halt) return halt.text;
  const isExact = trace?.method === 'debug_traceTransaction' && error !== undefined;
  const data = hasData ? root.frame.output : (failure?.data ?? (isExact ? '0x' : undefined));
  if (data !== undefined && data !== '0x')
    return createMessage('unknown error {0}', foreign(data.slice(0, SELECTOR_CHARS)));
  if (data === '0x') return createMessage('reverted without a reason');
  return message === '' || /^execution reverted$/i.test(message)
    ? createMessage('unknown reason')
    : createMessage('{0}', foreign(`"${sanitizeText(message, MAX_TEXT_CHARS)}"`));
}

const SELECTOR_CHARS = 10;

function describeError(meaning: HexMeaning, names: SummaryNames): Message | undefined {
  if (!('item' in meaning)) return undefined;
  const { item } = meaning;
  if ('note' in meaning && meaning.note !== undefined && isPanic(item)) return meaning.note;
  const [value] = 'values' in meaning ? meaning.values : [];
  if (item.signature === 'Error(string)' && typeof value === 'string')
    return createMessage('{0}', foreign(`"${sanitizeText(value, MAX_TEXT_CHARS)}"`));
  return createMessage('{0}', foreign(formatItem(meaning, names)));
}

/** What a transaction is to do that is in no block, or whose result is unknown. */
function describeIntent(known: Known): Message {
  const { explained, names } = known;
  const { transaction } = explained;
  const { from, to, value, input } = transaction;
  const sender = formatParty(from, names);
  if (isContractCreation(transaction)) return createMessage('{0} creates a contract', sender);
  if (input !== '0x') return createMessage('{0} calls {1}', sender, formatCalled(known));
  if (to === undefined) return createMessage('{0} sends several calls', sender);
  if (value === 0n)
    return createMessage('{0} sends an empty transaction to {1}', sender, formatParty(to, names));
  const amount = formatMoved(toMoved(createCoinTransfer(from, to, value)), names);
  return createMessage('{0} pays {1} to {2}', sender, amount, formatParty(to, names));
}

const createCoinTransfer = (from: Address, to: Address, amount: bigint): AssetTransfer => ({
  ...{ token: undefined, standard: 'native', tokenId: undefined, from, to, amount },
});

function isContractCreation({ to, input, created }: Transaction): boolean {
  return to === undefined && (input !== '0x' || created !== undefined);
}

/** Things that happened, the most important first; each counts as one. */
function describeSuccess(known: Known): Message {
  const { explained, names, trace } = known;
  const { transaction, movements } = explained;
  const transfers = [...movements.transfers, ...listInnerPayments(trace?.root)];
  const moved = joinTransfers(transfers);
  const effects = listEffects(explained, names).filter(
    ({ token, owner }) => !moved.some((one) => one.token === token && token && one.from === owner),
  );
  const rights = effects.filter(({ kind }) => kind === 'right');
  const headline =
    describeCreation(known) ??
    (rights[0] && { text: rights[0].text, count: 1 }) ??
    describeMovement(known, moved) ??
    describeUnclear(known) ??
    (effects[0] && { text: effects[0].text, count: 1 });
  const { unclear = [], isCut } = movements;
  const authorizations = transaction.authorizations ?? 0;
  const total = listCreations(known).length + moved.length + effects.length + unclear.length + authorizations;
  const { text, count } = headline ?? describeCall(known);
  const more = total - count;
  if (more <= 0) return text;
  return isCut || transaction.isCut
    ? createMessage('{0}, and at least {1} more', text, groupDigits(more))
    : createMessage('{0}, and {1} more', text, groupDigits(more));
}

/** A text, and how many of the things that happened it has. */
interface Headline {
  readonly text: Message;
  readonly count: number;
}

interface Creation {
  readonly address: Address;
  readonly by: Address;
  readonly contract: string | undefined;
}

/** The contract of the transaction itself, and those that its calls created. */
function listCreations({ explained: { transaction }, trace }: Known): readonly Creation[] {
  const { to, created, from } = transaction;
  const root = trace?.root;
  const own =
    to === undefined && created !== undefined
      ? [{ address: created, by: from, contract: root?.contract }]
      : [];
  const inner = listDone(root).flatMap(({ frame, contract }) =>
    isCreation(frame) && frame.to && frame !== root?.frame
      ? [{ address: frame.to, by: frame.from, contract }]
      : [],
  );
  return [...own, ...inner];
}

function describeCreation(known: Known): Headline | undefined {
  const { names, explained } = known;
  const [first] = listCreations(known);
  if (!first) return undefined;
  const { address, by, contract } = first;
  const { from } = explained.transaction;
  const sender = formatParty(from, names);
  const short = formatParty(address, { nameOf: () => undefined });
  const name = contract ?? names.nameOf(address);
  const text =
    name === undefined
      ? createMessage('{0} created the contract {1}', sender, short)
      : createMessage('{0} created {1} at {2}', sender, formatParty(address, { nameOf: () => name }), short);
  return {
    text: by === from ? text : createMessage('{0} through {1}', text, formatParty(by, names)),
    count: 1,
  };
}

/** The calls that were not undone, the outermost first. */
function listDone(root: ExplainedFrame | undefined): readonly ExplainedFrame[] {
  const done = root ? [root] : [];
  for (const { calls } of done) for (const call of calls) if (call.frame.error === undefined) done.push(call);
  return done;
}

/** Calls that failed inside of one that succeeded. */
function countFailed(root: ExplainedFrame): number {
  const failed = listDone(root).map(
    ({ calls }) => calls.filter(({ frame }) => frame.error !== undefined).length,
  );
  return failed.reduce((sum, count) => sum + count, 0);
}

/** Coins that contracts sent on. */
function listInnerPayments(root: ExplainedFrame | undefined): readonly AssetTransfer[] {
  return listDone(root).flatMap(({ frame: { type, from, to, value } }, place) => {
    const moves = type === 'CALL' || type === 'SELFDESTRUCT' || type.startsWith('CREATE');
    return place > 0 && moves && to && value ? [createCoinTransfer(from, to, value)] : [];
  });
}

function toMoved(transfer: AssetTransfer): Moved {
  return { ...transfer, hasManyIds: transfer.lastTokenId !== undefined };
}

/** Transfers of one asset between the same addresses as one; those of an amount of zero last. */
function joinTransfers(transfers: readonly AssetTransfer[]): readonly Moved[] {
  const joined = new Map<string, Moved>();
  for (const transfer of transfers) {
    const key = `${transfer.token} ${transfer.from} ${transfer.to}`;
    const known = joined.get(key);
    const moved = toMoved(transfer);
    joined.set(
      key,
      known
        ? {
            ...known,
            amount: known.amount + moved.amount,
            hasManyIds: known.hasManyIds || moved.hasManyIds || known.tokenId !== moved.tokenId,
          }
        : moved,
    );
  }
  const all = [...joined.values()];
  return [...all.filter(({ amount }) => amount > 0n), ...all.filter(({ amount }) => amount === 0n)];
}

/** What the sender gave and got, else the first transfer. */
function describeMovement(known: Known, moved: readonly Moved[]): Headline | undefined {
  const { names } = known;
  const { from: sender } = known.explained.transaction;
  // An amount of zero counts only if there is no other.
  const isShown = moved.some(({ amount }) => amount > 0n) ? 1n : 0n;
  const others = moved.filter(({ from, to, amount }) => from !== to && amount >= isShown);
  const [given] = others.filter(({ from, to }) => from === sender && to !== ZERO_ADDRESS);
  const [got] = others.filter(({ to, token }) => to === sender && token !== given?.token);
  if (given && got) {
    const [by, out, back] = [formatParty(sender, names), formatMoved(given, names), formatMoved(got, names)];
    return {
      text: isAmount(given)
        ? createMessage('{0} paid {1} and received {2}', by, out, back)
        : createMessage('{0} gave {1} and received {2}', by, out, back),
      count: 2,
    };
  }
  const [burned] = others.filter(({ from }) => from === sender);
  const first = given ?? burned ?? got ?? moved[0];
  return first && { text: describeTransfer(first, known), count: 1 };
}

const isAmount = ({ standard }: Moved) => standard === 'native' || standard === 'erc20';

function describeTransfer(moved: Moved, known: Known): Message {
  const { names, explained } = known;
  const { transaction } = explained;
  const { from, to, token } = moved;
  const [sender, giver, taker] = [transaction.from, from, to].map((one) => formatParty(one, names)) as [
    Foreign,
    Foreign,
    Foreign,
  ];
  const what = formatMoved(moved, names);
  const isToken = token !== undefined;
  if (isToken && from === ZERO_ADDRESS)
    return to === transaction.from
      ? createMessage('{0} minted {1}', sender, what)
      : createMessage('{0} minted {1} for {2}', sender, what, taker);
  if (isToken && to === ZERO_ADDRESS)
    return from === transaction.from
      ? createMessage('{0} burned {1}', sender, what)
      : createMessage('{0} burned {1} of {2}', sender, what, giver);
  if (from === to)
    return isAmount(moved)
      ? createMessage('{0} paid {1} to itself', giver, what)
      : createMessage('{0} transferred {1} to itself', giver, what);
  if (!isAmount(moved)) return createMessage('{0} transferred {1} to {2}', giver, what, taker);
  const [call] = explained.call;
  const isCall = !isToken && to === transaction.to && call !== undefined && 'item' in call;
  return isCall && hasCertainName(explained.call)
    ? createMessage('{0} paid {1} to {2} with {3}', giver, what, taker, foreign(formatItem(call, names)))
    : createMessage('{0} paid {1} to {2}', giver, what, taker);
}

function describeUnclear({ explained: { movements }, names }: Known): Headline | undefined {
  const [first] = movements.unclear ?? [];
  if (!first) return undefined;
  const [token, from, to] = [first.token, first.from, first.to].map((one) => formatParty(one, names)) as [
    Foreign,
    Foreign,
    Foreign,
  ];
  const template = '{0} transferred {1} of {2} to {3}, an amount or a token ID';
  return { text: createMessage(template, from, groupDigits(first.value), token, to), count: 1 };
}

function describeCall(known: Known): Headline {
  const { explained, names } = known;
  const { transaction, isWithoutCode } = explained;
  const { from, to, input, logs, authorizations = 0 } = transaction;
  const sender = formatParty(from, names);
  const target = to && formatParty(to, names);
  const whole = (text: Message, count = 0): Headline => ({ text, count });
  if (isContractCreation(transaction)) return whole(createMessage('{0} created a contract', sender));
  if (target === undefined) return whole(createMessage('{0} sent several calls', sender));
  if (isWithoutCode)
    return whole(createMessage('{0} sent data to {1}, which has no code, so nothing ran', sender, target));
  if (input !== '0x') return whole(createMessage('{0} called {1}', sender, formatCalled(known)));
  if (logs !== undefined && logs.length > 0)
    return whole(createMessage('{0} called {1} without data', sender, target));
  if (authorizations > 0) return whole(describeAuthorizations(known), authorizations);
  if (transaction.type === BLOB_TYPE) return whole(createMessage('{0} sent blobs to {1}', sender, target));
  return whole(
    from === to
      ? createMessage('{0} sent an empty transaction to itself', sender)
      : createMessage('{0} sent an empty transaction to {1}', sender, target),
  );
}

/** EIP-4844. */
const BLOB_TYPE = 3;

/** What accounts signed. The chain skips an authorization that is not valid. */
function describeAuthorizations({ explained: { transaction }, names }: Known): Message {
  const { from, authorizationList = [], authorizations = 0 } = transaction;
  const sender = formatParty(from, names);
  const [delegate] = authorizationList.map((each) => parseAddress(asRecord(each).address));
  if (authorizations > 1 || delegate === undefined)
    return createMessage('{0} sent {1} authorizations to run code of contracts', sender, authorizations);
  return delegate === ZERO_ADDRESS
    ? createMessage('{0} sent an authorization for an account to run no more code', sender)
    : createMessage(
        '{0} sent an authorization for an account to run {1}',
        sender,
        formatParty(delegate, names),
      );
}

/** The called function with its contract: `Vault.deposit(5)`; its selector if the function is not known. */
function formatCalled({ explained, names, trace }: Known): Foreign {
  const { transaction, call } = explained;
  const { to, input } = transaction;
  const [meaning] = call;
  const declared = meaning && 'origin' in meaning ? getContractAt(meaning.origin) : undefined;
  const contract = to && (names.nameOf(to) ?? trace?.root.contract ?? declared);
  const where = to === undefined ? '' : getPartyName(to, { nameOf: () => contract });
  if (!meaning || !('item' in meaning) || !hasCertainName(call))
    return foreign(`${where}.${input.slice(0, SELECTOR_CHARS)}`);
  return foreign(`${where}.${formatItem(meaning, names)}`);
}

/** Of a selector that only a list of signatures knows, several functions may be meant. */
function hasCertainName(call: ExplainedTransaction['call']): boolean {
  const fitting = call.flatMap((each) => ('item' in each && !('reason' in each) ? [each] : []));
  const [first] = fitting;
  return (
    first?.origin.trust !== 'signatures' ||
    fitting.every(({ item }) => 'signature' in item && item.signature === first.item.signature)
  );
}
