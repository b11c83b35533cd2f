import assert from 'node:assert/strict';
import { l10n, TreeItemCollapsibleState } from 'vscode';
import type { ExplainedFrame } from '../../../../src/core/index.ts';
import type { CallFrame } from '../../../../src/core/traces/callFrame.ts';
import { type CallFilter, listCalledContracts } from '../../../../src/features/decode/callFilter.ts';
import { type CallNode, createCallRows } from '../../../../src/features/decode/callTree.ts';
import type { TraceContext } from '../../../../src/features/decode/formatTrace.ts';
import { frameOf } from '../../../support/decodingStubs.ts';

const account = `0x${'5a'.repeat(20)}` as const;
const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

function callOf(more: Partial<CallFrame> = {}, calls: readonly ExplainedFrame[] = []): ExplainedFrame {
  const frame = frameOf({ to: account, calls: calls.map((call) => call.frame), ...more });
  const unknown = { call: undefined, returned: undefined, revert: undefined };
  return { frame, contract: 'Shop', ...unknown, logs: [], calls };
}

const context: TraceContext = {
  format: { l10n, nameOf: () => undefined, placeOf: () => undefined },
  coin: { symbol: 'HBR', decimals: 18 },
  uriOf: (file) => `file:///${file}`,
};

function rowsOf(root: ExplainedFrame, filter?: CallFilter): CallNode {
  const trace = {
    state: 'told',
    root,
    cutReason: undefined,
    hasLogs: true,
    method: 'debug_traceCall',
  } as const;
  const failedAt = { certain: true, file: 'src/Shop.sol', line: 7, stack: [] } as const;
  return createCallRows({ trace: { ...trace, failedAt }, context }, filter);
}

const failed = { error: 'execution reverted', output: '0x12345678' } as const;

describe('the rows of the Calls view', () => {
  it('are expanded where they failed, and folded elsewhere in a long tree', () => {
    const others = Array.from({ length: 60 }, () => callOf({}, [callOf()]));
    const root = rowsOf(callOf(failed, [...others, callOf(failed, [callOf(failed)])]));
    const rows = root.listChildren();
    assert.deepEqual(
      [root, ...rows.slice(-2)].map(({ row }) => row.collapsibleState),
      [Expanded, Collapsed, Expanded],
    );
    const [innermost] = rows.at(-1)?.listChildren() ?? [];
    assert.equal(innermost?.row.collapsibleState, None);
    assert.deepEqual(innermost?.row.command?.arguments, [{ file: 'file:///src/Shop.sol', line: 6 }]);
    assert.equal(root.row.command, undefined);
    // VS Code knows a row by its object.
    assert.equal(root.listChildren(), rows);
  });

  it('are all expanded in a short tree', () => {
    assert.equal(
      rowsOf(callOf({}, [callOf({}, [callOf()])])).listChildren()[0]?.row.collapsibleState,
      Expanded,
    );
  });

  it('are calls to one contract and their callers, if they are filtered', () => {
    const token = `0x${'70'.repeat(20)}` as const;
    const callToken = () => ({ ...callOf({ to: token }, [callOf()]), contract: 'Token' });
    const others = Array.from({ length: 60 }, () => callOf({}, [callOf()]));
    const root = callOf({}, [callOf({}, [callOf({}, [callToken()]), callOf()]), ...others, callToken()]);
    const contracts = listCalledContracts(root, context);
    assert.deepEqual(contracts, [
      { address: account, name: 'Shop', count: 126 },
      { address: token, name: 'Token', count: 2 },
    ]);
    const list = ({ row, listChildren }: CallNode): unknown => {
      assert.equal(row.collapsibleState, listChildren().length > 0 ? Expanded : None);
      return [row.label, ...listChildren().map(list)];
    };
    assert.deepEqual(list(rowsOf(root, contracts[1])), ['Shop', ['Shop', ['Shop', ['Token']]], ['Token']]);
  });

  it('are bounded, and escape what a server said', () => {
    const many = rowsOf(
      callOf(
        {},
        Array.from({ length: 5_000 }, () => callOf()),
      ),
    ).listChildren();
    assert.deepEqual([many.length, many.at(-1)?.row.label], [1_001, '4,000 more are not shown']);
    const { row, copyText } = rowsOf(callOf({ error: 'bad\u202eluck' }));
    assert.match(row.description, /^bad<U\+202E>luck · 21,000 gas$/);
    assert.match(copyText, /^Shop · bad<U\+202E>luck/);
  });
});
