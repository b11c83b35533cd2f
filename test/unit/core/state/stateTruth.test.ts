import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type ContractState,
  fetchState,
  formatMessage,
  runOperation,
  systemClock,
} from '../../../../src/core/index.ts';
import { checkState } from '../../../../src/core/queries/checkState.ts';
import { fetchCalledRoles } from '../../../../src/core/state/calledRoles.ts';
import { assertOneOf, isMistake } from '../../../support/anyLogQuery.ts';
import {
  type AnyContract,
  anyContract,
  CONTRACT,
  getKind,
  listRows,
  onHonestNode,
  openContract,
  truths,
} from '../../../support/anyState.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import { topic } from '../../../support/nftLogs.ts';
import { createTestDeps } from '../../../support/operationDeps.ts';

interface StatePage {
  readonly complete: boolean | 'unknown';
  readonly reasons: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly next_call?: { readonly arguments: Readonly<Record<string, unknown>> };
}

/** The state of the contract; undefined if it could not be read. */
async function fetchOf(run: AnyContract, client: ReturnType<typeof openContract>['client']) {
  const query = { kind: getKind(run.form), address: CONTRACT, owner: undefined, block: BigInt(run.block) };
  try {
    return await fetchState(query, { client, clock: systemClock });
  } catch (error) {
    assert.ok(!isMistake(error), String((error as Error).cause));
    return undefined;
  }
}

function check(
  definition: Parameters<typeof checkState>[0],
  client: ReturnType<typeof openContract>['client'],
) {
  const context = { resolveAddress: (text: string) => text, nameOf: () => undefined } as never;
  return checkState(definition, context, {
    client,
    now: systemClock.now(),
    fetchCalledRoles: (query, roles, options) => fetchCalledRoles(query, roles, client, options),
    fetchState: (query, { prove }) =>
      fetchState(query, { client, clock: systemClock }, prove ? { prove: { isToDecide: true } } : {}),
  });
}

const explain = ({ verdict }: ContractState) =>
  `${verdict.state}: ${verdict.reasons.map(formatMessage).join(' ')}`;

describe('complete state', () => {
  it('has the rows of the chain, on any node', async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(anyContract, async (run) => {
        const { chains, client } = openContract(run);
        const state = await fetchOf(run, client);
        if (state?.verdict.state !== 'complete') return;
        complete++;
        assertOneOf(listRows(state.rows), truths(chains, run.form, run.block), explain(state));
        assert.ok(state.verdict.confirmed, explain(state));
        assert.equal(run.answer, undefined);
      }),
    );
    assert.ok(complete > 0 || !isFullRun);
  });

  it('is neither closed nor proven where the endpoint drops a log, nor a check of exactly these rows ok', async () => {
    let dropped = 0;
    await fc.assert(
      fc.asyncProperty(anyContract, fc.integer({ min: 0, max: 20 }), async (run, drops) => {
        const { chains, client } = openContract(run, drops);
        const state = await fetchOf(run, client);
        if (!state) return;
        const { verdict } = state;
        assert.notEqual(verdict.proof?.level, 'proven');
        const isTrue = truths(chains, run.form, run.block).some(
          (rows) => rows.join() === listRows(state.rows).join(),
        );
        if (verdict.isClosed && verdict.confirmed) assert.ok(isTrue, explain(state));
        if (isTrue) return;
        dropped++;
        const definition = {
          state: { kind: getKind(run.form), contract: CONTRACT, block: run.block },
          expect: { count: state.rows.length },
        };
        const outcome = await check(definition, client);
        assert.notEqual(outcome.state, 'ok', explain(state));
      }),
    );
    assert.ok(dropped > 0 || !isFullRun);
  });

  it('has an owner by calls only if it is that of the chain, on any node that leaves out any log', async () => {
    let decided = 0;
    const anyRoles = anyContract.map((run) => ({ ...run, form: 'roles' as const }));
    await fc.assert(
      fc.asyncProperty(
        anyRoles,
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 3 }),
        async (run, drops, number) => {
          const { chains, client } = openContract(run, drops);
          const owner = `0x${topic(number).slice(-40)}`;
          const members = { owner: number === 0 ? [] : [owner] };
          const state = { kind: 'roles', contract: CONTRACT, block: run.block } as const;
          const outcome = await check({ state, expect: { members } }, client);
          if (!outcome.contractState || outcome.state === 'incomplete') return;
          decided++;
          assert.equal(run.answer, undefined, outcome.state);
          const isOwner = truths(chains, run.form, run.block).map((rows) => {
            const rowOfOwner = rows.find((row) => row.startsWith('owner '));
            return rowOfOwner === (number === 0 ? undefined : `owner ${owner}`);
          });
          assert.ok(isOwner.includes(outcome.state === 'ok'), `${outcome.state} ${owner}`);
        },
      ),
    );
    assert.ok(decided > 0 || !isFullRun);
  });

  it('has the same rows in all pages for agents together, on any node', async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(anyContract, fc.integer({ min: 1, max: 4 }), async (run, limit) => {
        const { chains, client } = openContract(run);
        const deps = { ...(await createTestDeps(() => assert.fail())), client };
        let input: Readonly<Record<string, unknown>> = {
          ...{ kind: getKind(run.form), address: CONTRACT, block: run.block, limit },
        };
        const rows: string[] = [];
        let page: StatePage;
        do {
          const result = await runOperation({ name: 'get_state', input }, deps);
          if (result.error !== undefined) {
            assert.ok(!isMistake(result.error), JSON.stringify(result));
            return;
          }
          page = result as unknown as StatePage;
          if (page.complete === 'unknown') return;
          for (const { roleName: _, ...row } of page.rows) rows.push(Object.values(row).join(' '));
          input = page.next_call?.arguments ?? {};
        } while (page.next_call);
        if (page.complete !== true) {
          assert.ok(page.reasons.length > 0);
          return;
        }
        complete++;
        assertOneOf(rows.sort(), truths(chains, run.form, run.block), page.reasons.join(' '));
      }),
    );
    assert.ok(complete > 0 || !isFullRun);
  });

  it('is what an honest node gives', async () => {
    await fc.assert(
      fc.asyncProperty(anyContract.map(onHonestNode), async (run) => {
        const { chains, client } = openContract(run);
        const state = await fetchOf(run, client);
        const [wanted = []] = truths(chains, run.form, run.block);
        // Nothing shows that a contract without a log of its kind is one of that kind.
        if (wanted.length === 0) return;
        assert.ok(state?.verdict.confirmed, state && explain(state));
        assert.deepEqual(listRows(state.rows), wanted);
      }),
    );
  });
});
