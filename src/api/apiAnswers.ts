import type { ChainsideApi, ChainsideLogPage } from '../api.d.ts';
import { type LogPage, parseLogFilter, reasonText, requireAddress } from '../core/index.ts';
import type { Connection, Session } from '../host/session/session.ts';
import type { SettingsService } from '../host/settings/settings.ts';

export interface ApiAnswers extends Pick<ChainsideApi, 'latestBlock' | 'nativeBalance' | 'tokenBalances'> {
  /** As `queryLogs` of the API, of one connection. */
  logPages(
    connection: Connection,
    filter: unknown,
    cancelled: AbortSignal | undefined,
  ): AsyncGenerator<ChainsideLogPage>;
}

/** What the API for other extensions asks servers; loaded with the first question. */
export function createApiAnswers(deps: {
  readonly session: Session;
  readonly settings: SettingsService;
}): ApiAnswers {
  const { session, settings } = deps;
  return {
    latestBlock: () => session.client.latestBlock({ signal: session.connection.signal }),
    async nativeBalance(address) {
      const { client, signal } = session.connection;
      const balance = await client.nativeBalance(requireAddress(address), { signal });
      return balance.state === 'known' ? balance.wei : undefined;
    },
    async tokenBalances(text) {
      const address = requireAddress(text);
      const { signal } = session.connection;
      const access = await session.dataApi();
      if (access.state !== 'ready') return undefined;
      const { quoteCurrency } = settings.current;
      const { tokens } = await access.client.tokenBalances(address, { quoteCurrency, signal });
      return tokens.map(({ contract, native, symbol, name, decimals, amount }) => ({
        contract,
        native,
        symbol,
        name,
        decimals,
        amount,
      }));
    },
    logPages,
  };
}

async function* logPages(
  { client, signal: replaced }: Connection,
  filter: unknown,
  cancelled: AbortSignal | undefined,
): AsyncGenerator<ChainsideLogPage> {
  const query = client.openLogQuery(parseLogFilter(filter));
  const signal = cancelled ? AbortSignal.any([cancelled, replaced]) : replaced;
  for (;;) {
    const page = await query.nextPage({ signal });
    yield describePage(page);
    if (page.verdict.state !== 'more') return;
  }
}

function describePage({ logs, verdict }: LogPage): ChainsideLogPage {
  const { state, fromBlock, toBlock, head, reasons } = verdict;
  return { logs, verdict: { state, fromBlock, toBlock, head, reasons: reasons.map(reasonText) } };
}
