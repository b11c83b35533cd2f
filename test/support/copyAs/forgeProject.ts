import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forge } from '../../../scripts/support/foundry/forge.ts';
import type { Hex, Log } from '../../../src/core/index.ts';

/** Where a copied test wants its user to call something. */
const PLACE = /^ +\/\/ Insert the call that emits .+\.$/m;

/** A copied test, and the logs that are emitted in it. */
export interface ForgeCase {
  readonly text: string;
  readonly logs: readonly Log[];
}

/**
 * Runs copied tests with forge, each with its logs emitted by their contracts.
 *
 * @returns whether each of them passed, in order.
 */
export async function runForgeTests(cases: readonly ForgeCase[]): Promise<readonly boolean[]> {
  const project = await mkdtemp(join(tmpdir(), 'chainside-forge-'));
  try {
    await mkdir(join(project, 'test'));
    await writeFile(join(project, 'foundry.toml'), '[profile.default]\nvia_ir = false\n');
    for (const [index, { text, logs }] of cases.entries()) {
      if (!PLACE.test(text)) throw new Error(`There is no place for the call in:\n${text}`);
      const body = text
        .replace(PLACE, 'this.emitAll();')
        .replace('    function test_', () => `${emitAll(logs)}    function test_`);
      await writeFile(join(project, 'test', `Case${index}.t.sol`), `${body}${CHEATS}`);
    }
    const printed = await forge(['test', '--json', '--allow-failure'], project);
    const results = JSON.parse(printed.slice(printed.indexOf('{')));
    return cases.map((_, index) => {
      const suite = results[`test/Case${index}.t.sol:ExpectedLogsTest`];
      return suite.test_results['test_emitsExpectedLogs()'].status === 'Success';
    });
  } finally {
    await rm(project, { recursive: true });
  }
}

/** A function that emits them, each from its contract: what is expected is to come of one call. */
function emitAll(logs: readonly Log[]): string {
  const calls = logs.map((log) => {
    const code = emitterCode(log).slice(2);
    return `        Emitters.emitFrom(address(uint160(${BigInt(log.address)})), hex"${code}");\n`;
  });
  return `    function emitAll() external {\n${calls.join('')}    }\n`;
}

const CHEATS = `
interface IEtch {
    function etch(address target, bytes calldata code) external;
}

library Emitters {
    function emitFrom(address emitter, bytes memory code) internal {
        IEtch(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).etch(emitter, code);
        (bool done,) = emitter.call("");
        require(done);
    }
}
`;

/** Code of a contract that emits this one log, whatever it is called with. */
export function emitterCode({ topics, data }: Pick<Log, 'topics' | 'data'>): Hex {
  const size = data.length / 2 - 1;
  const pushes = topics.toReversed().map((topic) => `7f${topic.slice(2)}`);
  const emit = `${pushes.join('')}${push(size)}6000${(0xa0 + topics.length).toString(16)}00`;
  // CODECOPY of what stands behind the code.
  const offset = 9 + emit.length / 2;
  return `0x${push(size)}${push(offset)}600039${emit}${data.slice(2)}`;
}

function push(value: number): string {
  return `61${value.toString(16).padStart(4, '0')}`;
}
