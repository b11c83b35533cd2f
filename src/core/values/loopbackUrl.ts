/**
 * Whether a URL leads to this machine.
 *
 * @example isLoopbackUrl('http://127.0.0.1:8545') // true
 */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
