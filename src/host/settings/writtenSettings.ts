import type { SettingId } from '../../manifest.ts';
import { settingOf } from './settingTable.ts';

/** The part of a configuration that settings are read from. */
interface ReadableConfiguration {
  get(setting: string): unknown;
  inspect(setting: string):
    | {
        readonly globalValue?: unknown;
        readonly workspaceValue?: unknown;
        readonly workspaceFolderValue?: unknown;
      }
    | undefined;
}

/** Reads a setting as {@link parseSettings} wants it, with what others may not decide left out; undefined where nothing is written. */
export function settingReader(configuration: ReadableConfiguration, isTrusted: boolean) {
  return (setting: SettingId): unknown => {
    const { guard } = settingOf(setting) ?? {};
    if (!guard) return configuration.get(setting);
    const written = configuration.inspect(setting);
    const ofWorkspace =
      guard === 'trustedWorkspace' && isTrusted
        ? (written?.workspaceFolderValue ?? written?.workspaceValue)
        : undefined;
    return ofWorkspace ?? written?.globalValue;
  };
}
