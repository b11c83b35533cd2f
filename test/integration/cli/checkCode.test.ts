import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CodeChain, startCodeChain } from '../../support/codeChain.ts';
import { fileChecks } from '../../support/fileChecks.ts';
import { startRpcServer } from '../../support/loopbackServer.ts';

describe('check of code in files', () => {
  let chain: CodeChain;
  before(async () => {
    chain = await startCodeChain();
  });
  after(() => chain.stop());

  const files = fileChecks(() => chain);
  const { write, check } = files;
  const checkEach = (cases: readonly (readonly [object, object | undefined, ...unknown[]])[]) =>
    files.checkEach(cases.map(([code, expect]) => ({ code, ...(expect && { expect }) })));

  it('holds that what is deployed is this checkout, which is an expectation by itself', async () => {
    const { vault, math } = chain.contracts;
    const file = await write('vault.chainlog.json', { chainId: 31337, code: { contract: 'Vault' } });
    const { code, lines, stderr } = await check(file, '--strict');
    assert.equal(code, 0, stderr);
    const [line] = lines;
    assert.deepEqual(
      { ...line, code: { ...line.code, reasons: [] } },
      {
        ...{ file, line: 1, title: 'vault', state: 'ok', reasons: [] },
        ...{ verdict: null, count: null, sha256: null, contentSha256: null },
        code: {
          ...{ address: vault, contract: 'Vault', block: '5', match: 'immutables' },
          immutables: {
            owner: `0x${chain.accounts[0]?.slice(2).padStart(64, '0')}`,
            cap: `0x${(5n * 10n ** 18n).toString(16).padStart(64, '0')}`,
            isOpen: `0x${'1'.padStart(64, '0')}`,
          },
          libraries: { [Object.keys(line.code.libraries)[0] ?? '']: math },
          reasons: [],
        },
        expected: null,
      },
    );
    assert.match(stderr, /vault\.chainlog\.json: vault: ok, Vault at 0x[0-9a-fA-F]{40}: immutables\n/);
  });

  it('compares the match, immutables and libraries with what is expected', async () => {
    const { vault, commented, edited, math } = chain.contracts;
    const own = { contract: 'src/Vault.sol:Vault', address: vault };
    const cases: readonly (readonly [object, object | undefined, string, RegExp?])[] = [
      [own, { match: ['immutables', 'metadata'], immutables: { owner: 'Deployer', cap: '5 ether' } }, 'ok'],
      [own, { immutables: { isOpen: true, owner: chain.accounts[0] }, libraries: { Math: 'MathLib' } }, 'ok'],
      [own, { match: 'exact' }, 'differs', /The match is immutables\. Expected: exact\./],
      [own, { immutables: { owner: 'Safe' } }, 'differs', /owner is Deployer \(0x.*Expected: Safe \(0x/],
      [own, { immutables: { cap: 5 } }, 'differs', /The immutable cap is 0x0+4563.*Expected: 5\./],
      [own, { libraries: { Math: 'Safe' } }, 'differs', /The library Math is MathLib \(0x.*Expected: Safe/],
      [{ ...own, address: commented }, undefined, 'ok'],
      [
        { ...own, address: edited },
        undefined,
        'differs',
        /The match is different\. Expected: exact, metadata, imm/,
      ],
      [{ contract: 'Math', address: math }, undefined, 'ok'],
      [{ contract: 'Token', address: 'Vault' }, undefined, 'differs', /The match is different/],
      [{ contract: 'Vault', address: 'Safe' }, undefined, 'differs', /The match is none/],
      [{ ...own, block: 1 }, undefined, 'differs', /The match is none/],
    ];
    const lines = await checkEach(cases);
    for (const [index, [, , state, reason]] of cases.entries()) {
      assert.equal(lines[index].state, state, JSON.stringify(lines[index]));
      if (reason) assert.match(lines[index].reasons.join(' '), reason);
    }
    assert.match(lines[7].reasons.join(' '), /The first function that differs is .*add/);
    assert.match(lines[9].reasons.join(' '), /Only the build has .*Only the deployed code has/);
  });

  it('says what is wrong with a comparison, by its field', async () => {
    const own = { contract: 'Vault' };
    const cases: readonly (readonly [object, object | undefined, string, RegExp?])[] = [
      [{ contract: 'Valut' }, undefined, 'code.contract', /no contract Valut/],
      [{ contract: 'lib/Vault.sol:Vault' }, undefined, 'code.contract'],
      [{ contract: 'Math' }, undefined, 'code.contract', /no deployment of Math on this chain/],
      [{ ...own, address: 'Nobody' }, undefined, 'code.address'],
      [{ ...own, block: 'soon' }, undefined, 'code.block'],
      [
        { ...own, addres: 'Vault' },
        undefined,
        'code.addres',
        /no field code\.addres\. Use contract, address, block/,
      ],
      [own, { match: 'settings' }, 'expect.match', /Enter exact, metadata or immutables/],
      [own, { immutables: { owner: 'Nobody' } }, 'expect.immutables.owner'],
      [own, { immutables: { owner: '0x123' } }, 'expect.immutables.owner', /whole bytes/],
      [own, { immutables: { ownr: 1 } }, 'expect.immutables.ownr', /It has owner, cap, isOpen/],
      [own, { immutables: { cap: [1] } }, 'expect.immutables.cap'],
      [own, { libraries: { Maths: 'Safe' } }, 'expect.libraries.Maths'],
      [own, { libs: {} }, 'expect.libs', /Use match, immutables, libraries/],
      [own, 5 as never, 'expect', /Enter \{"match": "exact"/],
    ];
    const lines = await checkEach(cases);
    for (const [index, [, , field, reason]] of cases.entries()) {
      assert.deepEqual(
        [lines[index].state, lines[index].error?.field],
        ['invalid', field],
        JSON.stringify(lines[index]),
      );
      if (reason) assert.match(lines[index].reasons.join(' '), reason);
    }
  });

  it('cannot tell where the endpoint has no state', async () => {
    const file = await write('vault.chainlog.json', { chainId: 31337, code: { contract: 'Vault' } });
    await using server = await startRpcServer(({ id, method }) => {
      if (method === 'eth_chainId') return { jsonrpc: '2.0', id, result: '0x7a69' };
      if (method === 'eth_blockNumber') return { jsonrpc: '2.0', id, result: '0x10' };
      return { jsonrpc: '2.0', id, error: { code: -32000, message: 'missing trie node 1234 (path )' } };
    });
    const { code, lines } = await check(file, '--rpc', server.url);
    assert.deepEqual([code, lines[0].state, lines[0].code], [3, 'incomplete', null]);
  });

  it('writes no expectation, and takes no recorded result of logs', async () => {
    const text = `\`\`\`chainlog\n{"chainId": 31337, "code": {"contract": "Vault"}}\n\`\`\`\n`;
    const path = join(chain.folder, 'vault.chain.md');
    await writeFile(path, text);
    assert.deepEqual(
      (await check(path, '--update')).lines.map(({ state }) => state),
      ['ok'],
    );
    assert.equal(await readFile(path, 'utf8'), text);
    await writeFile(path, `${text}<!-- 3 logs, complete to 2, sha256 ${'0'.repeat(64)} -->\n`);
    assert.match((await check(path)).lines[0].reasons[0], /cannot belong to a check of code/);
  });
});
