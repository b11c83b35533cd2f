import type { Reply } from '../http/recordingServer.ts';
import { addressCountRoutes } from './addressCounts.ts';
import { addressRoute } from './addresses.ts';
import { addressNftRoutes } from './addressNfts.ts';
import { addressTokenRoutes } from './addressTokens.ts';
import { blockModule, blockRoute } from './blocks.ts';
import { coinBalanceRoutes } from './coinBalances.ts';
import { contractModule } from './contractModule.ts';
import { type ModuleAnswer, moduleReply, type RestCall, type RestRoute, restReply } from './restCall.ts';
import { smartContractsRoute } from './smartContracts.ts';
import { tokenRoutes } from './tokenInstances.ts';
import { tokenTransferRoutes } from './tokenTransfers.ts';
import { transactionRoutes } from './transactions.ts';

/** Every route below `/api/v2`, but for the release, which has no limit of its own. */
const routes: readonly RestRoute[] = [
  ...addressTokenRoutes,
  ...addressNftRoutes,
  ...tokenTransferRoutes,
  ...tokenRoutes,
  ...coinBalanceRoutes,
  ...addressCountRoutes,
  addressRoute,
  smartContractsRoute,
  ...transactionRoutes,
  blockRoute,
];

/** Every module of `/api?module=`, but for `logs`, which goes by the tables of the release. */
const modules: Readonly<Record<string, ModuleAnswer>> = { block: blockModule, contract: contractModule };

/** The answer to a GET of `path` below `/api/v2`. */
export async function answerRest(call: RestCall, path: string): Promise<Reply> {
  const { off, lacks = [] } = call.knobs;
  if (off) return restReply(404, { message: 'API V2 is disabled' });
  for (const { pattern, answer } of routes) {
    if (lacks.some((end) => path.endsWith(end))) break;
    const found = pattern.exec(path);
    if (found) return answer(call, found.slice(1));
  }
  return call.era === 'v5'
    ? restReply(404, 'Page not found')
    : restReply(400, { message: 'Unknown API v2 action' });
}

/** The answer to `/api?module=…&action=…`. */
export async function answerModule(call: RestCall): Promise<Reply> {
  const name = call.query.get('module') ?? '';
  const module = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (!module) return restReply(400, { status: '0', message: 'Unknown module', result: null });
  const answered = await module(call, call.query.get('action') ?? '');
  return answered ?? moduleReply('0', 'Unknown action', null);
}
