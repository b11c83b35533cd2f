import { type SettingId, settingDefaults } from '../../manifest.ts';

/** The part of a configuration that settings are read from. */
export interface ReadableConfiguration {
  get(setting: string): unknown;
  inspect(setting: string):
    | {
        readonly globalValue?: unknown;
        readonly workspaceValue?: unknown;
        readonly workspaceFolderValue?: unknown;
      }
    | undefined;
}

/**
 * Who may decide where requests and the key go: the user alone, or a trusted workspace too. A default counts in none
 * of them, since any extension can give another one (`configurationDefaults`) and put entries into an object.
 */
const guarded: Partial<Readonly<Record<SettingId, 'user' | 'trustedWorkspace'>>> = {
  'chainside.network': 'trustedWorkspace',
  'chainside.networks': 'user',
  'chainside.dataApi.keyIn': 'user',
  'chainside.nft.ipfsGateway': 'user',
};

/** Reads a setting as {@link parseSettings} wants it, with what others may not decide left out. */
export function settingReader(configuration: ReadableConfiguration, isTrusted: boolean) {
  return (setting: SettingId): unknown => {
    const guard = guarded[setting];
    if (!guard) return configuration.get(setting);
    const written = configuration.inspect(setting);
    const ofWorkspace =
      guard === 'trustedWorkspace' && isTrusted
        ? (written?.workspaceFolderValue ?? written?.workspaceValue)
        : undefined;
    return ofWorkspace ?? written?.globalValue ?? settingDefaults[setting];
  };
}
