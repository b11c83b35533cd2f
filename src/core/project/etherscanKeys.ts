import { isAppError } from '../base/errors.ts';
import { isRecord } from '../base/values.ts';
import { type FoundryToml, parseFoundryToml } from './layout.ts';
import {
  isModuleObject,
  isModuleTemplate,
  type ModuleValue,
  readModuleExpressions,
} from './readers/moduleExpressions.ts';

/** Where a project names its Etherscan key: a variable of the environment, or the key itself in the config file. */
export type EtherscanKeyReference = { readonly variable: string } | { readonly literal: string };

/** Per file, and networks of a map of keys. */
const MAX_REFERENCES = 8;
const MAX_NETWORKS = 200;
/** Characters. Real files have up to thirty thousand. */
const MAX_CONFIG_CHARS = 256 * 1_024;

/**
 * The Etherscan keys that a `foundry.toml` names, the most general first: `etherscan_api_key` of a profile, `[etherscan]`, and
 * the variable that forge reads without being told. A key with a `url` of another host, or of a network with an explorer of
 * its own, is of another service and left out. https://getfoundry.sh/config/reference/etherscan
 *
 * Never throws: a text that is not TOML names no key.
 *
 * @example
 * listFoundryEtherscanKeys('[etherscan]\nmainnet = { key = "${SCAN_KEY}" }')
 * // [{ variable: 'SCAN_KEY' }, { variable: 'ETHERSCAN_API_KEY' }]
 */
export function listFoundryEtherscanKeys(text: FoundryToml): readonly EtherscanKeyReference[] {
  const toml = parseToml(text);
  if (!toml) return [];
  const profiles = isRecord(toml.profile) ? Object.values(toml.profile).slice(0, MAX_NETWORKS) : [];
  const scopes = [toml, toml.default, ...profiles].filter(isRecord);
  const entries = scopes.flatMap(({ etherscan }) =>
    isRecord(etherscan) ? Object.entries(etherscan).slice(0, MAX_NETWORKS) : [],
  );
  // `etherscan_api_key` may be the alias of an entry.
  const aliases = new Set(entries.map(([alias]) => alias));
  const general = scopes.flatMap(({ etherscan_api_key: key }) =>
    typeof key === 'string' && !aliases.has(key) ? readKey(key) : [],
  );
  const ofNetworks = entries.flatMap(([alias, entry]) => {
    const { key, url, chain = alias } = isRecord(entry) ? entry : {};
    if (typeof key !== 'string' || !isEtherscanUrl(url)) return [];
    return readKeyOf(`${chain}`, readKey(key));
  });
  return selectReferences([...general, ...ofNetworks, { variable: DEFAULT_VARIABLE }]);
}

/** `ETHERSCAN_API_KEY` is what forge and cast read, and what most projects use. */
const DEFAULT_VARIABLE = 'ETHERSCAN_API_KEY';

function parseToml(text: FoundryToml): Readonly<Record<string, unknown>> | undefined {
  try {
    return parseFoundryToml(text);
  } catch (error) {
    if (!isAppError(error, 'badInput')) throw error;
    return undefined;
  }
}

/**
 * The Etherscan keys that a `hardhat.config` of Hardhat 2 or 3 names: `etherscan.apiKey`, one or by network, or
 * `verify.etherscan.apiKey`. The program is never run, and Hardhat's stores of secrets are not read; variables are named as
 * in {@link parseHardhatEndpoints}. https://hardhat.org/docs/plugins/hardhat-verify
 *
 * Never throws: a text that is no program, or larger than 256 Ki characters, names no key.
 *
 * @example listHardhatEtherscanKeys('export default { etherscan: { apiKey: process.env.SCAN_KEY } }')
 * // [{ variable: 'SCAN_KEY' }]
 */
export function listHardhatEtherscanKeys(source: string): readonly EtherscanKeyReference[] {
  if (source.length > MAX_CONFIG_CHARS || !source.includes('apiKey')) return [];
  const { roots, getMember } = readModuleExpressions(source, 'HardhatUserConfig');
  return selectReferences(
    roots.flatMap((root) =>
      [getMember(root, 'etherscan'), getMember(getMember(root, 'verify'), 'etherscan')].flatMap((scan) => {
        const apiKey = getMember(scan, 'apiKey');
        if (!isModuleObject(apiKey)) return readModuleKey(apiKey);
        const networks = [...apiKey.keys()].slice(0, MAX_NETWORKS);
        return networks.flatMap((name) => readKeyOf(name, readModuleKey(getMember(apiKey, name))));
      }),
    ),
  );
}

function readModuleKey(value: ModuleValue): readonly EtherscanKeyReference[] {
  if (!isModuleTemplate(value)) return [];
  return [value.template, value.fallback].flatMap((text) => (text === undefined ? [] : readKey(text)));
}

/** A variable alone, or a literal that can be a key; nothing for a text of both. */
function readKey(text: string): readonly EtherscanKeyReference[] {
  const [, variable] = /^\s*\$\{\s*([A-Za-z_][A-Za-z0-9_]{0,127})\s*\}\s*$/.exec(text) ?? [];
  if (variable !== undefined) return [{ variable }];
  const literal = text.trim();
  return isLikelyKey(literal) ? [{ literal }] : [];
}

/** Of a map by network, only keys that Etherscan itself has issued: those of BscScan and the like are not valid there. */
function readKeyOf(
  network: string,
  keys: readonly EtherscanKeyReference[],
): readonly EtherscanKeyReference[] {
  if (ETHERSCAN_NETWORK.test(network)) return keys;
  return keys.filter(
    (key) => 'variable' in key && /^(?!.{0,127}OPTIMI).{0,127}ETHERSCAN/i.test(key.variable),
  );
}

const ETHERSCAN_NETWORK =
  /^(?:1|11155111|17000|560048|mainnet|ethereum|eth|main|homestead|sepolia|holesky|hoodi|goerli)$/i;

/** Whether a key beside this URL is Etherscan's own; the URL may be missing, and is never used. */
function isEtherscanUrl(url: unknown): boolean {
  if (url === undefined || url === '') return true;
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  return /^api(?:-(?:sepolia|holesky|hoodi|goerli))?\.etherscan\.io$/.test(new URL(url).host);
}

/** Each reference once. */
function selectReferences(found: readonly EtherscanKeyReference[]): readonly EtherscanKeyReference[] {
  const unique = new Map(found.map((each) => [JSON.stringify(each), each]));
  return [...unique.values()].slice(0, MAX_REFERENCES);
}

/**
 * The key that the first reference with a usable value gives, with that reference; undefined if none has one.
 *
 * @param variable the value of an environment variable; undefined or empty if it is not set.
 * @example findEtherscanKey([{ variable: 'KEY' }], () => 'YourApiKeyToken') // undefined
 */
export function findEtherscanKey(
  references: readonly EtherscanKeyReference[],
  variable: (name: string) => string | undefined,
): { readonly reference: EtherscanKeyReference; readonly key: string } | undefined {
  for (const reference of references) {
    const key = 'literal' in reference ? reference.literal : variable(reference.variable)?.trim();
    if (key !== undefined && isLikelyKey(key)) return { reference, key };
  }
  return undefined;
}

/** Etherscan's keys have 34 letters and digits: placeholders, private keys and most tokens of other services are none. */
function isLikelyKey(text: string): boolean {
  return /^[A-Za-z0-9]{30,40}$/.test(text) && !/^your/i.test(text);
}
