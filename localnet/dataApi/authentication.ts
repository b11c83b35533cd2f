import type { RecordedRequest } from '../http/faults.ts';
import { type Generation, keyName } from './keys.ts';
import { Refused } from './refusals.ts';

/** Where a server looks for keys: the service in both places, a proxy in front of it maybe in one. */
export type KeyPlaces = 'anywhere' | 'header' | 'query';

/**
 * The generation of answers that the request's key is entitled to. The key comes as `key` in the query, as a bearer
 * token, or as the user name of basic authentication.
 *
 * @throws Refused with 401, 402, 403 or 429.
 */
export function authenticate(
  request: RecordedRequest,
  params: URLSearchParams,
  places: KeyPlaces,
): Generation {
  const inQuery = places === 'header' ? undefined : params.get('key');
  const inHeader = places === 'query' ? undefined : keyInHeader(request.headers.authorization ?? '');
  const key = inQuery ?? inHeader;
  if (!key) throw new Refused(401, 'No valid API key was provided.', { documentedForm: true });
  const name = keyName(key);
  switch (name) {
    case 'early':
    case 'classic':
    case 'current':
      return name;
    case 'exhausted':
      throw new Refused(402, 'API credit limit reached');
    case 'notEntitled':
      throw new Refused(403, 'API key not authorised for this resource');
    case 'rateLimited':
      throw new Refused(429, 'You are being rate-limited. Please reduce request frequency.', {
        documentedForm: true,
      });
    case undefined:
      throw new Refused(401, 'Unregistered or inactive API key');
  }
}

function keyInHeader(authorization: string): string | undefined {
  const [scheme, credentials = ''] = authorization.split(' ');
  if (/^bearer$/i.test(scheme ?? '')) return credentials;
  if (!/^basic$/i.test(scheme ?? '')) return undefined;
  return Buffer.from(credentials, 'base64').toString('utf8').split(':')[0];
}
