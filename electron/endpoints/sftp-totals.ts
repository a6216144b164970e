import type { Rules } from '../../shared/rules';
import type { TreeTotals } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import type { FileSource } from './sftp-files';
import { walkSftp } from './sftp-walk';

/** Counts what lies in refused directories, by the outermost name. Stops at a cancel with what it has, as incomplete. */
export async function countRefused(
  source: FileSource,
  request: { readonly roots: readonly string[]; readonly rules: Rules },
): Promise<TreeTotals> {
  const byTree = new Map<string, { files: number; bytes: number }>();
  let complete = true;
  const visitor = {
    enters: () => true,
    meets: (path: EnginePath, stats: { readonly size: number }) => {
      const tree = request.rules.treeOf(path);
      if (tree === null) return;
      const so = byTree.get(tree) ?? { files: 0, bytes: 0 };
      byTree.set(tree, { files: so.files + 1, bytes: so.bytes + stats.size });
    },
    fails: () => {
      complete = false;
    },
  };
  try {
    await Promise.all(request.roots.map((root) => walkSftp(source.channel, source.home, root, visitor, source.signal)));
  } catch (error) {
    // The figures are for a report that does not wait; a cancel before the first of them is a cancel.
    if (!source.signal.aborted || byTree.size === 0) throw error;
    complete = false;
  }
  return { byTree, complete };
}
