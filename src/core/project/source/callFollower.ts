import { addToList } from '../../base/values.ts';
import type { SourceFunction, SourceUsing } from './declarations.ts';
import type { NameResolver, ResolvedName, SourceFiles, SourceLocation } from './sourceNames.ts';

/** A function of a library, or one outside of contracts. */
interface CalledFunction {
  readonly at: SourceLocation;
  readonly body: SourceFunction;
}

/**
 * Creates a function that finds the functions of libraries and outside of contracts which contracts call, directly or not.
 * A member of a value, `amount.toUint128()`, is each function of this name that `using` attaches to any type: more than
 * the compiler takes, never less.
 */
export function createCallFollower({
  files,
  names,
}: {
  readonly files: SourceFiles;
  readonly names: NameResolver;
}): (contracts: readonly SourceLocation[], budget: { steps: number }) => Iterable<CalledFunction> {
  const targetsCache = new Map<SourceFunction, readonly CalledFunction[]>();
  const attachedCache = new Map<SourceUsing, readonly AttachedFunction[]>();
  const indexCache = new Map<string, AttachedIndex>();
  const freeCache = new Map<string, ReadonlySet<string>>();

  function findFunctions(name: string, at: SourceLocation): readonly CalledFunction[] {
    return names.find(name, at).filter((named) => named.kind === 'function');
  }

  /** What a `using` attaches, by the name that a member or an operator has. */
  function listAttached(using: SourceUsing, at: SourceLocation): readonly AttachedFunction[] {
    const cached = attachedCache.get(using);
    if (cached) return cached;
    const attached = [
      ...using.names.flatMap((name) => names.find(name, at).flatMap(listFunctions)),
      ...(using.operators ?? []).flatMap(([operator, name]) =>
        findFunctions(name, at).map((called) => [operator, called] as const),
      ),
    ];
    attachedCache.set(using, attached);
    return attached;
  }

  function listFunctions(named: ResolvedName): readonly AttachedFunction[] {
    if (named.kind === 'function') return [[named.body.name, named]];
    if (named.kind !== 'contract') return [];
    const functions = named.contract.functions ?? [];
    return functions.map((body) => [body.name, { body, at: named }]);
  }

  function createIndex(scopes: readonly SourceLocation[], path: string): AttachedIndex {
    const index = new Map<string, CalledFunction[]>();
    const add = (usings: readonly SourceUsing[] = [], at: SourceLocation) => {
      for (const [name, called] of usings.flatMap((using) => listAttached(using, at)))
        addToList(index, name, called);
    };
    for (const scope of scopes) add(scope.contract?.usings, scope);
    for (const imported of names.listImported(path)) {
      const usings = files.get(imported)?.usings;
      const visible = imported === path ? usings : usings?.filter(({ isGlobal }) => isGlobal);
      add(visible, { path: imported, contract: undefined });
    }
    return index;
  }

  function findAttached(member: string, { path, contract }: SourceLocation): readonly CalledFunction[] {
    // Before Solidity 0.7 `using` is inherited.
    const bases = contract ? [{ path, contract }, ...names.inherited(contract, path)] : [];
    const scopes = bases.filter((base) => base.contract.usings !== undefined);
    const key = `${path}\n${scopes.length > 0 ? contract?.offset : ''}`;
    const index = indexCache.get(key) ?? createIndex(scopes, path);
    indexCache.set(key, index);
    return index.get(member) ?? [];
  }

  /** The names that a function outside of contracts may have in a file: most calls are of others, and searched in vain. */
  function listFreeNames(path: string): ReadonlySet<string> {
    const cached = freeCache.get(path);
    if (cached) return cached;
    const free = new Set<string>();
    for (const imported of names.listImported(path)) {
      const facts = files.get(imported);
      for (const { name } of facts?.functions ?? []) free.add(name);
      for (const pair of facts?.imports.flatMap((each) => each.names ?? []) ?? []) free.add(pair[1]);
    }
    freeCache.set(path, free);
    return free;
  }

  function findCalled(call: string, at: SourceLocation): readonly CalledFunction[] {
    if (!/\w/.test(call)) return findAttached(call, at);
    const dot = call.lastIndexOf('.');
    const isOfLibrary = at.contract?.kind === 'library';
    const isSearched = dot > 0 || isOfLibrary || listFreeNames(at.path).has(call);
    const found = isSearched && dot !== 0 ? findFunctions(call, at) : [];
    return found.length > 0 || dot < 0 ? found : findAttached(call.slice(dot + 1), at);
  }

  function listTargets({ body, at }: CalledFunction): readonly CalledFunction[] {
    const cached = targetsCache.get(body);
    if (cached) return cached;
    const targets = body.calls.flatMap((call) => findCalled(call, at));
    targetsCache.set(body, targets);
    return targets;
  }

  return function* follow(contracts, budget) {
    const reached = new Set<SourceFunction>();
    const queue = contracts.flatMap((at) => (at.contract?.functions ?? []).map((body) => ({ body, at })));
    for (const caller of queue) {
      for (const target of listTargets(caller)) {
        if (--budget.steps < 0) return;
        if (reached.has(target.body)) continue;
        reached.add(target.body);
        queue.push(target);
        yield target;
      }
    }
  };
}

type AttachedFunction = readonly [name: string, called: CalledFunction];
type AttachedIndex = ReadonlyMap<string, readonly CalledFunction[]>;
