import { workspace } from 'vscode';
import { writeSettings } from './extension.ts';

/** Has each test of a suite begin with these user settings, and puts back afterwards what was there before. */
export function useSettings(settings: () => Readonly<Record<string, unknown>>): void {
  let replaced: Readonly<Record<string, unknown>> = {};
  before(() => {
    const configuration = workspace.getConfiguration();
    replaced = Object.fromEntries(
      Object.keys(settings()).map((id) => [id, configuration.inspect(id)?.globalValue]),
    );
  });
  beforeEach(() => writeSettings(settings()));
  after(() => writeSettings(replaced));
}
