import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builtInNetworks, quoteCurrencies } from '../../src/core/index.ts';
import {
  loadAllLimitRange,
  pollSecondsRange,
  settingDefaults,
  viewContainerId,
  viewIds,
} from '../../src/manifest.ts';

interface Menu {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}
interface Setting {
  readonly default: unknown;
  readonly scope: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}
interface Step {
  readonly id: string;
  readonly completionEvents: readonly string[];
  readonly media: { readonly svg: string };
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = read('package.json');
const manifest = JSON.parse(text);
const words: Record<string, string> = JSON.parse(read('package.nls.json'));
const { contributes } = manifest;
const menus: Record<string, readonly Menu[]> = contributes.menus;
const commands: readonly { command: string; title: string; category: string }[] = contributes.commands;
const isCommand = (id: string) => commands.some(({ command }) => command === id);
const settings: Record<string, Setting> = contributes.configuration.properties;

describe('package.json', () => {
  it('contributes commands in one category, each with its title under its own name, and none twice', () => {
    const ids = commands.map(({ command }) => command);
    assert.deepEqual([...new Set(ids)], ids);
    assert.deepEqual([...new Set(commands.map(({ category }) => category))], ['Chainside']);
    for (const { command, title } of commands) {
      assert.equal(title, `%${command.replace('chainside.', 'command.')}%`);
    }
    const titled = Object.keys(words).filter((key) => /^command\.(?!.*\.about$)/.test(key));
    assert.deepEqual(titled.sort(), ids.map((id) => id.replace('chainside.', 'command.')).sort());
  });

  it('says what a command does if it is in the palette, and of the others shows only there what acts on a panel', () => {
    const when = new Map(menus.commandPalette?.map((entry) => [entry.command, entry.when]));
    const inPanel = new Set(menus['editor/title']?.map(({ command }) => command));
    for (const { command } of commands) {
      const about = words[`${command.replace('chainside.', 'command.')}.about`];
      assert.equal(about === undefined, when.get(command) === 'false', command);
      if (inPanel.has(command)) assert.match(when.get(command) ?? '', /^activeWebviewPanelId == /, command);
    }
  });

  it('names no command, submenu, view or context key that is not there', () => {
    const submenus: { id: string }[] = contributes.submenus;
    for (const [menu, entries] of Object.entries(menus)) {
      for (const { command, submenu, when } of entries) {
        if (command !== undefined) assert.ok(isCommand(command), `${menu}: ${command}`);
        if (submenu !== undefined)
          assert.ok(
            submenus.some(({ id }) => id === submenu),
            `${menu}: ${submenu}`,
          );
        for (const [, view] of (when ?? '').matchAll(/view == ([\w.]+)/g)) {
          assert.ok(Object.values<string | undefined>(viewIds).includes(view), `${menu}: ${view}`);
        }
      }
    }
    const contextKeys = read('src/manifest.ts').match(/interface ContextKeys \{[^}]*\}/)?.[0] ?? '';
    for (const [, key] of text.matchAll(
      /(?:^|[\s!"(])(chainside\.(?:editorHas|has|logs\.(?:exportable|more|running)|nfts\.(?:can[A-Z]|running))\w*)/g,
    )) {
      assert.ok(contextKeys.includes(`'${key}'`), key);
    }
  });

  it('contributes exactly the settings that are read, with their defaults', () => {
    const defaults = Object.entries(settings).map(([id, setting]) => [id, setting.default]);
    assert.deepEqual(Object.fromEntries(defaults), settingDefaults);
    for (const id of Object.keys(settings)) {
      const prefixed = Object.keys(settings).filter((other) => other.startsWith(`${id}.`));
      assert.deepEqual(prefixed, [], `${id} must not be the start of another key`);
    }
  });

  it('bounds settings as they are checked', () => {
    const bounds = {
      'chainside.poll.seconds': pollSecondsRange,
      'chainside.logs.loadAllLimit': loadAllLimitRange,
    };
    for (const [id, range] of Object.entries(bounds)) {
      const { minimum, maximum } = settings[id] ?? {};
      assert.deepEqual({ minimum, maximum }, range, id);
    }
    assert.deepEqual(settings['chainside.dataApi.quoteCurrency']?.enum, quoteCurrencies);
    assert.ok(builtInNetworks.some(({ id }) => id === settingDefaults['chainside.network']));
  });

  it('keeps from a workspace what decides where requests and the key go', () => {
    for (const id of ['chainside.networks', 'chainside.dataApi.keyIn', 'chainside.nft.ipfsGateway']) {
      assert.equal(settings[id]?.scope, 'application', id);
    }
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    const restricted = ['network', 'networks', 'dataApi.keyIn', 'nft.ipfsGateway'];
    for (const id of restricted.map((name) => `chainside.${name}`)) {
      assert.ok(restrictedConfigurations.includes(id), id);
    }
    for (const id of restrictedConfigurations) assert.ok(id in settings, id);
  });

  it('contributes the views', () => {
    const views: { id: string; icon: string }[] = contributes.views[viewContainerId];
    assert.deepEqual(views.map(({ id }) => id).sort(), Object.values(viewIds).sort());
  });

  it('has every text in package.nls.json, and none there that is not used', () => {
    const used = new Set([...text.matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key));
    // What a command does is for the README alone.
    const named = Object.keys(words).filter((key) => !key.endsWith('.about'));
    assert.deepEqual([...used].sort(), named.sort());
    for (const [key, value] of Object.entries(words)) assert.notEqual(value.trim(), '', key);
    const links = Object.values(words).flatMap((value) => [...value.matchAll(/\(command:([\w.]+)\)/g)]);
    for (const [, command] of links) assert.ok(command !== undefined && isCommand(command), command);
  });

  it('has a walkthrough of four steps, each with a picture and an end', () => {
    const [walkthrough] = contributes.walkthroughs;
    const steps: readonly Step[] = walkthrough.steps;
    assert.equal(steps.length, 4);
    for (const { id, media, completionEvents } of steps) {
      assert.match(read(media.svg), /<svg /, id);
      for (const event of completionEvents) {
        const [kind, name = ''] = event.split(':');
        if (kind === 'onCommand') assert.ok(isCommand(name), event);
        else if (kind === 'onSettingChanged') assert.ok(name in settings, event);
        else assert.equal(event, 'onContext:chainside.hasKey');
      }
    }
  });
});
