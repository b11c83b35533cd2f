import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { COMMANDS, listCommandOptions, OPTIONS, type OptionName } from '../../../src/cli/commandTable.ts';

const ALL = Object.keys(COMMANDS);
const WITH_ENDPOINT = ALL.filter((name) => COMMANDS[name]?.takes.includes('--rpc'));
const WITH_PROVIDERS = WITH_ENDPOINT.filter((name) => COMMANDS[name]?.options.includes('sources'));
const WITH_ETHERSCAN = WITH_ENDPOINT.filter((name) => COMMANDS[name]?.options.includes('etherscan-key-env'));
const OPERATIONS = ['ask', 'mcp'];

/** The commands that show the texts of a file, where its name is not that of the command; all where it is not listed. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  'src/cli/checks/filedChecks.ts': ['check', 'transaction'],
  'src/cli/checks/checkFiles.ts': ['check'],
  'src/cli/checks/checkResult.ts': ['check'],
  'src/cli/commands/address.ts': ['transfers', 'balances'],
  'src/cli/commands/failedTransactions.ts': ['transaction'],
  'src/cli/logGroups.ts': ['logs'],
  'src/cli/logDecoding.ts': WITH_PROVIDERS,
  'src/cli/operationDeps.ts': OPERATIONS,
  'src/cli/endpoint.ts': WITH_ETHERSCAN,
  // Its text on the missing folder is also of `code`, which has the option.
  'src/core/operations': OPERATIONS,
};

/** They list options, or speak of the one that was given. */
const ABOUT_ALL: readonly string[] = ['commandLine.ts', 'commandTable.ts', 'exitCode.ts', 'help.ts'];
/** Commands of other tools. */
const OF_OTHERS = /^src\/(?:core\/copyAs|cli\/action|cli\/mcp)\//;

function listFiles(folder: string): readonly string[] {
  return readdirSync(fromRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
}

function findCommands(file: string): readonly string[] {
  const place = Object.keys(SHOWN_BY).find((path) => file.startsWith(path));
  if (place !== undefined) return SHOWN_BY[place] ?? [];
  const name = /commands\/(\w+)\.ts$/.exec(file)?.[1];
  return name === undefined ? WITH_ENDPOINT : [name];
}

/** The options in the sentences of a file. */
function listHints(source: string): readonly string[] {
  const code = source.replace(/\/\*.*?\*\/|^\s*\/\/[^\n]*/gms, '');
  const sentences = [...code.matchAll(/'(?:[^'\n\\]|\\.)* (?:[^'\n\\]|\\.)*'|`[^`\n]* [^`\n]*`/g)];
  return sentences.flatMap(([text]) => [...text.matchAll(/--([a-z][a-z-]*)/g)].map(([, name]) => name ?? ''));
}

describe('hints of the command line', () => {
  it('name options that the command has', () => {
    let hints = 0;
    for (const file of [...listFiles('src/cli'), ...listFiles('src/core')]) {
      if (OF_OTHERS.test(file) || ABOUT_ALL.some((name) => file === `src/cli/${name}`)) continue;
      for (const option of listHints(readFileSync(fromRoot(file), 'utf8'))) {
        hints += 1;
        assert.ok(Object.hasOwn(OPTIONS, option), `${file}: --${option}`);
        for (const name of findCommands(file)) {
          const command = COMMANDS[name] ?? assert.fail(`${file} is of no command: ${name}`);
          assert.ok(
            listCommandOptions(command).includes(option as OptionName),
            `${file}: ${name} --${option}`,
          );
        }
      }
    }
    assert.ok(hints > 30, String(hints));
  });
});
