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
