import assert from 'node:assert/strict';
import { emptyForm } from '../../../src/core/index.ts';
import { suggestAddresses, suggestBools, suggestEvents } from '../../../src/webview/logs/formHelp.ts';
import { completeListItem, joinListLines } from '../../../src/webview/logs/formValidation.ts';
import type { LogsState } from '../../../src/webview/logs/logsState.ts';

const { signal } = new AbortController();

/** The view of a form, and what it has asked the host. */
function view(answer: readonly { readonly label: string }[] = []) {
  const asked: unknown[] = [];
  const host = {
    async request(method: string, params: unknown) {
      asked.push([method, params]);
      return answer;
    },
  };
  const strings = { nearestTypes: 'With the nearest types' };
  return { state: { host, strings, form: { value: emptyForm } } as unknown as LogsState, asked };
}

function typed(text: string, { caret = text.length, wanted = false } = {}) {
  return { text, caret, wanted };
}

describe('suggestions', () => {
  it('are asked for while the name of an event is typed', async () => {
    const { state, asked } = view();
    await suggestEvents(state, typed(' Trans'), { signal });
    assert.deepEqual(asked, [['completeEvents', { text: 'Trans', address: '' }]]);
  });

  it('are not made for an event that is typed in full, nor for a topic0', async () => {
    const { state, asked } = view();
    for (const text of ['', 'Transfer(address,address,uint256)', '0xddf2']) {
      assert.deepEqual(await suggestEvents(state, typed(text), { signal }), []);
    }
    assert.deepEqual(asked, []);
  });

  it('mend the types of an event, and are then those that fit it', async () => {
    const { state, asked } = view([{ label: 'Transfer(address indexed from)' }]);
    const offered = await suggestEvents(state, typed('Transfer(adress,uint)'), { signal });
    assert.deepEqual(asked, [['completeEvents', { text: 'Transfer(address,uint)', address: '' }]]);
    assert.deepEqual(
      offered.map(({ label }) => label),
      ['Transfer(address,uint)', 'Transfer(address indexed from)'],
    );
  });

  it('are those of the same name where the list of a whole event is opened', async () => {
    const { state, asked } = view();
    await suggestEvents(state, typed('Transfer(address,address,uint256)', { wanted: true }), { signal });
    assert.deepEqual(asked, [['completeEvents', { text: 'Transfer', address: '' }]]);
  });

  it('are of the name around the caret, among several addresses', async () => {
    const { state, asked } = view();
    await suggestAddresses(state, typed('0x12, Trea, Other', { caret: 10 }), { signal });
    await suggestAddresses(state, typed('0x12'), { signal });
    await suggestAddresses(state, typed(''), { signal });
    assert.deepEqual(asked, [['completeAddresses', 'Trea']]);
  });

  it('end where a name is typed in full, but where two are called so', async () => {
    const [vault, vaults] = [{ label: 'Vault' }, { label: 'Vaults' }];
    const offered = async (found: readonly { readonly label: string }[], wanted = false) =>
      (await suggestAddresses(view(found).state, typed('Vault', { wanted }), { signal })).length;
    assert.equal(await offered([vault, vaults]), 0);
    assert.equal(await offered([vault, vaults], true), 2);
    assert.equal(await offered([vault, vault]), 2);
    assert.equal(await offered([vaults]), 1);
  });

  it('take the place of what is around the caret', () => {
    assert.equal(completeListItem(typed('Tre'), '0xAA'), '0xAA');
    assert.equal(completeListItem(typed('0x12, Tre, Other', { caret: 9 }), '0xAA'), '0x12, 0xAA, Other');
    assert.equal(completeListItem(typed('0x12; '), '0xAA'), '0x12; 0xAA');
    assert.equal(completeListItem(typed('a, b', { caret: 0 }), '0xAA'), '0xAA, b');
  });

  it('take the place of a part of a list, in its quotes', () => {
    assert.equal(completeListItem(typed('["0x12", "Tre', { caret: 13 }), '0xAA'), '["0x12", "0xAA"');
    assert.equal(completeListItem(typed('0x12,'), '0xAA'), '0x12, 0xAA');
    assert.equal(completeListItem(typed('0x12 Tre'), '0xAA'), '0x12 0xAA');
  });

  it('are of the name within a quote that is not closed yet', async () => {
    const { state, asked } = view();
    await suggestAddresses(state, typed('["0x12", "Cold wal'), { signal });
    assert.deepEqual(asked, [['completeAddresses', 'Cold wal']]);
  });

  it('keep the lines of a pasted list apart', () => {
    assert.equal(joinListLines('0x12\nCold wallet\r\n\r\nTreasury'), '0x12, Cold wallet, Treasury');
    assert.equal(joinListLines('[\n  "0x12",\n  "0x34"\n]'), '[ "0x12", "0x34" ]');
  });

  it('of a bool are its two values, where they are asked for', async () => {
    assert.deepEqual(await suggestBools(typed('t')), []);
    assert.deepEqual(
      (await suggestBools(typed('', { wanted: true }))).map(({ value }) => value),
      ['true', 'false'],
    );
  });
});
