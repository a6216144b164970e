import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { makePlace, type SessionPlace } from '../../support/session';
import type { TestSshd } from '../../support/sshd';
import { describeDecisions } from './suite-decisions';
import { describeGuards } from './suite-guards';
import { describeInterruptions } from './suite-interruptions';
import { describeKinds } from './suite-kinds';
import { describeScope } from './suite-scope';
import { describeStory } from './suite-story';

/** What a way to the remote promises beyond what every way does. */
export interface Abilities {
  /** A teardown with nothing changed fits into 40 kB for 3 000 files. */
  readonly smallTeardown: boolean;
}

/** Whole sessions of the real application with a real server, the same over every way to the remote. They may wait long for their turn. */
export function describeSessions(name: string, startRemote: () => Promise<TestSshd>, abilities: Abilities): void {
  describe(name, { timeout: 240_000 }, () => {
    let sshd: TestSshd;
    let place: SessionPlace;
    const now = () => place;
    beforeAll(async () => {
      sshd = await startRemote();
    });
    beforeEach(async () => {
      place = await makePlace({ sshd });
    });
    afterEach(() => place.tearDown());
    afterAll(() => sshd.stop());

    describe('the seed story', () => describeStory(now));
    describe('decisions', () => describeDecisions(now));
    describe('guards', () => describeGuards(now));
    describe('links, pipes and sockets', () => describeKinds(now));
    describe('interruptions', () => describeInterruptions(now, () => sshd));
    describe('scope', () => describeScope(now, abilities));
  });
}
