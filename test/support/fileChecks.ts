import { join } from 'node:path';
import { parseLines, runCli } from './runCli.ts';
import { writeFiles } from './writeFiles.ts';

/** Writes files into a folder, and has the command line check them at an endpoint. */
export function fileChecks(place: () => { readonly folder: string; readonly url: string }) {
  async function write(name: string, content: string | object): Promise<string> {
    // With a line for each member, as findings name the line.
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    await writeFiles(place().folder, { [name]: text });
    return join(place().folder, name);
  }

  const check = (...args: readonly string[]) => checkWith({}, ...args);
  async function checkWith(options: Parameters<typeof runCli>[1], ...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['check', '--rpc', place().url, ...args], options);
    return { code, lines: parseLines(stdout), stderr };
  }

  /** The lines of questions, each in a file of its own. */
  async function checkEach(questions: readonly object[]) {
    const files = questions.map((question, index) =>
      write(`case${index}.chainlog.json`, { chainId: 31337, ...question }),
    );
    return (await check(...(await Promise.all(files)))).lines;
  }

  return { write, check, checkWith, checkEach };
}
