import assert from 'node:assert/strict';
import { emptyForm, type FormField, withFieldText } from '../../../src/core/index.ts';
import { createLogsStrings } from '../../../src/features/logs/protocol/strings.ts';
import { validateForm, validateWhileTyping } from '../../../src/webview/logs/formValidation.ts';

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
    assert.match(problem('event', 'Listed(IERC20 token)') ?? '', /^Unknown type: IERC20\. Write address/);
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
