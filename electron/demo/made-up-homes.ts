import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Files = Readonly<Record<string, string | Buffer>>;

async function writeAll(home: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
  }
}

function skill(name: string, about: string): string {
  const steps = ['Read what is there before you write.', 'Say what you are about to do.', 'Do one thing.', 'Look at what became of it.'];
  const body = steps.map((step, index) => `## Step ${index + 1}\n\n${step}\n`).join('\n');
  return `---\nname: ${name}\ndescription: ${about}\n---\n\n# ${name}\n\n${about}\n\n${body}`;
}

/** What an agent writes down while it works. */
function measurements(lines: number): string {
  const rows = Array.from(
    { length: lines },
    (_, index) => `2026-11-${String(1 + (index % 28)).padStart(2, '0')},machine-${index % 7},${(index * 37) % 1009} ms`,
  );
  return `day,machine,answer\n${rows.join('\n')}\n`;
}

function hubLock(installed: string, at: string): string {
  const entry = {
    source: 'hub',
    identifier: `hub/${installed}`,
    trust_level: 'community',
    install_path: `skills/${installed}`,
    installed_at: at,
  };
  return `${JSON.stringify({ version: 1, installed: { [installed]: entry } }, null, 2)}\n`;
}

/** Skills as a user has them on this computer. */
export async function makeLocalHome(home: string): Promise<void> {
  await writeAll(home, {
    'skills/writing/release-notes/SKILL.md': skill('release-notes', 'Turns merged changes into notes that people read.'),
    'skills/writing/release-notes/templates/notes.md': '# What is new\n\n# What is fixed\n',
    'skills/ops/log-reader/SKILL.md': skill('log-reader', 'Finds the first error in a log, not the loudest.'),
    'skills/ops/log-reader/scripts/first-error.sh': '#!/bin/sh\ngrep -n -m1 -i error "$@"\n',
    'skills/.usage.json': '{"release-notes": 12, "log-reader": 3}\n',
    'skills/.hub/lock.json': hubLock('log-reader', '2026-11-02T09:00:00Z'),
  });
}

/** Four old restore points of 6 MB, a stale hub lock and a node_modules, as an older Hermes left them on a remote. */
export async function makeRemoteHome(home: string): Promise<void> {
  await writeAll(home, { 'skills/.hub/lock.json': hubLock('abandoned-skill', '2026-03-03T09:00:00Z') });
  for (const day of ['05', '12', '19', '26']) {
    const id = `2026-02-${day}T04-00-00Z`;
    const archive = randomBytes(6_000_000);
    const manifest = {
      id,
      reason: 'pre-run',
      created_at: `2026-02-${day}T04:00:00+00:00`,
      archive: 'skills.tar.gz',
      archive_bytes: archive.length,
    };
    await writeAll(home, {
      [`skills/.curator_backups/${id}/skills.tar.gz`]: archive,
      [`skills/.curator_backups/${id}/manifest.json`]: `${JSON.stringify({ ...manifest, skill_files: 4 }, null, 2)}\n`,
    });
  }
  for (let index = 0; index < 300; index += 1) {
    await writeAll(home, {
      [`skills/ops/log-reader/node_modules/package-${index}/index.js`]: `module.exports = ${'x'.repeat(2000)}${index};\n`,
    });
  }
}

/** A day's work of the agent on the remote: an edit, and a new skill with a script, its notes and a name that is not plain ASCII. */
export async function workOnRemote(home: string, round: number): Promise<void> {
  await writeAll(home, {
    'skills/writing/release-notes/SKILL.md': `${skill('release-notes', 'Turns merged changes into notes that people read.')}\nLearned in round ${round}: name the change, then the reason.\n`,
    [`skills/ops/café check ${round}/SKILL.md`]: skill(`café check ${round}`, 'Asks whether the coffee machine answers.'),
    [`skills/ops/café check ${round}/scripts/check.sh`]: '#!/bin/sh\nping -c1 coffee\n',
    [`skills/ops/café check ${round}/references/answers.csv`]: measurements(1500 * round),
  });
}
