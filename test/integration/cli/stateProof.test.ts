import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, isRecord } from '../../../src/core/index.ts';
import { fileChecks } from '../../support/fileChecks.ts';
import type { LoopbackServer } from '../../support/loopbackServer.ts';
import { parseLines, runCli } from '../../support/runCli.ts';
import { type StateChain, startStateChain, type TestContract } from '../../support/state/stateChain.ts';
import { stateTokensSource } from '../../support/state/stateTokens.ts';
import { dropLogs, startTamperedNode, type Tamper } from '../../support/state/tamperedNode.ts';

const MINTER = '0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6';

describe('state of a node that leaves out one log', () => {
  let chain: StateChain;
  let server: LoopbackServer;
  let folder: string;
  let tamper: Tamper;
  let vault: TestContract;
  let token: TestContract;
  let items: TestContract;
  let badges: TestContract;

  before(async () => {
    chain = await startStateChain({ 'Tokens.sol': stateTokensSource });
    server = await startTamperedNode(chain.url, () => tamper);
    folder = await mkdtemp(join(tmpdir(), 'chainside-state-'));
    vault = await chain.deploy('Vault', [person(4)]);
    await chain.send(vault, 'grantRole', [MINTER, person(1)]);
    await chain.send(vault, 'grantRole', [MINTER, person(2)]);
    token = await chain.deploy('Plain', [1000n]);
    await chain.send(token, 'approve', [person(1), 10n]);
    await chain.send(token, 'approve', [person(2), 2n ** 256n - 1n]);
    items = await chain.deploy('Items');
    await chain.send(items, 'mint', [person(1), [1n], [5n]]);
    await chain.send(items, 'mint', [person(2), [2n], [13n]]);
    badges = await chain.deploy('Badges');
    await chain.send(badges, 'mint', [person(1), 7n]);
    await chain.send(badges, 'mint', [person(2), 8n]);
  });
  beforeEach(() => {
    tamper = (result) => result;
  });
  after(async () => {
    await server.close();
    await chain.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const person = (index: number): Address => chain.accounts[index] ?? assert.fail();
  const mentions = (who: Address) => (log: Readonly<Record<string, unknown>>) =>
    JSON.stringify(log.topics).includes(who.slice(2));

  async function state(...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['state', ...args, '--rpc', server.url]);
    const lines = parseLines(stdout);
    return { code, stderr, rows: lines.slice(0, -1), verdict: lines.at(-1).verdict };
  }

  /** What each kind has, and what is expected of exactly one of its two rows. */
  const kinds = () =>
    [
      { kind: 'roles', address: vault.address, rows: 4, expect: { members: { MINTER_ROLE: [person(1)] } } },
      { kind: 'allowances', address: token.address, rows: 2, expect: { spenders: [person(1)] } },
      { kind: 'holders', address: items.address, rows: 2, expect: { holders: [person(1)] } },
      { kind: 'holders', address: badges.address, rows: 2, expect: { holders: [person(1)] } },
    ] as const;

  it('is confirmed, and says that there may be other rows', async () => {
    for (const { kind, address, rows: all } of kinds()) {
      for (const isCut of [false, true]) {
        tamper = isCut ? dropLogs(mentions(person(2))) : (result) => result;
        const { code, rows, verdict, stderr } = await state(kind, address);
        const count = isCut ? all - 1 : all;
        assert.deepEqual([code, rows.length, verdict.state, verdict.confirmed], [0, count, 'complete', true]);
        assert.deepEqual([verdict.schema, verdict.proof, verdict.proven], [2, undefined, undefined]);
        assert.equal(verdict.restsOn[0], 'That there are no other rows rests on the endpoint.', kind);
        assert.match(verdict.restsOn[1], /without a log(?:, and approvals of NFTs,)? are not seen\.$/);
        assert.match(stderr, /rows confirmed; that there are no others rests on the endpoint\./);
        assert.doesNotMatch(JSON.stringify(verdict) + stderr, /proven/i);
      }
    }
  });

  it('is proven only where the node has all logs', async () => {
    for (const { kind, address } of kinds()) {
      tamper = (result) => result;
      const honest = await state(kind, address, '--prove');
      assert.deepEqual(
        [honest.code, honest.verdict.proof.level, honest.verdict.confirmed],
        [0, 'proven', true],
      );
      assert.match(
        honest.verdict.restsOn.join(),
        /^\w+ that a contract gives without a log(?:, and approvals of NFTs,)? are not seen\.$/,
      );
      assert.match(honest.stderr, /rows confirmed; the logs are proven\./);
      for (const receipts of [false, true]) {
        tamper = dropLogs(mentions(person(2)), { receipts });
        const { code, verdict } = await state(kind, address, '--prove');
        assert.deepEqual(
          [code, verdict.state, verdict.confirmed, verdict.proof.level],
          [1, 'uncertain', false, 'contradicted'],
          `${kind}, also from receipts: ${receipts}`,
        );
        assert.ok(verdict.reasons.length > 0);
      }
    }
  });

  it('fails without a proof if one is required', async () => {
    tamper = (result, { method }) => (method.includes('Receipt') ? null : result);
    for (const [option, expected] of [
      ['--prove', 0],
      ['--prove=required', 1],
    ] as const) {
      const { code, verdict } = await state('roles', vault.address, option);
      assert.deepEqual([code, verdict.proof.level, verdict.confirmed], [expected, 'impossible', true]);
    }
    tamper = (result) => result;
    const { code, verdict } = await state('roles', vault.address, '--prove=required');
    assert.deepEqual([code, verdict.proof.level], [0, 'proven']);
  });

  describe('in a check of exactly these', () => {
    const files = fileChecks(() => ({ folder, url: server.url }));
    async function check(query: object, ...options: readonly string[]) {
      const file = await files.write('one.chainlog.json', { chainId: 31337, ...query });
      const { code, lines } = await files.check(file, ...options);
      return { code, state: lines[0].state, reasons: lines[0].reasons.join(' ') };
    }
    const toQuery = ({ kind, address, expect }: ReturnType<typeof kinds>[number]) => ({
      state: { kind, contract: address },
      expect,
    });

    it('is never ok without a condition', async () => {
      for (const each of kinds()) {
        const query = toQuery(each);
        assert.equal((await check(query)).state, 'differs', each.kind);
        tamper = dropLogs(mentions(person(2)));
        const cut = await check(query);
        assert.deepEqual([cut.code, cut.state], [3, 'incomplete'], each.kind);
        assert.match(cut.reasons, /have other logs than the result, by the hashes of the chain/);
        tamper = dropLogs(mentions(person(2)), { receipts: true });
        assert.equal((await check(query)).state, 'incomplete', each.kind);
        tamper = (result, { method }) =>
          method.includes('Receipt')
            ? null
            : dropLogs(mentions(person(2)))(result, { id: 0, method, params: [] });
        const unprovable = await check(query);
        assert.deepEqual([unprovable.code, unprovable.state], [3, 'incomplete'], each.kind);
        assert.match(unprovable.reasons, /add "needs": "confirmed" to the query\..*returns no receipts/);
        tamper = dropLogs(mentions(person(2)));
        const confirmed = { ...query, needs: 'confirmed' };
        const accepted = await check(confirmed);
        assert.deepEqual([accepted.code, accepted.state], [0, 'ok'], each.kind);
        assert.match(accepted.reasons, /^That there are no other rows rests on the endpoint\..* not seen\.$/);
        assert.equal((await check(confirmed, '--strict')).state, 'incomplete', each.kind);
        tamper = (result) => result;
      }
    });

    it('names what no log shows where the logs are proven, and is incomplete with --strict', async () => {
      const query = {
        state: { kind: 'roles', contract: vault.address },
        expect: { members: { MINTER_ROLE: [person(1), person(2)] } },
      };
      const proven = await check(query);
      assert.deepEqual(
        [proven.code, proven.state, proven.reasons],
        [0, 'ok', 'Rights that a contract gives without a log are not seen.'],
      );
      assert.deepEqual([(await check(query, '--strict')).state], ['incomplete']);
    });

    it('is different for certain where a row that calls confirm is not expected', async () => {
      tamper = (result, { method }) => (method.includes('Receipt') ? null : result);
      for (const each of kinds()) assert.equal((await check(toQuery(each))).state, 'differs', each.kind);
      const missing = {
        state: { kind: 'roles', contract: vault.address },
        expect: { members: { MINTER_ROLE: [1, 2, 3].map(person) } },
      };
      assert.equal((await check(missing)).state, 'incomplete');
    });

    it('asks the contract for a row that no log gave, before it says that the row is missing', async () => {
      tamper = dropLogs(mentions(person(2)));
      const [roles, allowances, , nfts] = kinds();
      const both = [person(1), person(2)];
      const checkBoth = (query: object) => check({ ...query, needs: 'confirmed' });
      for (const query of [
        { ...toQuery(roles), expect: { members: { MINTER_ROLE: both } } },
        { ...toQuery(nfts), expect: { holders: both } },
      ]) {
        const found = await checkBoth(query);
        assert.deepEqual([found.code, found.state], [3, 'incomplete']);
        assert.match(
          found.reasons,
          new RegExp(`${person(2)}.* The contract says|contract says that ${person(2)}`),
        );
      }
      const [owner = assert.fail()] = chain.accounts;
      const state = { kind: 'allowances', contract: allowances.address, owner };
      assert.deepEqual((await checkBoth({ state, expect: { spenders: both } })).state, 'ok');
      assert.deepEqual((await checkBoth({ ...toQuery(allowances), expect: { spenders: both } })).state, 'ok');
      const stranger = await checkBoth({
        ...toQuery(roles),
        expect: { members: { MINTER_ROLE: [1, 3].map(person) } },
      });
      assert.deepEqual([stranger.code, stranger.state], [1, 'differs']);
    });

    it('needs no proof of an owner, which a call returns', async () => {
      tamper = (result, { method }) => {
        assert.doesNotMatch(method, /Receipt/);
        return result;
      };
      const owned = await chain.deploy('Owned');
      await chain.send(owned, 'renounceOwnership', []);
      const query = {
        state: { kind: 'roles', contract: owned.address },
        expect: { members: { proxyAdmin: [], owner: [] } },
      };
      const { code, state: judged, reasons } = await check(query, '--strict');
      assert.deepEqual([code, judged, reasons], [0, 'ok', '']);
    });

    it('takes no other word for what it needs', async () => {
      const query = { ...toQuery(kinds()[0]), needs: 'complete' };
      const { state: judged, reasons } = await check(query);
      assert.equal(judged, 'invalid');
      assert.match(reasons, /needs/);
    });
  });

  it('has the receipts of the node, so that the tests above drop what is there', async () => {
    const receipts = await chain.node.call('eth_getBlockReceipts', ['0x2']);
    assert.ok(Array.isArray(receipts) && receipts.every(isRecord));
  });
});
