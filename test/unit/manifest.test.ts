import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { quoteCurrencies } from '../../src/core/index.ts';
import { type Setting as ReadSetting, settingTable } from '../../src/host/settings/settingTable.ts';
import {
  contextKeys,
  documentSchemes,
  logsPanelType,
  nftPanelType,
  readsPanelType,
  rowTokens,
  statePanelType,
  viewContainerId,
  viewIds,
} from '../../src/manifest.ts';

interface Menu {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}
interface WelcomeText {
  readonly when?: string;
  readonly contents: string;
}
interface Setting {
  readonly default: unknown;
  readonly scope: string;
  readonly order: number;
  readonly tags?: readonly string[];
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
const groups: readonly { readonly properties: Record<string, Setting> }[] = contributes.configuration;
const settings: Record<string, Setting> = Object.assign({}, ...groups.map(({ properties }) => properties));

/** Every `when` in the manifest. */
const conditions: readonly string[] = [...text.matchAll(/"when": ("(?:[^"\\]|\\.)*")/g)].map(
  ([, when = '']) => JSON.parse(when),
);
/** Context keys of the editor, and those that a cell of a webview's grid brings. */
const otherKeys: readonly string[] = [
  ...['false', 'view', 'viewItem', 'activeWebviewPanelId', 'webviewId', 'resourceFilename', 'notebookType'],
  ...[
    'webviewSection',
    'canOpenExplorer',
    'canFilterBy',
    'canGoToEvent',
    'holdsAddress',
    'holdsInteger',
    'resourceFilename',
    'workspaceFolderCount',
    'virtualWorkspace',
    'isWorkspaceTrusted',
    'resourceExtname',
    'resourceScheme',
    ...['focusedView', 'listFocus', 'inputFocus', 'terminalTextSelected', 'activeViewlet'],
  ],
];

/** Commands of the editor that our texts link to. */
const editorCommands: readonly string[] = ['vscode.openFolder', 'workbench.trust.manage'];

/** The context keys of a condition: each name that stands on the left of a comparison, or alone. */
function keysIn(when: string): readonly string[] {
  const sides = when.replaceAll(/(==|!=) *('[^']*'|[\w.:]+)|=~ *\/[^/]*\//g, '').replaceAll(/[!()]/g, ' ');
  return sides.split(/&&|\|\|/).map((key) => key.trim());
}

/** The tokens of a row that a condition looks for, of a pattern all its alternatives. */
function tokensIn(when: string): readonly string[] {
  const equal = [...when.matchAll(/viewItem == ([\w:]+)/g)].map(([, token = '']) => token);
  const patterns = [...when.matchAll(/viewItem =~ \/([^/]*)\//g)].flatMap(([, pattern = '']) => {
    const [, before = '', either = '', after = ''] =
      /^([\w:]*)(?:\(([\w|]+)\))?([\w:]*)$/.exec(pattern.replaceAll(/\\b|[$^]/g, '')) ??
      assert.fail(`${when}: a pattern that is no list of tokens`);
    return either.split('|').map((token) => `${before}${token}${after}`);
  });
  return [...equal, ...patterns];
}

const readSettings = Object.values<ReadSetting<unknown>>(settingTable);

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

  it('says what a command does if it is in the palette, and of the others shows only there what acts on a panel or a file of ours', () => {
    const when = new Map(menus.commandPalette?.map((entry) => [entry.command, entry.when]));
    const inPanel = new Set(menus['editor/title']?.map(({ command }) => command));
    for (const { command } of commands) {
      const about = words[`${command.replace('chainside.', 'command.')}.about`];
      assert.equal(about === undefined, when.get(command) === 'false', command);
      if (inPanel.has(command))
        assert.match(when.get(command) ?? '', /^(?:activeWebviewPanelId == |resourceFilename =~ )/, command);
    }
  });

  it('always offers at most 20 commands', () => {
    const conditional = new Set(menus.commandPalette?.map(({ command }) => command));
    assert.ok(commands.filter(({ command }) => !conditional.has(command)).length <= 20);
  });

  it('names no command, submenu or view that is not there', () => {
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
  });

  it('says that a view is empty, or that a key is missing, only once that is known', () => {
    const ofEditor = ['workspaceFolderCount', '!isWorkspaceTrusted'];
    for (const { when = '', contents } of contributes.viewsWelcome as readonly WelcomeText[]) {
      const parts = when.split(' && ');
      const isOfEditor = parts.every((part) => ofEditor.some((own) => part.startsWith(own)));
      const isKnown = parts.some((part) => /^chainside\.\w+\.read$/.test(part));
      assert.ok((when !== '' && isOfEditor) || isKnown, contents);
      assert.ok(!parts.some((part) => part.startsWith('!chainside.')), contents);
    }
  });

  it('names in its conditions every context key that the extension sets, and no other', () => {
    const events = contributes.walkthroughs
      .flatMap(({ steps }: { steps: readonly Step[] }) => steps)
      .flatMap(({ completionEvents }: Step) => completionEvents)
      .filter((event: string) => event.startsWith('onContext:'))
      .map((event: string) => event.slice('onContext:'.length));
    const named = new Set([...conditions.flatMap(keysIn), ...events]);
    for (const key of named) {
      const known = key.startsWith('chainside.') ? contextKeys : otherKeys;
      assert.ok(
        known.some((each) => each === key),
        key,
      );
    }
    assert.deepEqual(
      [...named].filter((key) => key.startsWith('chainside.')).sort(),
      [...contextKeys].sort(),
    );
  });

  for (const [view, tokens] of Object.entries(rowTokens)) {
    it(`names in the menus of ${view} every token that its rows carry, and no other`, () => {
      const ofView = conditions.filter((when) => when.includes(`view == ${view} `));
      const named = new Set(ofView.flatMap(tokensIn));
      assert.deepEqual([...named].sort(), [...tokens].sort());
    });
  }

  it('has a view for every condition on a row', () => {
    for (const when of conditions.filter((each) => each.includes('viewItem'))) {
      assert.ok(
        Object.keys(rowTokens).some((view) => when.startsWith(`view == ${view} && `)),
        when,
      );
    }
  });

  it('contributes exactly the settings that are read, with their defaults', () => {
    const defaults = Object.entries(settings).map(([id, setting]) => [id, setting.default]);
    const read = readSettings.map(({ id, fallback }) => [id, fallback]);
    assert.deepEqual(Object.fromEntries(defaults), Object.fromEntries(read));
    for (const id of Object.keys(settings)) {
      const prefixed = Object.keys(settings).filter((other) => other.startsWith(`${id}.`));
      assert.deepEqual(prefixed, [], `${id} must not be the start of another key`);
    }
  });

  it('bounds settings as they are checked', () => {
    for (const { id, error } of readSettings) {
      const { minimum, maximum } = settings[id] ?? {};
      const range = error.code === 'notNumber' ? error : { minimum: undefined, maximum: undefined };
      assert.deepEqual({ minimum, maximum }, { minimum: range.minimum, maximum: range.maximum }, id);
    }
    assert.deepEqual(settings['chainside.dataApi.quoteCurrency']?.enum, quoteCurrencies);
    assert.equal(settings['chainside.network']?.default, '');
  });

  it('gives each setting a place of its own, and a tag to those that lead to requests', () => {
    const orders = Object.values(settings).map(({ order }) => order);
    assert.deepEqual(
      orders.sort((a, b) => a - b),
      orders.map((_, index) => index + 1),
    );
    const leading = [
      ...['network', 'networks', 'dataApi.quoteCurrency', 'dataApi.keyIn', 'logs.loadAllLimit'],
      ...['nft.ipfsGateway', 'poll.seconds', 'hover.enabled', 'statusBar.enabled'],
    ];
    for (const id of leading.map((name) => `chainside.${name}`)) {
      assert.ok(settings[id]?.tags?.includes('usesOnlineServices'), id);
    }
  });

  it('keeps from a workspace what decides where requests and the key go', () => {
    for (const { id, guard } of readSettings) {
      assert.equal(settings[id]?.scope === 'application', guard === 'user', id);
    }
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    const guarded = readSettings.filter(({ guard }) => guard !== undefined);
    assert.ok(guarded.length >= 4);
    for (const { id } of guarded) assert.ok(restrictedConfigurations.includes(id), id);
    for (const id of restrictedConfigurations) assert.ok(id in settings, id);
  });

  it('wakes the extension for each panel that an earlier window left, and has menus for no other', async () => {
    const panels = [logsPanelType, nftPanelType, readsPanelType, statePanelType];
    const pages = globSync('src/webview/*/main.tsx', { cwd: new URL('../../', import.meta.url) });
    assert.equal(pages.length, panels.length);
    const events: readonly string[] = manifest.activationEvents;
    const woken = events.filter((event) => event.startsWith('onWebviewPanel:'));
    assert.deepEqual([...woken].sort(), panels.map((panel) => `onWebviewPanel:${panel}`).sort());
    for (const scheme of documentSchemes) {
      assert.ok(events.includes(`onFileSystem:${scheme}`), scheme);
    }
    for (const when of conditions) {
      for (const [, panel = ''] of when.matchAll(/(?:activeWebviewPanelId|webviewId) == '?([\w.]+)/g)) {
        assert.ok(panels.includes(panel), when);
      }
    }
  });

  it('contributes the views', () => {
    const views: { id: string; icon: string }[] = contributes.views[viewContainerId];
    assert.deepEqual(views.map(({ id }) => id).sort(), Object.values(viewIds).sort());
  });

  it('has every text in package.nls.json, and none there that is not used', () => {
    const used = new Set([...text.matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key));
    // What a command does, or a view shows, is for docs/reference.md alone.
    const named = Object.keys(words).filter((key) => !key.endsWith('.about'));
    assert.deepEqual([...used].sort(), named.sort());
    for (const [key, value] of Object.entries(words)) assert.notEqual(value.trim(), '', key);
    const links = Object.values(words).flatMap((value) => [...value.matchAll(/\(command:([\w.]+)\)/g)]);
    for (const [, command = ''] of links) {
      const isFocus = Object.values<string>(viewIds).some((view) => command === `${view}.focus`);
      assert.ok(isFocus || isCommand(command) || editorCommands.includes(command), command);
    }
  });

  it('has a walkthrough of five steps, each with a picture and an end', () => {
    const [walkthrough] = contributes.walkthroughs;
    const steps: readonly Step[] = walkthrough.steps;
    assert.equal(steps.length, 5);
    for (const { id, media, completionEvents } of steps) {
      assert.match(read(media.svg), /<svg /, id);
      // A command may be cancelled, a view empty: a step ends when what it says is so.
      assert.ok(completionEvents.length > 0, id);
      for (const event of completionEvents) assert.match(event, /^onContext:/, id);
    }
  });
});
