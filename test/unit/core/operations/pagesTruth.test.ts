import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type OperationResult, runOperation } from '../../../../src/core/index.ts';
import {
  ADDRESSES,
  anyRun,
  assertOneOf,
  isMistake,
  keyOf,
  TOPICS,
  wanted,
} from '../../../support/anyLogQuery.ts';
import { openNode } from '../../../support/anyNode.ts';
import { createTestDeps } from '../../../support/operationDeps.ts';

interface Row {
  readonly block: string;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

interface Page {
  readonly complete: boolean | 'unknown';
  readonly reasons: readonly string[];
  readonly rows: readonly Partial<Row>[];
  readonly shared?: Partial<Row>;
  readonly next_call?: { readonly arguments: Readonly<Record<string, unknown>> };
}

describe('all pages of events together', () => {
  it('have every row once where the last one is complete, on any node', async () => {
    const inputs = fc.record({
      event: fc.option(fc.constantFrom(...TOPICS), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 12 }),
    });
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(anyRun, inputs, async (run, { event, limit }) => {
        const { client, chains } = openNode(run);
        const { query, order } = run;
        const json = { address: query.json.address ?? ADDRESSES, ...(event && { topics: [event] }) };
        const deps = { ...(await createTestDeps(() => assert.fail())), client };
        let input: Readonly<Record<string, unknown>> = {
          ...{ mode: 'rows', address: json.address, event, limit, order },
          ...{ from: query.json.fromBlock, to: query.json.toBlock },
        };
        const rows: string[] = [];
        let page: Page;
        do {
          const result: OperationResult = await runOperation({ name: 'query_events', input }, deps);
          if (result.error !== undefined) {
            assert.ok(!isMistake(result.error), JSON.stringify(result));
            return;
          }
          page = result as unknown as Page;
          for (const row of page.rows) {
            const { block, address, topics, data } = { ...page.shared, ...row } as Row;
            rows.push(keyOf({ address, topics, data }, Number(block)));
          }
          input = page.next_call?.arguments ?? {};
        } while (page.next_call);
        if (page.complete !== true) {
          assert.ok(page.reasons.length > 0);
          return;
        }
        complete++;
        assertOneOf(
          rows.sort(),
          chains.map((chain) => wanted(chain, { ...query, json })),
          page.reasons.join(' '),
        );
      }),
    );
    assert.ok(complete > 0);
  });
});
