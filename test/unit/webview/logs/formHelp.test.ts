import assert from 'node:assert/strict';
import { emptyForm, type FormField, withFieldText } from '../../../../src/core/index.ts';
import { createLogsStrings } from '../../../../src/features/logs/protocol/strings.ts';
import { completeBool } from '../../../../src/webview/kit/suggestions.ts';
import { suggestAddresses, suggestEvents } from '../../../../src/webview/logs/formHelp.ts';
import {
  completeListItem,
  joinListLines,
  validateForm,
  validateWhileTyping,
} from '../../../../src/webview/logs/formValidation.ts';
import type { LogsState } from '../../../../src/webview/logs/logsState.ts';

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
  const strings = { nearestTypes: 'Closest valid types' };
  return { state: { host, strings, form: { value: emptyForm } } as unknown as LogsState, asked };
}

function typed(text: string, { caret = text.length, wanted: isRequested = false } = {}) {
  return { text, caret, isRequested: isRequested };
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
    await suggestAddresses(state, typed(`0x${'12'.repeat(20)}`), { signal });
    await suggestAddresses(state, typed(''), { signal });
    assert.deepEqual(asked, [
      ['completeAddresses', 'Trea'],
      ['completeAddresses', '0x12'],
    ]);
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
    assert.deepEqual(await completeBool(typed('t')), []);
    assert.deepEqual(
      (await completeBool(typed('', { wanted: true }))).map(({ value }) => value),
      ['true', 'false'],
    );
  });
});

const strings = createLogsStrings({ t: (message) => message });
const EVENT =
  'Moved(address indexed to, int8 indexed by, bytes4 indexed kind, bool, (uint8 a), string, bytes, uint256[])';
const ADDRESS = `0x${'a1'.repeat(20)}`;

describe('what is wrong while it is typed', () => {
  const problem = (field: FormField, text: string, event = EVENT) =>
    validateWhileTyping(withFieldText({ ...emptyForm, event }, field, text), field, strings);

  it('is an unknown type, as soon as it stands there whole, with the nearest', () => {
    assert.equal(problem('event', 'Transfer(adress'), undefined);
    assert.equal(problem('event', 'Transfer(adress,'), 'Unknown type: adress. Did you mean address?');
    assert.match(problem('event', 'Listed(IERC20 token)') ?? '', /^Unknown type: IERC20\. Use address/);
    assert.equal(problem('event', 'Transfer(address,'), undefined);
  });

  it('is said in the same words where the event is judged as a whole', () => {
    const form = { ...emptyForm, event: 'Transfer(adress,uint)' };
    assert.equal(validateForm(form, strings).event, 'Unknown type: adress. Did you mean address?');
    assert.match(validateForm({ ...form, event: 'Transfer(' }, strings).event ?? '', /^Not an event/);
  });

  it('is nothing that may still become right', () => {
    for (const [field, texts] of [
      ['address', ['0', '0x', '0xa1', ADDRESS, `${ADDRESS}, 0xa`, 'Treas']],
      ['args.to', ['0x', 'Treas', ADDRESS]],
      ['args.by', ['-', '-1', '0x', '1_']],
      ['args.kind', ['0x', '0x1234', '0x12345678']],
      ['topic1', ['0x', '-', 'tr']],
      ['fromBlock', ['x']],
    ] as const) {
      for (const text of texts) assert.equal(problem(field, text), undefined, `${field} ${text}`);
    }
  });

  it('is what stays wrong however it goes on', () => {
    for (const [field, text] of [
      ['address', '0xzz'],
      ['address', `${ADDRESS}0`],
      ['address', `0x12, ${ADDRESS}`],
      ['args.to', '0x12,'],
      ['args.by', '128'],
      ['args.by', 'x'],
      ['args.kind', '0x1234567890'],
      ['args.kind', 'kind'],
    ] as const) {
      assert.notEqual(problem(field, text), undefined, `${field} ${text}`);
    }
    assert.notEqual(problem('topic1', 'maybe', 'Set(bool)'), undefined);
    assert.equal(problem('topic1', 'fal', 'Set(bool)'), undefined);
  });
});
