import * as vscode from 'vscode';
import { type Address, isAppError, mergeLookups, readView } from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { formatErrorForLog } from '../../host/log.ts';
import {
  createUnitsFetcher,
  formatViewValue,
  getReturnedUnits,
  parseViewFunction,
} from '../../host/readValues.ts';
import { getLocalBlock, isOnLocalChain, type LatestBlock } from '../../host/session/localChain.ts';
import type { Connection, Session } from '../../host/session/session.ts';

/** A view function without arguments of a contract on the active chain. */
export interface PlainView {
  readonly address: Address;
  /** As ABI text. */
  readonly declaration: string;
}

/** Values that lenses show. */
export interface ViewValues {
  /** Undefined until it is read. */
  get(view: PlainView): ShownValue | undefined;
}

interface ShownValue {
  readonly text: string;
  /** The integer that `text` shows in units. */
  readonly amount: bigint | undefined;
  readonly block: bigint;
}

interface ViewValuesDeps {
  readonly session: Session;
  readonly head: LatestBlock;
  readonly contracts: Pick<WorkspaceContracts, 'known'>;
  readonly log: vscode.LogOutputChannel;
  readonly viewsIn: (
    document: vscode.TextDocument,
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly PlainView[]>;
}

/** Of one document; a source with more is generated. */
const MAX_VIEWS = 100;
const MAX_VALUE_CHARS = 60;

/**
 * Reads public state for lenses by itself on a development chain of this machine, and again after each block.
 * `onDidChange` is called when values have changed.
 */
export function createViewValues(deps: ViewValuesDeps, onDidChange: () => void) {
  const { session, head, contracts, log, viewsIn } = deps;
  const values = new Map<string, ShownValue>();
  const reading = new WeakMap<vscode.TextDocument, string>();
  let connection: Connection | undefined;
  const toKey = ({ address, declaration }: PlainView) => `${address} ${declaration}`;

  async function readOne(view: PlainView, block: bigint, active: Connection) {
    const { client, network, signal } = active;
    const { address } = view;
    const { chainId } = network;
    const item = parseViewFunction(view.declaration, { address, chainId }, contracts.known?.lookup);
    if (!item) return;
    const context = {
      ...{ client, chainId, lookup: mergeLookups() },
      fetchUnits: createUnitsFetcher(contracts, active),
    };
    try {
      const result = await readView({ address, item, args: [], block }, context, { signal });
      const format = { nameOf: () => undefined, l10n: vscode.l10n, most: MAX_VALUE_CHARS };
      const texts = result.outputs.map(({ type }, index) =>
        formatViewValue(type, result.values[index] ?? '', format),
      );
      const [first] = result.values;
      const [output] = result.outputs;
      const isAmount = output && getReturnedUnits(output.type) !== undefined;
      const amount = isAmount && typeof first === 'bigint' ? first : undefined;
      values.set(toKey(view), { text: texts.join(', '), amount, block });
    } catch (error) {
      if (!isAppError(error)) throw error;
      // A view may revert: it then has no value to show.
      values.delete(toKey(view));
    }
  }

  return {
    get: (view: PlainView) => (session.connection === connection ? values.get(toKey(view)) : undefined),
    /** Does nothing if the same views of the document were read at the same block. */
    async read(document: vscode.TextDocument): Promise<void> {
      const { connection: active } = session;
      if (!isOnLocalChain(session)) return;
      try {
        const views = (await viewsIn(document, { signal: active.signal })).slice(0, MAX_VIEWS);
        if (views.length > 0 && !head.state.head) await head.read();
        const block = getLocalBlock(deps);
        if (views.length === 0 || block === undefined) return;
        const key = [block, ...views.map(toKey)].join('\n');
        if (active === connection && reading.get(document) === key) return;
        if (active !== connection) values.clear();
        connection = active;
        reading.set(document, key);
        await Promise.all(views.map((view) => readOne(view, block, active)));
        if (reading.get(document) === key && session.connection === active) onDidChange();
      } catch (error) {
        reading.delete(document);
        if (!isAppError(error, 'aborted')) log.debug(formatErrorForLog(error));
      }
    },
  };
}
