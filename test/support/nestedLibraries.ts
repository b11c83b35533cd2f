import { systemClock } from '../../src/core/base/clock.ts';
import { createTimeSlices } from '../../src/core/base/timeSlices.ts';
import { createImportFinder as createFinder } from '../../src/core/project/importFinder.ts';
import { type ProjectFiles, readProject } from '../../src/core/project/projectFiles.ts';

/** A Foundry project with libraries in libraries, whose remappings are in a `foundry.toml`, a `remappings.txt` or missing. */
export const nestedLibraries: Readonly<Record<string, string>> = {
  'foundry.toml': '[profile.default]\nremappings = ["mine/=lib/mine/code/", "lib/x/:only/=lib/only/"]\n',
  'src/A.sol': 'contract A {}',
  'lib/mine/code/M.sol': 'contract M {}',
  'lib/only/O.sol': 'contract O {}',
  'lib/x/foundry.toml':
    '[profile.default]\nremappings = ["@zed/=lib/zeta/code/", "mine/=lib/other/", "src/=lib/other/"]\n',
  'lib/x/remappings.txt': '@wye/=lib/y/src/\n@out/=../../../outside/\n',
  'lib/x/src/X.sol': 'contract X {}',
  'lib/x/lib/other/M.sol': 'contract Other {}',
  'lib/x/lib/zeta/code/Z.sol': 'contract Z {}',
  'lib/x/lib/y/src/Y.sol': 'contract Y {}',
  'lib/x/lib/y/lib/deep/src/D.sol': 'contract D {}',
  'lib/y/src/Y.sol': 'contract Y {}',
  'lib/w/foundry.toml': '[profile.default]\nlibs = ["dependencies"]\n',
  'lib/w/src/W.sol': 'contract W {}',
  'lib/w/dependencies/v/contracts/V.sol': 'contract V {}',
  'lib/w/dependencies/deep/src/D.sol': 'contract D {}',
};

/** Creates a function that finds the file of an import among the files of a project. */
export async function createImportFinder(
  files: ProjectFiles,
): Promise<(from: string, imported: string) => Promise<string | undefined>> {
  const projects = new Map([['', await readProject(files, '', await files.list(''))]]);
  const slices = createTimeSlices(systemClock);
  const finder = createFinder({ files, roots: [''], projects, slices });
  return (from, imported) => finder.find(from, imported, () => false);
}
