import { commands } from 'vscode';

/** For the tests of a suite: notes commands of which `isNoted` holds, with their arguments, in place of running them. */
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
