import { describe, expect, it } from 'vitest';
import { composeInTurn, patienceMs } from '../../../electron/shell/claim';
import { AppError } from '../../../shared/errors';

const busy = new AppError('store.busy', { dataDir: '/data', pid: 7 });

/** Fails as often as told, then gives the application; time passes only when it is waited for. */
function scripted(failures: number, error: Error) {
  let left = failures;
  const waited: number[] = [];
  const compose = async () => {
    left -= 1;
    if (left >= 0) throw error;
    return 'app';
  };
  return { compose, waited, pause: async (ms: number) => void waited.push(ms) };
}

describe('composeInTurn', () => {
  it('does not wait when the data folder is free', async () => {
    const { compose, pause, waited } = scripted(0, busy);
    expect([await composeInTurn(compose, pause), waited]).toEqual(['app', []]);
  });

  it('takes the data folder as soon as another process lets go of it', async () => {
    const { compose, pause, waited } = scripted(2, busy);
    expect([await composeInTurn(compose, pause), waited.length]).toEqual(['app', 2]);
  });

  it('gives up after its patience and says who has it', async () => {
    const { compose, pause, waited } = scripted(Number.POSITIVE_INFINITY, busy);
    await expect(composeInTurn(compose, pause)).rejects.toBe(busy);
    expect(waited.reduce((sum, ms) => sum + ms, 0)).toBe(patienceMs);
  });

  it('waits for no other failure', async () => {
    const failure = new AppError('store.newer', { file: 'state.json', version: 9 });
    const { compose, pause, waited } = scripted(1, failure);
    await expect(composeInTurn(compose, pause)).rejects.toBe(failure);
    expect(waited).toEqual([]);
  });
});
