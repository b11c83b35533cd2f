import type * as vscode from 'vscode';
import { readSection } from '../../support/settingSection.ts';
import { EventEmitter } from './editorTypes.ts';

export type SettingValues = Readonly<Record<string, unknown>>;

export interface SettingsManifest {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
    }[];
  };
}

/** Settings of the user alone, over the defaults of the manifest; undefined takes one away. */
export function createConfiguration({ contributes }: SettingsManifest, written: SettingValues) {
  const changed = new EventEmitter<vscode.ConfigurationChangeEvent>();
  const defaults: SettingValues = Object.fromEntries(
    contributes.configuration
      .flatMap(({ properties }) => Object.entries(properties))
      .map(([id, property]) => [id, property.default]),
  );
  let values = written;

  function update(changes: SettingValues): void {
    values = { ...values, ...changes };
    const ids = Object.keys(changes);
    const isAffected = (section: string) => ids.some((id) => id === section || id.startsWith(`${section}.`));
    changed.fire({ affectsConfiguration: isAffected });
  }

  const getConfiguration = (section?: string) => {
    const idOf = (name: string) => (section === undefined ? name : `${section}.${name}`);
    return {
      get: (name: string, fallback?: unknown) => values[idOf(name)] ?? defaults[idOf(name)] ?? fallback,
      has: (name: string) => idOf(name) in defaults,
      inspect: (name: string) => ({
        key: idOf(name),
        ...{ defaultValue: readSection(defaults, idOf(name)), globalValue: readSection(values, idOf(name)) },
      }),
      update: async (name: string, value: unknown) => update({ [idOf(name)]: value }),
    };
  };
  return { update, api: { getConfiguration, onDidChangeConfiguration: changed.event } };
}
