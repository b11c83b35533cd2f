/**
 * Removes the slashes at the end of a URL or path, so that a segment can be appended.
 *
 * @example trimTrailingSlashes('https://a.example/api/') // 'https://a.example/api'
 */
export function trimTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/**
 * Whether a URL points to this machine, by its host name: RFC 6761 reserves `localhost` and all names below it; of IPv4,
 * 127.0.0.0/8 is reserved, also within IPv6. A connection to the unspecified address (`0.0.0.0`), which nodes print as
 * the one that they listen on, stays on this machine too.
 *
 * @example isLoopbackUrl('http://127.0.0.1:8545') // true
 */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return /^(?:(?:.+\.)?localhost\.?|(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0)\.?|\[::(?:1?|ffff:7f[\da-f]{2}:[\da-f]{1,4}|ffff:0:0)\])$/.test(
    hostname,
  );
}

/**
 * Appends a path to a URL, which may end with slashes. The query of `base` stays, and `query` is added to it.
 *
 * @example joinUrl('https://a.example/api/', 'v2/stats', { of: 'day' }).href // 'https://a.example/api/v2/stats?of=day'
 */
export function joinUrl(base: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base);
  url.pathname = `${trimTrailingSlashes(url.pathname)}/${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/**
 * Whether a host name can be on the public internet: no IP address, no single label, no ending of private networks, no
 * embedded private IPv4 address (`127.0.0.1.nip.io`), none of the well-known services that point back to this machine.
 * It does not resolve names, so a public name can still point inside.
 *
 * @param hostname as `URL` returns it: lower case, in ASCII, IPv4 in any notation as four decimal numbers.
 * @example
 * isPublicHost('img.example.com'); // true
 * isPublicHost('127.0.0.1.nip.io'); // false
 */
export function isPublicHost(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  if (name.length > 253 || labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false;
  if (!TOP_LEVEL.test(last) || PRIVATE_TOP_LEVELS.has(last) || labels.includes('localhost')) return false;
  if ([2, 3].some((count) => NAMES_OF_A_NETWORK.has(labels.slice(-count).join('.')))) return false;
  return ![...name.matchAll(EMBEDDED_IPV4)].some(([, a, b]) => isPrivateIpv4(Number(a), Number(b)));
}

// Last labels that no public name has: special-use domains of IANA (RFC 6761, 6762, 7686, 8375, 9476), those that ICANN
// reserves since they collide with private networks, and those that routers, clusters and containers assign.
const PRIVATE_TOP_LEVELS = new Set(
  (
    'alt arpa consul corp dhcp docker domain example home internal intra intranet invalid kube lan loc local ' +
    'localdomain localhost localnet mail nomad onion priv private router server svc test vpn workgroup'
  ).split(' '),
);

// Public names that resolve to this machine or its network. The first ones always, or to the address in the name; the
// others within the network of a router, an access point or a filter, which answers for its own name.
const NAMES_OF_A_NETWORK = new Set(
  (
    '1u.ms ddev.site fuf.me lacolhost.com lcl.host lndo.site local-ip.co local-ip.sh local.gd localdev.me localho.st ' +
    'localstack.cloud localtest.me lvh.me nip.io plex.direct rbndr.us smackaho.st sslip.io traefik.me ts.net vcap.me ' +
    'xip.io xip.name ' +
    'alice.box asusrouter.com congstar.box easy.box falogin.cn fritz.box fritz.nas fritz.repeater giga.cube hi.link ' +
    'homerouter.cpe linksyssmartwifi.com mafreebox.freebox.fr melogin.cn miwifi.com my.meraki.com myfritz.box ' +
    'mywifiext.com mywifiext.net o2.box orbilogin.com orbilogin.net pi.hole repeater.asus.com router.asus.com ' +
    'router.synology.com routerlogin.com routerlogin.net setup.meraki.com speedport.ip tendawifi.com tplinkap.net ' +
    'tplinklogin.net tplinkmodem.net tplinkrepeater.net tplinkwifi.net'
  ).split(' '),
);

const LABEL = /^[a-z0-9_-]{1,63}$/;
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const EMBEDDED_IPV4 = /(?<![a-z0-9])(?=(\d{1,3})[.-](\d{1,3})[.-]\d{1,3}[.-]\d{1,3}(?![a-z0-9]))/g;

/** Whether IPv4 addresses that start with these bytes are not on the public internet (RFC 6890). */
function isPrivateIpv4(a: number, b: number): boolean {
  if (a === 172) return b >= 16 && b <= 31;
  if (a === 192) return b === 0 || b === 168;
  if (a === 100) return b >= 64 && b <= 127;
  if (a === 198) return b === 18 || b === 19;
  return a === 0 || a === 10 || a === 127 || a >= 224 || (a === 169 && b === 254);
}
