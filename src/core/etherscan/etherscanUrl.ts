/**
 * The chain that an endpoint of Etherscan's API V2 serves; undefined for any other URL. The key belongs in the parameter
 * `apikey`. https://docs.etherscan.io/introduction
 *
 * @example parseEtherscanChain('https://api.etherscan.io/v2/api?chainid=10&apikey=${key}') // 10
 * @example parseEtherscanChain('https://node.example/v2/api') // undefined
 */
export function parseEtherscanChain(url: string): number | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname, searchParams } = new URL(url);
  const chainId = searchParams.get('chainid') ?? '';
  return pathname === '/v2/api' && /^[1-9]\d{0,14}$/.test(chainId) ? Number(chainId) : undefined;
}

/**
 * Etherscan's API V2 for a chain, as an endpoint whose secret is the user's key.
 *
 * @example getEtherscanUrl(1) // 'https://api.etherscan.io/v2/api?chainid=1&apikey=${key}'
 */
export function getEtherscanUrl(chainId: number): string {
  return `https://api.etherscan.io/v2/api?chainid=${chainId}&apikey=\${key}`;
}
