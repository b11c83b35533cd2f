import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { extensions, window, workspace } from 'vscode';

/** Less than the extension waits for a server: a test that leaves a request to one that never answers fails. */
const PENDING_MS = 20_000;

interface PendingRequest {
  readonly origin: string;
}

/**
 * Hooks for all tests. No request of a test is pending when the next one starts. A test file leaves no tab, server or
 * setting of its own to the next one; the files that it wrote into the workspace are removed, with the names that they
 * give to addresses.
 */
export function createLeftoverChecks() {
  const pending = followRequests();
  let before: ReadonlySet<string> = new Set(currentState());
  async function requestsEnd(): Promise<void> {
    const deadline = Date.now() + PENDING_MS;
    while (pending.size > 0 && Date.now() < deadline) await setTimeout(20);
    assert.deepEqual(
      [...pending].map(({ origin }) => origin),
      [],
      'requests are left pending',
    );
  }
  return {
    afterEach: requestsEnd,
    async afterAll() {
      // A server that was closed is still counted until the next turn.
      await setTimeout();
      await requestsEnd();
      await emptyWorkspace();
      const now = currentState();
      const left = now.filter((part) => !before.has(part));
      before = new Set(now);
      assert.deepEqual(left, [], 'left behind');
    },
  };
}

async function emptyWorkspace(): Promise<void> {
  for (const { uri } of workspace.workspaceFolders ?? []) {
    for (const name of await readdir(uri.fsPath)) {
      await rm(join(uri.fsPath, name), { recursive: true, force: true });
    }
  }
}

/** What one file could leave to the next, each as a line of text. */
function currentState(): readonly string[] {
  const configuration = workspace.getConfiguration();
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  const servers = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap');
  return [
    ...tabs.map(({ label }) => `tab ${label}`),
    ...servers.map((_, index) => `server ${index + 1}`),
    ...settingIds().map((id) => `${id} ${JSON.stringify(configuration.inspect(id)?.globalValue)}`),
  ];
}

function settingIds(): readonly string[] {
  const { contributes } = extensions.getExtension('chainside.chainside')?.packageJSON ?? assert.fail();
  const sections: readonly { readonly properties: object }[] = [contributes.configuration].flat();
  return sections.flatMap(({ properties }) => Object.keys(properties));
}

/** The pending requests of this process, as Node's `fetch` reports them. */
function followRequests(): ReadonlySet<PendingRequest> {
  const pending = new Set<PendingRequest>();
  const follow = (event: string, change: (request: PendingRequest) => void) =>
    channel(`undici:request:${event}`).subscribe((message) =>
      change((message as { readonly request: PendingRequest }).request),
    );
  // The end of a tunnel through a proxy is not reported.
  follow('create', (request) => 'method' in request && request.method !== 'CONNECT' && pending.add(request));
  follow('trailers', (request) => pending.delete(request));
  follow('error', (request) => pending.delete(request));
  return pending;
}
