import { commands, type Hover, Position, type TextDocument, workspace } from 'vscode';
import type { HoverTimes } from './measures.ts';

const ROUNDS = 30;
const WARM_UPS = 6;
const BESIDE = 'nothing';

/** Asks VS Code for the hovers at addresses, as the editor does when the pointer rests on one. */
export async function measureHover(rpcUrl: string): Promise<HoverTimes> {
  const addresses = Array.from(
    { length: WARM_UPS + ROUNDS },
    (_, line) => `0x${(line + 1).toString(16).padStart(40, 'b')}`,
  );
  const content = addresses.map((address) => `${address} ${BESIDE}`).join('\n');
  const document = await workspace.openTextDocument({ content });
  const times = {
    uncached: [] as number[],
    cached: [] as number[],
    beside: [] as number[],
    roundTrip: [] as number[],
  };
  for (const [line, address] of addresses.entries()) {
    const warm = line >= WARM_UPS;
    const record = (name: keyof HoverTimes, ms: number) => warm && times[name].push(ms);
    record('roundTrip', await timed(() => askBalance(rpcUrl, address)));
    record('beside', await hover(document, line, address.length + 2, 0));
    record('uncached', await hover(document, line, 5, 2));
    record('cached', await hover(document, line, 5, 2));
  }
  return times;
}

async function hover(
  document: TextDocument,
  line: number,
  character: number,
  expected: number,
): Promise<number> {
  let hovers: readonly Hover[] = [];
  const ms = await timed(async () => {
    const position = new Position(line, character);
    hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', document.uri, position);
  });
  if (hovers.length !== expected) throw new Error(`${hovers.length} hovers where ${expected} should be.`);
  return ms;
}

async function askBalance(rpcUrl: string, address: string): Promise<void> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_getBalance',
    params: [address, 'latest'],
  });
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await response.json();
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await task();
  return performance.now() - started;
}
