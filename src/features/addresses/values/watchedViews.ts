import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type AbiItemText,
  type Address,
  badInput,
  formatAbiItem,
  formatArguments,
  parseAbiItem,
  parseArguments,
  requireAddress,
} from '../../../core/index.ts';

/** A view function of a contract with its arguments, whose value is watched. */
export interface WatchedView {
  readonly id: string;
  readonly contract: Address;
  readonly declaration: AbiItemText;
  /** As `formatArguments` writes them. */
  readonly args: readonly string[];
  /** The sender of the call; undefined for none. */
  readonly from?: Address | undefined;
}

/** Of one chain. Each block reads them again. */
export const MAX_WATCHED_VALUES = 50;
const MAX_DECLARATION_CHARS = 4_096;
const MAX_ARGUMENT_CHARS = 4_096;

const writtenViewSchema = z.object({
  contract: z.string(),
  declaration: z.string().check(z.maxLength(MAX_DECLARATION_CHARS)),
  args: z.array(z.string().check(z.maxLength(MAX_ARGUMENT_CHARS))).check(z.maxLength(64)),
  from: z.optional(z.string()),
});

/**
 * Parses what a command passes or the storage holds.
 *
 * @throws AppError `badInput` for `contract`, `function`, `args…` or `from`.
 */
export function parseWatchedView(argument: unknown): WatchedView {
  const written = writtenViewSchema.safeParse(argument).data;
  if (!written) throw badInput('function', 'Watch a value in the panel of Read Contract…');
  const contract = requireAddress(written.contract, 'contract');
  const item = parseAbiItem(written.declaration);
  if (item?.kind !== 'function') throw badInput('function', 'Expected the declaration of a view function.');
  const args = formatArguments(item.inputs, parseArguments(item.inputs, written.args));
  const declaration = formatAbiItem(item);
  const from = written.from === undefined ? undefined : requireAddress(written.from, 'from');
  const sender = from && { from };
  const id = JSON.stringify([contract, declaration, ...args, ...(sender ? [sender] : [])]);
  return { id, contract, declaration, args, ...sender };
}

const STORE_KEY = 'chainside.watchedValues';
const storeSchema = z.record(z.string(), z.array(z.unknown()));

/** The watched values of each chain, in the storage of the workspace. */
export function createWatchedViewStore(workspaceState: vscode.Memento) {
  const readStore = () => storeSchema.safeParse(workspaceState.get(STORE_KEY)).data ?? {};
  return {
    list: (chainId: number): readonly WatchedView[] =>
      (readStore()[chainId] ?? []).slice(0, MAX_WATCHED_VALUES).flatMap((stored) => {
        try {
          return [parseWatchedView(stored)];
        } catch {
          // Another release may have stored it.
          return [];
        }
      }),
    async write(chainId: number, views: readonly WatchedView[]): Promise<void> {
      const stored = views.map(({ id: _, ...view }) => view);
      const { [chainId]: _, ...others } = readStore();
      await workspaceState.update(STORE_KEY, stored.length > 0 ? { ...others, [chainId]: stored } : others);
    },
  };
}
