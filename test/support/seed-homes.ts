import { createCipheriv } from 'node:crypto';
import type { Tree } from './tree';

/** Bytes that no compression makes smaller, the same ones every time. */
export function dense(length: number): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16)).update(Buffer.alloc(length));
}

function lock(installed: string): string {
  return `${JSON.stringify({ version: 1, installed: { [installed]: { source: 'hub', install_path: `skills/${installed}` } } }, null, 2)}\n`;
}

/** What the seed story's user has in scope on this computer: bookkeeping files at the top of `skills/` among it. */
export const localSkills: Tree = {
  'skills/.bundled_manifest': 'git-helper:8f14e45f\nwriting:c9f0f895\n',
  'skills/.usage.json': '{"git-helper": 12, "writing": 3}\n',
  'skills/git-helper/SKILL.md': '# git-helper\n\nKeeps branches tidy.\n',
  'skills/git-helper/scripts/tidy.sh': { text: '#!/bin/sh\ngit fetch --prune\n', executable: true },
  'skills/git-helper/references/branches.md': 'main, next, topic/*\n',
  'skills/writing/SKILL.md': '# writing\n\nShort sentences.\n',
  'skills/writing/venv-guide.md': 'No folder named venv, only a guide about one.\n',
};

/** Bookkeeping and dependencies that stay on this computer. */
export const localBookkeeping: Tree = {
  'skills/.hub/lock.json': lock('git-helper'),
  'skills/git-helper/node_modules/left-pad/index.js': 'module.exports = require("./pad");\n',
  'skills/writing/.git': 'gitdir: ../../.git/worktrees/writing\n',
};

const backup = (id: string, bytes: number): Tree => ({
  [`skills/.curator_backups/${id}/skills.tar.gz`]: dense(bytes),
  [`skills/.curator_backups/${id}/manifest.json`]: `${JSON.stringify({ id, reason: 'pre-run', archive: 'skills.tar.gz' })}\n`,
});

/** What another Hermes left on the remote: 24 MB of old restore points, a stale hub lock, a node_modules. */
export const remoteBookkeeping: Tree = {
  ...backup('2026-02-05T04-00-00Z', 9_000_000),
  ...backup('2026-02-12T04-00-00Z', 8_000_000),
  ...backup('2026-02-19T04-00-00Z', 8_500_000),
  'skills/.hub/lock.json': lock('abandoned-skill'),
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`skills/node_modules/package-${index}/index.js`, `${'x'.repeat(1000 + index)}\n`]),
  ),
};

/** A day's work of the agent: an edit, and new skills whose names hold spaces and more than ASCII, with a script. */
export const remoteWork: Tree = {
  'skills/git-helper/SKILL.md': '# git-helper\n\nKeeps branches tidy.\n\nLearned: ask before deleting a branch.\n',
  'skills/release notes/SKILL.md': '# release notes\n\nTurns merged changes into words.\n',
  'skills/release notes/scripts/collect changes.sh': { text: '#!/bin/sh\ngit log --oneline "$1"..\n', executable: true },
  'skills/café/日本語スキル/SKILL.md': '# 日本語スキル\n\n丁寧に書く。\n',
  'skills/café/日本語スキル/naïve – “quoted”.md': 'Names are bytes to the remote and text here.\n',
};
