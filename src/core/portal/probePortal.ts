import type { HttpDeps } from '../http/exchange.ts';
import { createPortalClient } from './portalClient.ts';
import type { PortalRetryOptions } from './portalMessages.ts';

/**
 * Fetches the chain ID and the newest block of the dataset at `url`. Its metadata show that it is a portal.
 *
 * @throws AppError of any network kind; `badResponse` if it is another server.
 */
export async function probePortal(
  http: HttpDeps & { readonly timeoutMs: number },
  url: string,
  retry: PortalRetryOptions,
) {
  const portal = createPortalClient({ ...http, url });
  const { chainId } = await portal.metadata(retry);
  const { number } = await portal.head(retry);
  return { block: number, chainId };
}
