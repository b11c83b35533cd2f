import type { HttpDeps } from '../http/exchange.ts';
import { createPortalClient } from './portalClient.ts';
import type { PortalRetryOptions } from './portalMessages.ts';

/**
 * Asks the dataset at `url` what it is, and for its newest block. That it is a portal shows by its metadata.
 *
 * @throws AppError as it fails; `badResponse` where another server answers.
 */
export async function probePortal(
  http: HttpDeps & { readonly timeoutMs: number },
  url: string,
  effort: PortalRetryOptions,
) {
  const portal = createPortalClient({ ...http, url });
  const { chainId } = await portal.metadata(effort);
  const { number } = await portal.head(effort);
  return { block: number, chainId };
}
