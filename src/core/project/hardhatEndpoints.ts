import { isAlias, MAX_ENDPOINTS, MAX_URL_CHARS, type ProjectEndpoint } from './foundryEndpoints.ts';
import {
  isModuleObject,
  isModuleTemplate,
  type ModuleObject,
  readModuleExpressions,
} from './readers/moduleExpressions.ts';

/** Characters. Real files have up to thirty thousand. */
const MAX_CONFIG_CHARS = 256 * 1_024;

/**
 * The networks with a `url` in a `hardhat.config` of Hardhat 2 or 3, in JavaScript or TypeScript. The program is never run:
 * a network whose URL is not made of literals, environment variables and constants of the file is left out. Variables of
 * `configVariable('X')` are those of the environment, `${X}`; of `vars.get('X')`, `${HARDHAT_VAR_X}`. The value of
 * `process.env.X ?? 'URL'` is `${X}`, with the fallback `URL`. The networks that Hardhat has by default are none of them.
 * https://hardhat.org/docs/reference/configuration
 *
 * Never throws: a text that is no program, or larger than 256 Ki characters, has no endpoints.
 *
 * @example
 * parseHardhatEndpoints("module.exports = { networks: { local: { url: 'http://127.0.0.1:8545', chainId: 31_337 } } }")
 * // [{ alias: 'local', template: 'http://127.0.0.1:8545', chainId: 31337 }]
 */
export function parseHardhatEndpoints(source: string): readonly ProjectEndpoint[] {
  if (source.length > MAX_CONFIG_CHARS || !source.includes('networks')) return [];
  const { roots, getMember } = readModuleExpressions(source, 'HardhatUserConfig');
  const networks = roots.map((root) => getMember(root, 'networks')).find(isModuleObject);
  const endpoints: ProjectEndpoint[] = [];
  for (const alias of networks?.keys() ?? []) {
    const network = getMember(networks, alias);
    const endpoint = isModuleObject(network) && isAlias(alias) && readEndpoint(alias, network);
    if (endpoint && endpoints.push(endpoint) === MAX_ENDPOINTS) break;
  }
  return endpoints;

  function readEndpoint(alias: string, network: ModuleObject): ProjectEndpoint | undefined {
    const url = getMember(network, 'url');
    if (!isModuleTemplate(url) || url.template === '' || url.template.length > MAX_URL_CHARS)
      return undefined;
    const { template, fallback } = url;
    const chainId = getMember(network, 'chainId');
    return {
      alias,
      template,
      ...(fallback !== undefined && fallback.length <= MAX_URL_CHARS && { fallback }),
      ...(typeof chainId === 'number' && chainId > 0 && { chainId }),
    };
  }
}
