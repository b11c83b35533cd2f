/**
 * The commits of the releases of solc, from 0.6.0 on, by minor version. Before, the metadata was not on IPFS.
 *
 * https://github.com/ethereum/solc-bin/blob/gh-pages/bin/list.json
 */
const COMMITS: Readonly<Record<string, string>> = {
  '0.6':
    '26b70077 e6f7d5a4 bacdbe57 8dda9521 1dca32f3 f956cc89 6c089d02 b8d736ae 0bbfe453 3e3065ac 00c0fcaf 5ef660b1 27d51765',
  '0.7': '9e61f92b f4a555be 51b20bc0 9bfce1f6 3f05b770 eb77ed08 7338295f',
  '0.8':
    'c7dfd78e df193b15 661d1103 8d00100c c7e474f2 a4f2e591 11564f7e e28d00a7 dddeac2f e5eed63a fc410830 d7f03943 f00d7308 abaa5c0e 80d49f37 e14f2714 07a7930e 8df45f5f 87f61d96 7dd6d404 a1b79de6 d9974bed 4fc1097e f704f362 e11b9ed9 b61c2a91 8a97fa7a 40a35a09 7893614a ab55807c 73712a01 fd3a2265 ebbd65e5 64118f21 80d5c536 47b9dedd 8a079791',
};

/**
 * The versions of solc as its metadata has them.
 *
 * @example listReleases()[0] // '0.6.0+commit.26b70077'
 */
export function listReleases(): readonly string[] {
  return Object.entries(COMMITS).flatMap(([minor, commits]) =>
    commits.split(' ').map((commit, patch) => `${minor}.${patch}+commit.${commit}`),
  );
}
