import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAppError, runOperation, systemClock } from '../../../../src/core/index.ts';
import { readWholeBlock } from '../../../../src/core/reads/oneBlock.ts';
import { resolveReadBlock } from '../../../../src/core/reads/readBlock.ts';
import { isMistake } from '../../../support/anyLogQuery.ts';
import { timeOf } from '../../../support/anyNode.ts';
import {
  type AnyContract,
  anyContract,
  CONTRACT,
  callContract,
  onHonestNode,
  openContract,
  someCalls,
} from '../../../support/anyState.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import { createTestDeps } from '../../../support/operationDeps.ts';

/** A block as people write it. */
const forms = ['number', 'latest', 'latest-5', 'time', 'future'] as const;
type Form = (typeof forms)[number];

const formatTime = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '');

function write(form: Form, { block }: AnyContract): string {
  switch (form) {
    case 'number':
      return `${block}`;
    case 'time':
      return formatTime(timeOf(block) + 5);
    case 'future':
      return '2999-01-01';
    default:
      return form;
  }
}

/** Whether `block` is what a person means; a head may be that of a replica that lags. */
function isMeant(form: Form, block: number, run: AnyContract): boolean {
  const { head, node } = run;
  const back = form === 'latest-5' ? 5 : 0;
  const lag = node.traits.lag?.blocks ?? 0;
  switch (form) {
    case 'number':
      return block === run.block;
    case 'latest':
    case 'latest-5':
      return block === Math.max(0, head - back) || block === Math.max(0, head - lag - back);
    case 'time':
      return node.traits.times !== 'fall' && block === run.block;
    case 'future':
      return false;
  }
}

describe('what a contract returns', () => {
  it('is that of the block that is meant, on any node', async () => {
    let read = 0;
    const inputs = fc.record({ form: fc.constantFrom(...forms), call: fc.nat() });
    await fc.assert(
      fc.asyncProperty(anyContract, inputs, async (run, { form, call: nth }) => {
        const { client, chains, codeAt } = openContract(run);
        const calls = someCalls[run.form];
        const { declaration, args, data } = calls[nth % calls.length] ?? assert.fail();
        const deps = { ...(await createTestDeps(() => assert.fail())), client };
        const input = {
          ...{ contract: CONTRACT, function: declaration, arguments: args },
          block: write(form, run),
        };
        const result = await runOperation({ name: 'read_contract', input }, deps);
        const returned = (block: number) =>
          chains.map((chain) =>
            codeAt(block) === '0x' ? 'none' : callContract(run, data, { chain, block }),
          );
        if (result.error !== undefined) {
          const error = result.error as unknown as { readonly kind: string };
          assert.ok(!isMistake(error), JSON.stringify(result));
          if (form !== 'number') return;
          if (error.kind === 'reverted')
            assert.ok(returned(run.block).includes(undefined), JSON.stringify(error));
          if (error.kind === 'notAContract') assert.ok(codeAt(run.block) === '0x', JSON.stringify(error));
          return;
        }
        const { complete, reasons, block, values } = result as unknown as {
          readonly complete: unknown;
          readonly reasons: readonly string[];
          readonly block: string;
          readonly values: readonly [{ readonly value: unknown }];
        };
        if (complete !== true) {
          assert.ok(reasons.length > 0);
          return;
        }
        read++;
        assert.ok(isMeant(form, Number(block), run), `${form}: block ${block}`);
        const words = returned(Number(block)).map((word) => word && word !== 'none' && BigInt(word));
        assert.ok(words.includes(BigInt(values[0].value as string)), `${JSON.stringify(values)} ${words}`);
      }),
    );
    assert.ok(read > 0 || !isFullRun);
  });

  it('is what an honest node returns', async () => {
    await fc.assert(
      fc.asyncProperty(anyContract.map(onHonestNode), fc.nat(), async (run, nth) => {
        const { client, chains, codeAt } = openContract(run);
        const calls = someCalls[run.form];
        const { declaration, args, data } = calls[nth % calls.length] ?? assert.fail();
        const [chain = assert.fail()] = chains;
        const wanted = callContract(run, data, { chain, block: run.block });
        if (codeAt(run.block) === '0x' || wanted === undefined) return;
        const deps = { ...(await createTestDeps(() => assert.fail())), client };
        const input = { contract: CONTRACT, function: declaration, arguments: args, block: run.block };
        const result = await runOperation({ name: 'read_contract', input }, deps);
        const { values } = result as unknown as { readonly values: readonly [{ readonly value: string }] };
        assert.equal(result.complete, true, JSON.stringify(result));
        assert.equal(BigInt(values[0].value), BigInt(wanted));
      }),
    );
  });
});

describe('deployed code', () => {
  it('is that of the block that is meant, on any node', async () => {
    await fc.assert(
      fc.asyncProperty(anyContract, fc.constantFrom(...forms), async (run, form) => {
        const { client, codeAt } = openContract(run);
        try {
          const { block, reasons } = await resolveReadBlock(write(form, run), client, systemClock.now());
          if (reasons.length > 0) return;
          const read = () => client.getCode({ to: CONTRACT, block });
          const code = await readWholeBlock({ block, client }, read);
          assert.ok(isMeant(form, Number(block), run), `${form}: block ${block}`);
          assert.equal(code, codeAt(Number(block)));
        } catch (error) {
          assert.ok(isAppError(error) && !isMistake(error), String(error));
        }
      }),
    );
  });
});
