import { workspace } from 'vscode';
import { writeSettings } from './extension.ts';

/** Writes user settings before each test of a suite, and afterwards puts back what was there. */
export function useSettings(settings: () => Readonly<Record<string, unknown>>): void {
  let before: Readonly<Record<string, unknown>> = {};
  beforeEach(async () => {
    const written = settings();
    const configuration = workspace.getConfiguration();
    before = Object.fromEntries(
      Object.keys(written).map((id) => [id, configuration.inspect(id)?.globalValue]),
    );
    await writeSettings(written);
  });
  afterEach(() => writeSettings(before));
}
