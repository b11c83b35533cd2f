import assert from 'node:assert/strict';
import { commands, EventEmitter, Uri, window, workspace } from 'vscode';
import {
  type Address,
  createAbiLookup,
  type Origin,
  parseAbiItem,
  type TokenUnits,
} from '../../src/core/index.ts';
import { createLogMeaning } from '../../src/host/contracts/logMeanings.ts';
import { canOpen, openOrigin } from '../../src/host/contracts/openOrigin.ts';
import { createTokenUnits } from '../../src/host/contracts/tokenUnits.ts';
import type { Session } from '../../src/host/session/session.ts';

const CHAIN = 31337;
const TOKEN = `0x${'5f'.repeat(20)}` as const;
const OTHER = `0x${'6f'.repeat(20)}` as const;

/** A session whose contracts answer with `units`; counts the questions. */
function sessionWith(units: (contract: Address) => Promise<TokenUnits | undefined>) {
  const asked: Address[] = [];
  const connection = {
    network: { chainId: CHAIN },
    client: {
      tokenUnits: (contract: Address) => {
        asked.push(contract);
        return units(contract);
      },
    },
    signal: new AbortController().signal,
  } as unknown as Session['connection'];
  return { connection, asked };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('units of tokens', () => {
  it('are read once for each contract, and told when they are there', async () => {
    const session = sessionWith(async () => ({ symbol: 'HUSD', decimals: 6 }));
    const units = createTokenUnits(session);
    let told = 0;
    units.onDidChange(() => told++);
    assert.equal(units.unitsOf(TOKEN, CHAIN), undefined);
    units.want([TOKEN, OTHER], CHAIN);
    units.want([TOKEN], CHAIN);
    await settled();
    assert.deepEqual(session.asked, [TOKEN, OTHER]);
    assert.deepEqual([units.unitsOf(TOKEN, CHAIN), told], [{ symbol: 'HUSD', decimals: 6 }, 1]);
    units.want([TOKEN], CHAIN);
    await settled();
    assert.equal(session.asked.length, 2);
    units.dispose();
  });

  it('are not asked of another chain, and stay unknown where no answer comes', async () => {
    const session = sessionWith(() => Promise.reject(new Error('no')));
    const units = createTokenUnits(session);
    units.want([TOKEN], CHAIN + 1);
    units.want([OTHER], CHAIN);
    await settled();
    assert.deepEqual(session.asked, [OTHER]);
    assert.equal(units.unitsOf(OTHER, CHAIN), undefined);
    units.dispose();
  });
});

describe('what gives logs a meaning', () => {
  it('tells what of it has changed, and decodes by what is known then', () => {
    const changedLookup = new EventEmitter<void>();
    const changedUnits = new EventEmitter<void>();
    let lookup = createAbiLookup([]);
    const meaning = createLogMeaning({
      lookup: {
        events: (...asked) => lookup.events(...asked),
        errors: (...asked) => lookup.errors(...asked),
        functions: (...asked) => lookup.functions(...asked),
      },
      onDidChangeLookup: changedLookup.event,
      units: { unitsOf: () => undefined, want: () => undefined, onDidChange: changedUnits.event },
    });
    const told: string[] = [];
    meaning.onDidChange((change) => told.push(change));
    const text = 'event Done()';
    const event = parseAbiItem(text);
    if (event?.kind !== 'event') assert.fail(text);
    const log = { address: TOKEN, topics: [event.topic0], data: '0x' } as const;
    assert.ok('reason' in meaning.decoder(CHAIN).decode(log));
    const origin: Origin = { trust: 'workspace', from: 'A.sol', contract: 'A', line: 1 };
    lookup = createAbiLookup([{ text, origin }]);
    changedLookup.fire();
    assert.ok('event' in meaning.decoder(CHAIN).decode(log));
    changedUnits.fire();
    assert.deepEqual(told, ['events', 'units']);
    meaning.dispose();
  });
});

describe('the declaration of an event', () => {
  it('is opened at its line, in a file of the workspace only', async () => {
    const root = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    const folder = Uri.joinPath(root, 'declared');
    const file = Uri.joinPath(folder, 'A.sol');
    await workspace.fs.writeFile(file, new TextEncoder().encode('contract A {\n\n  event Done();\n}\n'));
    try {
      const origin: Origin = { trust: 'workspace', from: 'declared/A.sol', contract: 'A', line: 3 };
      assert.deepEqual([canOpen(origin), canOpen({ ...origin, trust: 'bundled' })], [true, false]);
      await openOrigin({ ...origin, from: 'other/../declared/A.sol' });
      assert.notEqual(window.activeTextEditor?.document.uri.path, file.path);
      await openOrigin(origin);
      assert.equal(window.activeTextEditor?.document.uri.path, file.path);
      assert.equal(window.activeTextEditor?.selection.active.line, 2);
    } finally {
      await commands.executeCommand('workbench.action.closeAllEditors');
      await workspace.fs.delete(folder, { recursive: true });
    }
  });
});
