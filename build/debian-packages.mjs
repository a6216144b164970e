// The programs that tests use for real: an SSH server, shells, a browser. Installed on Debian when run as root.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

const wanted = [
  ...['openssh-server', 'openssh-client', 'python3', 'rsync', 'chromium', 'fonts-wqy-microhei'],
  ...['busybox', 'fish', 'libarchive-tools', 'original-awk', 'tcsh', 'toybox'],
];
const startPolicy = '/usr/sbin/policy-rc.d';

function isInstalled(name) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query expands this itself
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status}', name], { encoding: 'utf8' });
  return status === 0 && stdout === 'installed';
}

function aptGet(args) {
  const options = ['-qq', '-o', 'Acquire::http::Timeout=30', '-o', 'Acquire::Retries=2', '-o', 'Dpkg::Use-Pty=0'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = spawnSync('apt-get', [...options, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000, encoding: 'utf8' });
  return run.status === 0 ? null : (run.stderr || String(run.error ?? run.signal)).trim().split('\n').at(-1);
}

/** Installing an SSH server must not start one on this machine: the tests start their own on loopback. */
function withoutStartingServices(work) {
  const mayWrite = !existsSync(startPolicy);
  if (mayWrite) writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return work();
  } finally {
    if (mayWrite) rmSync(startPolicy, { force: true });
  }
}

/** Installs what is missing where that is possible, and returns what is still missing, with the reason. */
export function ensureDebianPackages() {
  if (process.platform !== 'linux' || spawnSync('dpkg-query', ['--version']).error) {
    return { missing: [], reason: 'this is not Debian: install an SSH server, rsync, busybox, fish and Chromium yourself' };
  }
  const missing = wanted.filter((name) => !isInstalled(name));
  if (missing.length === 0) return { missing, reason: null };
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error) return { missing, reason: 'only root can install them' };
  process.stdout.write(`installing ${missing.join(' ')}\n`);
  const reason =
    aptGet(['update']) ?? withoutStartingServices(() => aptGet(['install', '-y', '--no-install-recommends', ...missing])) ?? null;
  return { missing: missing.filter((name) => !isInstalled(name)), reason };
}
