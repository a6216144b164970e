import { takeOwnerLock } from '../../../electron/store/owner-lock';

// Takes the lock of the folder given, says which way it went, and keeps it until its input ends.
const folder = process.argv[2] ?? '';
process.stdout.write('ready\n');
// The whole group starts together: the parent ends this line's wait for all of them at once.
await new Promise<void>((resolve) => process.stdin.once('data', () => resolve()));
const lock = await takeOwnerLock(folder).catch((error: unknown) => error);
if (lock instanceof Error) {
  process.stdout.write(`lost ${lock.message}\n`);
} else {
  process.stdout.write('won\n');
  process.stdin.resume();
  await new Promise<void>((resolve) => process.stdin.once('end', () => resolve()));
}
