import { systemClock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, badInput } from '../base/errors.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import { createTimeSlices, forEachInSlices, type SliceOptions } from '../base/timeSlices.ts';
import { pushAll } from '../base/values.ts';
import type { Address } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { describeProof, type LogProof } from '../logs/proof/logProof.ts';
import type { ResolvedBlock } from '../reads/readBlock.ts';
import {
  type ContractState,
  isNamedRole,
  type NamedRole,
  type StateKind,
  type StateQuery,
  type StateRow,
  type StateVerdict,
} from '../state/contractState.ts';
import { indexRoles, isCommonRole, type RoleIndex, type RoleRow } from '../state/roleIndex.ts';
import type { ExpectedRow } from '../state/stateReader.ts';
import {
  type CheckClient,
  checkAtBlock,
  type FiledCheckOutcome,
  MAX_REASONS,
  type RecordedExpectation,
  toInvalidOutcome,
} from './checkOutcome.ts';
import {
  createErrorCollector,
  type FileContext,
  formatNamedAddress,
  validateBlock,
  withField,
} from './filedNames.ts';
import { MAX_LISTED, type StateDefinition, type StateExpectation } from './stateDefinition.ts';

/** How state is rebuilt. */
export interface StateCheckDeps extends CheckClient {
  fetchState(query: StateQuery, options: StateCheckOptions): Promise<ContractState>;
  /** As `fetchCalledRoles`. */
  fetchCalledRoles(
    query: StateQuery,
    roles: readonly NamedRole[],
    options: Abortable,
  ): Promise<ContractState | undefined>;
}

/** `prove`: proves the logs by the hashes of the chain, unless calls rule out any other row. */
export interface StateCheckOptions extends Abortable {
  readonly prove: boolean;
  readonly expected: readonly ExpectedRow[];
}

/**
 * Rebuilds the state that a file names, and compares it with its expectation. Rows that calls do not confirm are
 * `incomplete`, and so is a list that could have others: unless calls rule them out, the logs are proven, or the file
 * needs no proof. Roles whose one member a call returns need no logs. What an `ok` rests on is in its reasons.
 *
 * @throws AppError `aborted`.
 * @example const { state, reasons } = await checkState(parseStateDefinition(json), context, deps);
 */
export async function checkState(
  definition: Pick<StateDefinition, 'state' | 'expect' | 'needs'>,
  context: FileContext,
  deps: StateCheckDeps,
  options: Abortable = {},
): Promise<FiledCheckOutcome> {
  const { address, owner, lists, errors } = resolveState(definition, context);
  const [first, ...others] = errors;
  if (first) return toInvalidOutcome([first, ...others]);
  const { kind, block: text } = definition.state;
  const { expect, needs } = definition;

  async function check({ block }: Pick<ResolvedBlock, 'block'>): Promise<FiledCheckOutcome> {
    if (!address) throw badInput('state.contract', 'The contract is missing.');
    const query = { kind, address, owner, block };
    const roles = findOnlyNamed(expect);
    const called = roles.length > 0 ? await deps.fetchCalledRoles(query, roles, options) : undefined;
    const judged = { ...context, slices: createTimeSlices(systemClock), signal: options.signal };
    if (called) return judgeState(called, { expect, lists, needsList: false }, judged);
    const prove = expect !== undefined && needs !== 'confirmed';
    const expected = lists.flatMap(({ role, addresses }) =>
      addresses.map((each) => ({ address: each, role })),
    );
    const found = await deps.fetchState(query, { ...options, prove, expected });
    return judgeState(found, { expect, lists, needsList: prove }, judged);
  }

  return checkAtBlock({ text, deps, withFileField }, check, options);
}

function withFileField(error: AppError): AppError {
  const { field = '' } = error.details;
  if (/^(?:state|expect)\b/.test(field)) return error;
  return withField(error, field === 'block' || field === 'owner' ? `state.${field}` : 'state.contract');
}

/**
 * What is wrong with a check of state, as far as the project tells. No requests are sent.
 *
 * @example findStateErrors(parseStateDefinition(json), context).map(({ details }) => details.field);
 */
export function findStateErrors(
  definition: Pick<StateDefinition, 'state' | 'expect'>,
  context: FileContext,
): readonly AppError[] {
  return resolveState(definition, context).errors;
}

/** A list of the expectation: who, and only who. */
interface ExpectedList {
  /** Of a role, its name or hash. */
  readonly role: string | undefined;
  readonly addresses: readonly Address[];
}

/** What each kind can be expected to have, besides its count. */
const LIST_OF_KIND = {
  holders: 'holders',
  roles: 'members',
  allowances: 'spenders',
} as const satisfies Record<StateKind, keyof StateExpectation>;

function resolveState(
  { state, expect = {} }: Pick<StateDefinition, 'state' | 'expect'>,
  context: FileContext,
) {
  const { errors, collect } = createErrorCollector();
  const resolve = (text: string, field: string) => collect(() => context.resolveAddress(text, field));
  const address = resolve(state.contract, 'state.contract');
  const owner = state.owner === undefined ? undefined : resolve(state.owner, 'state.owner');
  if (state.owner !== undefined && state.kind !== 'allowances')
    errors.push(badInput('state.owner', 'Only allowances have an owner. Remove it.'));
  collect(() => validateBlock(state.block, 'state.block'));
  const own = LIST_OF_KIND[state.kind];
  for (const key of ['members', 'holders', 'spenders'] as const) {
    if (expect[key] === undefined || key === own) continue;
    errors.push(
      badInput(
        `expect.${key}`,
        createMessage('{0} have no {1}. Use {2} and count.', foreign(state.kind), foreign(key), foreign(own)),
      ),
    );
  }
  const lists: ExpectedList[] = [];
  let listed = 0;
  const addList = (names: readonly string[], field: string, role?: string) => {
    listed += names.length;
    if (listed > MAX_LISTED || errors.length >= MAX_ERRORS) return;
    const addresses = names.flatMap((name, at) => resolve(name, `${field}.${at}`) ?? []);
    lists.push({ role, addresses });
  };
  for (const [role, names] of Object.entries(expect.members ?? {})) {
    const field = `expect.members.${role}`;
    if (ROLE.test(role)) addList(names, field, role);
    else errors.push(badInput(field, createMessage(ROLE_TEMPLATE, foreign(role, 80))));
  }
  if (expect.holders) addList(expect.holders, 'expect.holders');
  if (expect.spenders) addList(expect.spenders, 'expect.spenders');
  if (listed > MAX_LISTED)
    errors.push(badInput(`expect.${own}`, createMessage('Enter {0} addresses at most.', MAX_LISTED)));
  return { address, owner, lists, errors: errors.slice(0, MAX_ERRORS) };
}

const MAX_ERRORS = 100;
const ROLE = /^(?:0x[0-9a-f]{64}|[A-Za-z_$][\w$]{0,199})$/i;
const ROLE_TEMPLATE = '{0} is not a role. Enter its name, its hash of 32 bytes, owner or pendingOwner.';

/** The roles whose members calls and slots may return, if nothing else is expected. */
function findOnlyNamed({ members = {}, count }: StateExpectation = {}): readonly NamedRole[] {
  const roles = Object.keys(members);
  return count === undefined && roles.every(isNamedRole) ? roles : [];
}

interface Expected {
  readonly expect: StateExpectation | undefined;
  readonly lists: readonly ExpectedList[];
  /** Whether there must be no other rows, and confirmed ones are not enough. */
  readonly needsList: boolean;
}

/** Compares state with what is expected of it. */
async function judgeState(
  found: ContractState,
  { expect, lists, needsList }: Expected,
  context: JudgeContext,
): Promise<FiledCheckOutcome> {
  const outcome = { contractState: found };
  const { verdict, rows, repeated = [] } = found;
  const all = lists.length > 0 && repeated.length > 0 ? { ...found, rows: [...rows, ...repeated] } : found;
  if (!isReliable(verdict)) {
    const { restsOn } = verdict;
    const reasons = verdict.reasons.length > 0 ? verdict.reasons : [createMessage(NOT_CONFIRMED), ...restsOn];
    return { ...outcome, state: 'incomplete', reasons: reasons.slice(0, MAX_REASONS) };
  }
  const { errors, collect } = createErrorCollector();
  const index = indexRoles(all.rows);
  const isKnownRole = createRoleTest(context);
  for (const list of lists) collect(() => requireKnownRole(list, index, isKnownRole));
  const [first, ...others] = errors;
  if (first) return { ...outcome, ...toInvalidOutcome([first, ...others]) };
  const { count } = expect ?? {};
  const extra: Difference[] = [];
  const missing: Difference[] = [];
  if (count !== undefined && count !== rows.length) {
    const message = createMessage('The count is {0}. Expected: {1}.', rows.length, count);
    (count < rows.length ? extra : missing).push(() => message);
  }
  for (const list of lists) {
    const compared = await compareList(
      list,
      list.role === undefined ? all.rows : index.rowsOf(list.role),
      context,
    );
    const { extra: formatExtra, missing: formatMissing } = DIFFERENCES[found.query.kind];
    const describe = (format: FormatDifference, address: Address) => () =>
      format(formatNamedAddress(address, context), list.role ?? '');
    pushAll(
      extra,
      compared.extra.map((address) => describe(formatExtra, address)),
    );
    pushAll(
      missing,
      compared.missing.map((address) => describe(formatMissing, address)),
    );
  }
  // A row that calls confirm differs for certain. That there is no other, or that one is missing, rests on the logs.
  const isOpen = needsList && !verdict.isClosed && verdict.proof?.level !== 'proven';
  if (isOpen && extra.length === 0)
    return { ...outcome, state: 'incomplete', reasons: describeOpenList(verdict.proof) };
  const differences = [...extra, ...missing];
  const update = await recordState(all, index, { expect, ...context });
  const isOk = differences.length === 0;
  return {
    ...outcome,
    state: isOk ? 'ok' : 'differs',
    reasons: isOk ? verdict.restsOn : describeFirst(differences),
    ...((!expect || !isOk) && update && { update }),
  };
}

const NOT_CONFIRMED = 'The state is not confirmed by calls at its block.';

/** Whether calls confirm it, or, with more rows than are compared, agree with a sample and the sum. */
function isReliable({ confirmed, state, compared: rows, blockHash }: StateVerdict): boolean {
  const { equal, compared, of, totalSupply } = rows;
  const agrees = compared > 0 && compared < of && equal === compared && totalSupply === true;
  return confirmed || (state === 'complete' && agrees && blockHash !== undefined);
}

/** What to do where there may be other rows. */
function describeOpenList(proof: LogProof | undefined): readonly Message[] {
  return [
    createMessage(
      'The rows agree with calls, but that there are no others rests on the endpoint. Use a node that can prove its logs, or add "needs": "confirmed" to the query.',
    ),
    ...(proof ? [describeProof(proof), ...proof.reasons.slice(0, 1)] : []),
  ];
}

type JudgeContext = FileContext & SliceOptions;

/** Described only where it is shown: there may be a million. */
type Difference = () => Message;

/** @throws AppError `badInput` for a role that nobody has or should have, and whose name is not known. */
function requireKnownRole(
  { role, addresses }: ExpectedList,
  index: RoleIndex,
  isKnownRole: (role: string) => boolean,
): void {
  if (role === undefined || addresses.length > 0 || index.rowsOf(role).length > 0 || isKnownRole(role))
    return;
  throw badInput(
    `expect.members.${role}`,
    createMessage('No role {0} is known. Compare its name, or write its hash.', foreign(role)),
  );
}

async function compareList(
  { addresses }: ExpectedList,
  rows: readonly StateRow[],
  options: SliceOptions,
): Promise<Readonly<Record<'extra' | 'missing', readonly Address[]>>> {
  const expected = new Set(addresses);
  const missing = new Set(addresses);
  const extra = new Set<Address>();
  const visit = (row: StateRow) => {
    const address = getAddress(row);
    missing.delete(address);
    if (!expected.has(address)) extra.add(address);
  };
  await forEachInSlices(rows, visit, options);
  return { extra: [...extra], missing: [...missing] };
}

type FormatDifference = (who: string, role: string) => Message;

/** Who should not be there, and who should. */
const DIFFERENCES: Readonly<Record<StateKind, Readonly<Record<'extra' | 'missing', FormatDifference>>>> = {
  holders: {
    extra: (who) => createMessage('{0} is a holder too.', foreign(who)),
    missing: (who) => createMessage('{0} is not a holder.', foreign(who)),
  },
  roles: {
    extra: (who, role) => createMessage('{0}: {1} also has it.', foreign(role), foreign(who)),
    missing: (who, role) => createMessage('{0}: {1} does not have it.', foreign(role), foreign(who)),
  },
  allowances: {
    extra: (who) => createMessage('{0} is a spender too.', foreign(who)),
    missing: (who) => createMessage('{0} is not a spender.', foreign(who)),
  },
};

function getAddress(row: StateRow): Address {
  switch (row.kind) {
    case 'balance':
    case 'tokenBalance':
      return row.holder;
    case 'token':
      return row.owner;
    case 'role':
      return row.member;
    case 'allowance':
      return row.spender;
  }
}

/** A test for names of roles: a mistyped name is in no row, as is a role that nobody has. */
function createRoleTest({ index }: FileContext): (role: string) => boolean {
  let known: ReadonlySet<string> | undefined;
  const listGetters = () =>
    new Set(index.contracts.flatMap(({ abi }) => abi.flatMap((item) => GETTER.exec(item)?.[1] ?? [])));
  return (role) => {
    if (/^0x/i.test(role) || isCommonRole(role)) return true;
    known ??= listGetters();
    return known.has(role);
  };
}

const GETTER = /^function ([\w$]+)\(\)/;

function describeFirst(differences: readonly Difference[]): readonly Message[] {
  const first = differences.slice(0, MAX_REASONS).map((describe) => describe());
  const left = differences.length - first.length;
  return left === 0 ? first : [...first, createMessage('There are {0} more differences.', left)];
}

/** The members of all roles, or of those that the file names; else the count. Undefined for other expectations. */
async function recordState(
  { query, rows }: ContractState,
  index: RoleIndex,
  { expect, ...options }: SliceOptions & { readonly expect: StateExpectation | undefined },
): Promise<RecordedExpectation | undefined> {
  const keys = Object.entries(expect ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  const isOf = (recorded: string) => keys.every((key) => key === recorded);
  if (query.kind !== 'roles') return isOf('count') ? { count: rows.length } : undefined;
  if (!isOf('members')) return undefined;
  const roles = Object.keys(expect?.members ?? {});
  if (roles.length === 0 && rows.length === 0) return { count: 0 };
  const members: (readonly [role: string, addresses: readonly Address[]])[] = [];
  const addRole = async (role: string) => {
    const addresses: Address[] = [];
    const add = ({ member }: RoleRow) => addresses.push(toChecksumAddress(member));
    await forEachInSlices(index.rowsOf(role), add, options);
    members.push([role, addresses.sort()]);
  };
  for (const role of roles.length > 0 ? roles : index.listNames()) await addRole(role);
  return { members: Object.fromEntries(members) };
}
