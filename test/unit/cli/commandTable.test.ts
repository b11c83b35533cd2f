import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { parseArgs } from 'node:util';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import { COMMANDS, listCommandOptions, OPTIONS, type OptionName } from '../../../src/cli/commandTable.ts';
import { createUnknownCommandError, formatHelp, formatOption } from '../../../src/cli/help.ts';

const shop = `0x${'b'.repeat(40)}`;
/** Parses values that are not right for their option, which is refused for its own reason. */
function parseIgnoringOthers(args: readonly string[], refusal: RegExp): void {
  try {
    parseCommandLine(args);
  } catch (error) {
    if (refusal.test((error as Error).message)) throw error;
  }
}

const plain = { env: {}, stdout: new PassThrough() };

describe('table of commands', () => {
  it('has examples that the parser takes, with options of their command alone', () => {
    for (const [name, command] of Object.entries(COMMANDS)) {
      const { examples } = command;
      assert.ok(examples.length > 0, name);
      for (const example of examples) {
        const words = [...example.replace(/ < .*/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)];
        const args = words.map(([, single, double, plain]) => single ?? double ?? plain ?? '');
        assert.equal(parseCommandLine(args).command, name);
        const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true });
        for (const token of tokens) {
          if (token.kind !== 'option') continue;
          assert.ok(
            listCommandOptions(command).includes(token.name as OptionName),
            `${name} --${token.name}`,
          );
        }
      }
    }
  });

  it('takes of each option what the command uses, and refuses the others', () => {
    const values = { at: '-7d', address: shop, 'trust-hash': `0x${'1'.repeat(64)}`, sample: '1' };
    for (const [name, command] of Object.entries(COMMANDS)) {
      const own = listCommandOptions(command);
      for (const [option, { type }] of Object.entries(OPTIONS)) {
        if (['help', 'version'].includes(option)) continue;
        const value = { ...values }[option as 'at'] ?? '1';
        const args = [name, type === 'boolean' ? `--${option}` : `--${option}=${value}`];
        const refusal = { message: new RegExp(`^--${option} is only for `) };
        if (own.includes(option as OptionName))
          assert.doesNotThrow(() => parseIgnoringOthers(args, refusal.message));
        else assert.throws(() => parseCommandLine(args), refusal, args.join(' '));
      }
    }
  });

  it('refuses an option that needs another one, or contradicts it', () => {
    for (const [args, message] of [
      [['logs', '--sample', '5'], '--sample needs --second. Add it, or remove --sample.'],
      [['transaction', shop, '--block', '5'], '--block needs --simulate. Add it, or remove --block.'],
      [['transaction', shop, '--to', '5'], '--to needs --failed. Add it, or remove --to.'],
      [['transaction', '--failed'], '--failed needs --from. Add it, or remove --failed.'],
      [['check', '.', '--json', '--format', 'text'], 'Use --json or --format, not both.'],
    ] as const)
      assert.throws(() => parseCommandLine(args), { message });
    assert.doesNotThrow(() => parseCommandLine(['check', '.', '--json', '--format', 'json']));
  });

  it('takes arguments and values that begin with a minus', () => {
    assert.deepEqual(parseCommandLine(['check', '-1.chain.md', ' -2.chain.md']).files, [
      '-1.chain.md',
      ' -2.chain.md',
    ]);
    assert.equal(parseCommandLine(['logs', '--query', '-1.json']).query, '-1.json');
    assert.equal(parseCommandLine(['contracts', '-1']).subject, '-1');
    assert.deepEqual(parseCommandLine(['read', shop, 'add', '-5']).readArguments, ['-5']);
    assert.deepEqual(parseCommandLine(['logs', '--from', '-7d', '--to=-1d']).bounds, {
      fromBlock: '-7d',
      toBlock: '-1d',
    });
    assert.equal(parseCommandLine(['mcp', '--name', '-x- Chain']).networkName, '-x- Chain');
    assert.throws(() => parseCommandLine(['mcp', '--name', '--symbol']), { message: /--name needs a value/ });
  });

  it('refuses options of another command that would change what a result means', () => {
    for (const [args, message] of [
      [['logs', '--address', shop, '--chain-id', '1'], '--address is only for decode and transaction.'],
      [['read', shop, 'total', '--at', '-7d'], '--at is only for block.'],
      [['balance', shop, '--token', shop], '--token is only for tokens and transfers.'],
      [['check', '.', '--from', '5'], '--from is only for logs, read and transaction.'],
      [['check', '.', '--second', 'http://127.0.0.1:1'], '--second is only for logs.'],
    ] as const)
      assert.throws(() => parseCommandLine(args), { message });
  });

  it('suggests the name that is nearest to what was typed', () => {
    for (const [args, message] of [
      [['check', '--forma', 'text'], /^There is no option --forma\. Did you mean --format\?$/],
      [['check', '--rcp', 'x'], /Did you mean --rpc\?$/],
      [['block', '--nope'], /^There is no option --nope\.$/],
      [['transfers', '--pags', '2'], /Did you mean --pages\?$/],
      [['state', '--pags', '2'], /^There is no option --pags\.$/],
      [['balance', '--jsno'], /Did you mean --json\?$/],
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
