import { addToList, compareValues, countUpTo } from '../base/values.ts';
import {
  getStart,
  type StorageLayout,
  type StorageMember,
  type StorageType,
  type StorageVariable,
} from './storageLayout.ts';

/** What an upgrade from one layout to another does to a variable. */
export interface StorageChange {
  /**
   * - `moved`: its bytes are read from another place.
   * - `retyped`: the same place, another type.
   * - `renamed`: the same place and type, another name.
   * - `inserted`: it reads bytes that another variable wrote.
   * - `removed`: nothing has its name.
   * - `appended`: it reads bytes that no variable wrote.
   * - `extended`: a struct in a mapping has new members at its end.
   * - `gap`: a reserved list changed its length.
   */
  readonly kind: 'moved' | 'retyped' | 'renamed' | 'inserted' | 'removed' | 'appended' | 'extended' | 'gap';
  /** Whether stored values stay right: `review` where it depends on what the variable means. */
  readonly verdict: 'safe' | 'review' | 'risk';
  readonly before: StorageVariable | undefined;
  readonly after: StorageVariable | undefined;
}

/**
 * Compares the layout of a deployed contract with the one of its upgrade: variables by name, types by structure, each
 * namespace of ERC-7201 for itself. Risks come first, then by the deployed place. Equal layouts have no changes.
 *
 * A list of words named `__gap` is free space: what comes in its place is appended.
 * https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#storage-gaps
 *
 * @example compareStorage({ variables: [], isCut: false }, { variables: [], isCut: false }) // []
 */
export function compareStorage(before: StorageLayout, after: StorageLayout): readonly StorageChange[] {
  const namespaces = new Set([...before.variables, ...after.variables].map(({ namespace }) => namespace));
  const changes = joinMoves(
    [...namespaces].flatMap((namespace) => {
      const isIn = (variable: StorageVariable) => variable.namespace === namespace;
      return compareGroup(before.variables.filter(isIn), after.variables.filter(isIn));
    }),
  );
  const rank = { risk: 0, review: 1, safe: 2 };
  return changes.sort(
    (a, b) => rank[a.verdict] - rank[b.verdict] || compareValues(getChangeStart(a), getChangeStart(b)),
  );
}

/** What goes from one namespace to another, as between releases 4 and 5 of OpenZeppelin, leaves its value behind. */
function joinMoves(changes: readonly StorageChange[]): StorageChange[] {
  const joined = new Map<StorageChange, StorageChange | undefined>();
  const compareTypes = createTypeComparison();
  const addedByLabel = groupBy(
    changes.filter(({ before }) => before === undefined),
    ({ after }) => after?.label,
  );
  for (const change of changes) {
    const { kind, before } = change;
    if (kind !== 'removed' || !before) continue;
    const added = addedByLabel
      .get(before.label)
      ?.find(
        (each) =>
          !joined.has(each) &&
          each.after !== undefined &&
          each.after.namespace !== before.namespace &&
          compareTypes(before.type, each.after.type) !== 'different',
      );
    if (!added) continue;
    joined.set(added, undefined);
    joined.set(change, { kind: 'moved', verdict: 'risk', before, after: added.after });
  }
  return changes.flatMap((change) => (joined.has(change) ? (joined.get(change) ?? []) : change));
}

function getChangeStart({ before, after }: StorageChange): bigint {
  const variable = before ?? after;
  return variable ? getStart(variable) : 0n;
}

/**
 * Free space is a list of whole words, as OpenZeppelin reserves it. A variable of another type, or with another name
 * around it such as `price_gap`, holds a value.
 */
const isGap = ({ label, type }: StorageVariable) => GAP_NAME.test(label) && GAP_TYPE.test(type.label);

/** OpenZeppelin's own names, and those of contracts that inherit several: `__gap`, `__gap2`, `__Ownable_gap`. */
const GAP_NAME = /^(?:_?|__\w{0,80})gap(?:_\w{0,80}|\d{0,4})$/i;
const GAP_TYPE = /^(?:u?int256|bytes32)\[\d{1,9}\]$/;

const getEnd = (variable: StorageVariable) => getStart(variable) + variable.size;

function compareGroup(
  before: readonly StorageVariable[],
  after: readonly StorageVariable[],
): readonly StorageChange[] {
  const used = before.filter((variable) => !isGap(variable));
  const unmatched = new Set(after.filter((variable) => !isGap(variable)));
  const byLabel = groupBy(unmatched, ({ label }) => label);
  const byStart = groupBy(unmatched, getStart);
  const compareTypes = createTypeComparison();
  const [isUsed, isReusedBy] = [
    createOverlapTest(used),
    createOverlapTest(after.filter((one) => !isGap(one))),
  ];
  const changes: StorageChange[] = [];
  const left: StorageVariable[] = [];
  for (const variable of used) {
    const same = findSame(
      variable,
      (byLabel.get(variable.label) ?? []).filter((one) => unmatched.has(one)),
    );
    if (!same) {
      left.push(variable);
      continue;
    }
    unmatched.delete(same);
    const change = compareVariable(variable, same, compareTypes);
    if (change) changes.push({ ...change, before: variable, after: same });
  }
  for (const variable of left) {
    const start = getStart(variable);
    const there = byStart.get(start)?.find((one) => unmatched.has(one));
    const isRenamed = there && compareTypes(variable.type, there.type) === 'same';
    if (there && (isRenamed || there.size === variable.size)) {
      unmatched.delete(there);
      changes.push({
        ...(isRenamed ? { kind: 'renamed', verdict: 'review' } : { kind: 'retyped', verdict: 'risk' }),
        ...{ before: variable, after: there },
      });
      continue;
    }
    const isReused = isReusedBy(variable);
    changes.push({
      ...{ kind: 'removed', verdict: isReused ? 'risk' : 'review' },
      ...{ before: variable, after: undefined },
    });
  }
  for (const variable of unmatched) {
    const isOver = isUsed(variable);
    changes.push({
      ...(isOver ? { kind: 'inserted', verdict: 'risk' } : { kind: 'appended', verdict: 'safe' }),
      ...{ before: undefined, after: variable },
    });
  }
  return [...changes, ...compareGaps(before.filter(isGap), after.filter(isGap))];
}

/** Private variables of two contracts may have one name. */
function findSame(variable: StorageVariable, named: readonly StorageVariable[]): StorageVariable | undefined {
  const { contract } = variable;
  const start = getStart(variable);
  return (
    named.find((one) => getStart(one) === start) ??
    named.find((one) => one.contract === contract) ??
    (named.length === 1 ? named[0] : undefined)
  );
}

/** Whether a variable has a byte with one of `variables` in common. */
function createOverlapTest(variables: readonly StorageVariable[]): (one: StorageVariable) => boolean {
  const sorted = variables.toSorted((a, b) => compareValues(getStart(a), getStart(b)));
  let furthest = 0n;
  const places = sorted.map((variable) => {
    const end = getEnd(variable);
    if (end > furthest) furthest = end;
    return { start: getStart(variable), furthest };
  });
  return (one) => {
    const end = getEnd(one);
    // Those that begin before its end, and how far any of them reaches.
    const place = places[countUpTo(places, end - 1n, ({ start }) => start) - 1];
    return place !== undefined && place.furthest > getStart(one);
  };
}

function groupBy<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) addToList(groups, keyOf(item), item);
  return groups;
}

function compareVariable(
  before: StorageVariable,
  after: StorageVariable,
  compareTypes: TypeComparer,
): Pick<StorageChange, 'kind' | 'verdict'> | undefined {
  if (getStart(before) !== getStart(after)) return { kind: 'moved', verdict: 'risk' };
  const compared = compareTypes(before.type, after.type);
  if (compared === 'same') return undefined;
  if (compared === 'extended') return { kind: 'extended', verdict: 'safe' };
  return { kind: 'retyped', verdict: compared === 'renamed' ? 'review' : 'risk' };
}

type TypeComparison = 'same' | 'renamed' | 'extended' | 'different';

const RANK: Readonly<Record<TypeComparison, number>> = { same: 0, renamed: 1, extended: 2, different: 3 };

type TypeComparer = (before: StorageType, after: StorageType) => TypeComparison;

/** Compares each pair of types once: many variables have one type. */
function createTypeComparison(): TypeComparer {
  const known = new Map<StorageType, Map<StorageType, TypeComparison>>();
  return (before, after) => {
    const others = known.get(before) ?? new Map<StorageType, TypeComparison>();
    known.set(before, others);
    const compared = others.get(after) ?? compareTypes(before, after);
    others.set(after, compared);
    return compared;
  };
}

/** The structure of two types; a struct may grow only in a mapping, where nothing is behind it. */
function compareTypes(before: StorageType, after: StorageType): TypeComparison {
  const seen = {
    growing: new Map<StorageType, Set<StorageType>>(),
    fixed: new Map<StorageType, Set<StorageType>>(),
  };

  function compare(one: StorageType, other: StorageType, mayGrow: boolean): TypeComparison {
    if (one === other) return 'same';
    const pairs = mayGrow ? seen.growing : seen.fixed;
    const others = pairs.get(one) ?? new Set();
    // A pair is compared once: types may refer to each other.
    if (others.has(other)) return 'same';
    pairs.set(one, others.add(other));
    if (one.kind !== other.kind || (!mayGrow && one.size !== other.size)) return 'different';
    const inner: TypeComparison[] = [];
    if (one.key && other.key) inner.push(compare(one.key, other.key, false));
    if (one.value && other.value) inner.push(compare(one.value, other.value, one.kind === 'mapping'));
    if (Boolean(one.key) !== Boolean(other.key) || Boolean(one.value) !== Boolean(other.value))
      return 'different';
    inner.push(compareMembers(one.members, other.members, mayGrow));
    // Another enum of the same size may have other members.
    if (one.kind.startsWith('enum ') && getOwnName(one) !== getOwnName(other)) inner.push('renamed');
    return inner.reduce((worst, each) => (RANK[each] > RANK[worst] ? each : worst), 'same');
  }

  function compareMembers(
    one: readonly StorageMember[],
    other: readonly StorageMember[],
    mayGrow: boolean,
  ): TypeComparison {
    if (other.length < one.length || (other.length > one.length && !mayGrow)) return 'different';
    let worst: TypeComparison = other.length > one.length ? 'extended' : 'same';
    for (const [index, member] of one.entries()) {
      const to = other[index];
      if (!to || getStart(member) !== getStart(to)) return 'different';
      const compared = compare(member.type, to.type, false);
      const named = compared === 'same' && member.label !== to.label ? 'renamed' : compared;
      if (RANK[named] > RANK[worst]) worst = named;
    }
    return worst;
  }
  return compare(before, after, false);
}

/** Without the contract that declares it: a new version has another name. */
const getOwnName = ({ label }: StorageType) => label.replace(/^.*[ .]/, '');

/** A gap that ends where it ended has become shorter by what was added. */
function compareGaps(
  before: readonly StorageVariable[],
  after: readonly StorageVariable[],
): readonly StorageChange[] {
  const ends = new Set(after.map(getEnd));
  return before.flatMap((gap): StorageChange | [] => {
    const same = after.find((one) => getStart(one) === getStart(gap) && one.size === gap.size);
    if (same) return [];
    const end = getEnd(gap);
    const next = after.find((one) => (ends.has(end) ? getEnd(one) === end : one.contract === gap.contract));
    return { kind: 'gap', verdict: ends.has(end) ? 'safe' : 'review', before: gap, after: next };
  });
}
