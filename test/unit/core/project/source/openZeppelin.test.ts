import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createImportResolver, type SourceItem } from '../../../../../src/core/index.ts';
import { linkSource } from '../../../../../src/core/project/source/linkSource.ts';
import { parseSource } from '../../../../support/parseSource.ts';

const root = dirname(createRequire(import.meta.url).resolve('@openzeppelin/contracts/package.json'));

interface AbiPart {
  readonly type: string;
  readonly name: string;
  readonly indexed?: boolean;
  readonly anonymous?: boolean;
  readonly stateMutability?: string;
  readonly components?: readonly AbiPart[];
  readonly inputs?: readonly AbiPart[];
  readonly outputs?: readonly AbiPart[];
}

interface Artifact {
  readonly sourceName: string;
  readonly contractName: string;
  readonly abi: readonly AbiPart[];
}

function listed(parts: readonly AbiPart[] = []): string {
  const texts = parts.map(({ type, name, indexed, components }) => {
    const written = components ? listed(components) + type.slice('tuple'.length) : type;
    return [written, indexed && 'indexed', name].filter(Boolean).join(' ');
  });
  return `(${texts.join(', ')})`;
}

function textOf({ type, name, inputs, outputs = [], anonymous, stateMutability }: AbiPart): string {
  const view = type === 'function' && /^(?:view|pure)$/.test(stateMutability ?? '') ? ' view' : '';
  const returned = outputs.length > 0 ? ` returns ${listed(outputs)}` : '';
  return `${type} ${name}${listed(inputs)}${view}${returned}${anonymous ? ' anonymous' : ''}`;
}

/** What solc has made of a contract; the package brings it along. */
function compiled({ abi }: Artifact): ReadonlySet<string> {
  const items = abi.filter(({ type }) => ['event', 'error', 'function'].includes(type));
  return new Set(items.map(textOf));
}

describe('sources of OpenZeppelin', () => {
  const paths = globSync('**/*.sol', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const facts = new Map(
    paths.map((path) => [path, parseSource(path, readFileSync(join(root, path), 'utf8'))]),
  );
  const resolve = createImportResolver({ remappings: [], libs: [] });
  const leftOut: SourceItem[] = [];
  const linked = new Map(
    paths.map((path) => [
      path,
      linkSource(path, { get: (wanted) => facts.get(wanted), resolve }, (item) => leftOut.push(item)),
    ]),
  );
  const artifacts = globSync('build/contracts/*.json', { cwd: root }).map(
    (path): Artifact => JSON.parse(readFileSync(join(root, path), 'utf8')),
  );

  const contractOf = ({ sourceName, contractName }: Artifact) => {
    const path = sourceName.replace(/^(?:@openzeppelin\/)?contracts\//, '');
    const contract = linked.get(path)?.find(({ name }) => name === contractName);
    return { path, contract: contract ?? assert.fail(sourceName) };
  };

  it('have every declaration read, and the type of each parameter found', () => {
    const texts = paths.map((path) => readFileSync(join(root, path), 'utf8'));
    const all = [...facts.values()].flatMap(({ items, contracts }) => [
      ...items,
      ...contracts.flatMap((contract) => contract.items),
    ]);
    for (const kind of ['event', 'error'] as const) {
      const written = texts.join('\n').match(new RegExp(`^ *${kind} \\w+\\(`, 'gm')) ?? [];
      assert.ok(written.length > 100);
      assert.equal(all.filter((item) => item.kind === kind).length, written.length, kind);
    }
    assert.deepEqual(leftOut, []);
    assert.ok([...facts.values()].every(({ cut }) => !cut));
  });

  it('give each contract the events, errors and functions that solc gives it, with the same names and words indexed', () => {
    let compared = 0;
    for (const artifact of artifacts) {
      const { path, contract } = contractOf(artifact);
      const expected = compiled(artifact);
      const { items } = facts.get(path)?.contracts.find(({ name }) => name === contract.name) ?? {
        items: [],
      };
      for (const [index, text] of contract.abi.entries()) {
        // Of its own all but what only libraries use inside: that is in the ABI of no contract by itself.
        if (!contract.itemLines?.[index] || contract.name === 'P256') continue;
        assert.ok(expected.has(text), `${contract.name}: ${text}`);
        compared++;
      }
      const own = items.filter(({ kind }) => kind !== 'function').length;
      const events = contract.abi.filter((text, index) => /^e/.test(text) && contract.itemLines?.[index]);
      assert.equal(events.length, own, contract.name);
    }
    assert.ok(compared > 700, `${compared}`);
  });

  it('give each contract what it inherits and emits, also through libraries and functions outside of contracts', () => {
    const lacking: string[] = [];
    for (const artifact of artifacts) {
      const { contract } = contractOf(artifact);
      const has = new Set(contract.abi);
      for (const text of compiled(artifact)) if (!has.has(text)) lacking.push(`${contract.name}: ${text}`);
    }
    assert.deepEqual(lacking, []);
  });

  it('give only libraries more than solc does: what their functions inside emit and revert with', () => {
    const more = new Set<string>();
    for (const artifact of artifacts) {
      const { path, contract } = contractOf(artifact);
      const expected = compiled(artifact);
      const { kind } = facts.get(path)?.contracts.find(({ name }) => name === contract.name) ?? {};
      if (kind !== 'library')
        for (const text of contract.abi) if (!expected.has(text)) more.add(`${contract.name}: ${text}`);
    }
    // A member of a value is each function of its name, and a contract's functions count even if nothing calls them.
    assert.deepEqual([...more].sort(), [
      'ERC721Consecutive: error CheckpointUnorderedInsertion()',
      'PaymasterERC20: error SafeERC20FailedOperation(address token)',
      'PaymasterERC20Guarantor: error SafeERC20FailedOperation(address token)',
    ]);
  });
});
