import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { readSection } from '../settingSection.ts';
import { EventEmitter } from './classes.ts';

export type SettingValues = Readonly<Record<string, unknown>>;

export interface SettingsManifest {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
    }[];
  };
}

/** As `ConfigurationTarget` of the editor. */
const TARGET_WORKSPACE = 2;

/** Settings of the user and of the workspace over the defaults of the manifest; undefined removes one. */
export function createConfiguration({ contributes }: SettingsManifest, written: SettingValues) {
  const changed = new EventEmitter<vscode.ConfigurationChangeEvent>();
  const defaults: SettingValues = Object.fromEntries(
    contributes.configuration
      .flatMap(({ properties }) => Object.entries(properties))
      .map(([id, property]) => [id, property.default]),
  );
  const values = { user: written, workspace: {} as SettingValues };

  function update(changes: SettingValues, layer: keyof typeof values = 'user'): void {
    const before = values[layer];
    const plain: SettingValues = Object.fromEntries(
      Object.entries(changes).map(([id, value]) => [id, value === undefined ? undefined : toPlain(value)]),
    );
    values[layer] = { ...before, ...plain };
    const ids = Object.keys(plain).filter((id) => !isDeepStrictEqual(before[id], plain[id]));
    if (ids.length === 0) return;
    const isAffected = (section: string) => ids.some((id) => id === section || id.startsWith(`${section}.`));
    changed.fire({ affectsConfiguration: isAffected });
  }

  function assertUnchanged(): void {
    const now = JSON.parse(JSON.stringify(values));
    assert.deepEqual(now, { user: written, workspace: {} }, 'settings are left behind');
  }

  const getConfiguration = (section?: string) => {
    const idOf = (name: string) => (section === undefined ? name : `${section}.${name}`);
    return {
      get: (name: string, fallback?: unknown) => {
        const id = idOf(name);
        return values.workspace[id] ?? values.user[id] ?? defaults[id] ?? fallback;
      },
      has: (name: string) => idOf(name) in defaults,
      inspect: (name: string) => ({
        key: idOf(name),
        defaultValue: readSection(defaults, idOf(name)),
        globalValue: readSection(values.user, idOf(name)),
        workspaceValue: readSection(values.workspace, idOf(name)),
      }),
      update: async (name: string, value: unknown, target?: unknown) =>
        update({ [idOf(name)]: value }, target === TARGET_WORKSPACE ? 'workspace' : 'user'),
    };
  };
  return { update, assertUnchanged, api: { getConfiguration, onDidChangeConfiguration: changed.event } };
}

function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
