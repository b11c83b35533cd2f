import { commands } from 'vscode';

/** Notes the commands that `isNoted` selects, with their arguments, instead of running them, in all tests of a suite. */
export function useNotedCommands(isNoted: (id: string) => boolean): unknown[][] {
  const run: unknown[][] = [];
  const { executeCommand } = commands;
  beforeEach(() => {
    run.length = 0;
    Object.assign(commands, {
      executeCommand: async (id: string, ...args: unknown[]) =>
        isNoted(id) ? void run.push([id, ...args]) : executeCommand(id, ...args),
    });
  });
  afterEach(() => void Object.assign(commands, { executeCommand }));
  return run;
}
