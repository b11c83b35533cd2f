import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import { COMMANDS, ENDPOINT_OPTIONS, OPTIONS } from '../../../src/cli/commandTable.ts';
import { formatHelp, formatOption } from '../../../src/cli/help.ts';

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

  it('has every option in the help', () => {
    const helps = [formatHelp(), ...Object.keys(COMMANDS).map((name) => formatHelp(name))].join('\n');
    for (const name of Object.keys(OPTIONS) as (keyof typeof OPTIONS)[])
      assert.ok(helps.includes(`  ${formatOption(name)}`), name);
  });
});
