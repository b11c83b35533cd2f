import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { parseArgs } from 'node:util';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import { COMMANDS, ENDPOINT_OPTIONS, OPTIONS } from '../../../src/cli/commandTable.ts';
import { createUnknownCommandError, formatHelp, formatOption } from '../../../src/cli/help.ts';

const shop = `0x${'b'.repeat(40)}`;
const plain = { env: {}, stdout: new PassThrough() };

describe('table of commands', () => {
  it('has examples that the parser takes, with options of their command alone', () => {
    for (const [name, { examples, options }] of Object.entries(COMMANDS)) {
      assert.ok(examples.length > 0, name);
      for (const example of examples) {
        const words = [...example.replace(/ < .*/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)];
        const args = words.map(([, single, double, plain]) => single ?? double ?? plain ?? '');
        assert.equal(parseCommandLine(args).command, name);
        const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true });
        for (const token of tokens) {
          if (token.kind !== 'option') continue;
          const isOwn = [...options, ...ENDPOINT_OPTIONS].some((option) => option === token.name);
          assert.ok(isOwn, `${name} --${token.name}`);
        }
      }
    }
  });

  it('refuses options of another command that would change what a result means', () => {
    for (const [args, message] of [
      [['logs', '--address', shop, '--chain-id', '1'], '--address is only for decode.'],
      [['read', shop, 'total', '--at', '-7d'], '--at is only for block.'],
      [['balance', shop, '--token', shop], '--token is only for tokens and transfers.'],
      [['check', '.', '--from', '5'], '--from is only for logs.'],
      [['check', '.', '--second', 'http://127.0.0.1:1'], '--second is only for logs.'],
    ] as const)
      assert.throws(() => parseCommandLine(args), { message });
  });

  it('suggests the name that is nearest to what was typed', () => {
    for (const [args, message] of [
      [['check', '--forma', 'text'], /^There is no option --forma\. Did you mean --format\?$/],
      [['check', '--rcp', 'x'], /Did you mean --rpc\?$/],
      [['check', '--nothing-like-it'], /^There is no option --nothing-like-it\.$/],
    ] as const)
      assert.throws(() => parseCommandLine(args), { message });
    assert.throws(() => formatHelp('balancs', plain), { message: /Did you mean balance\?$/ });
    assert.equal(createUnknownCommandError('nothing').message, 'nothing is not a command.');
  });

  it('has every option in the help', () => {
    const helps = [undefined, ...Object.keys(COMMANDS)].map((name) => formatHelp(name, plain)).join('\n');
    for (const name of Object.keys(OPTIONS) as (keyof typeof OPTIONS)[])
      assert.ok(helps.includes(`  ${formatOption(name)}`), name);
  });
});
