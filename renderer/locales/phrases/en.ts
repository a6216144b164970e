import { type Phrases, phrases } from '../../../shared/phrase';

/** What a window says in English: as everywhere, but with amounts for a reader, and with what the window has instead of flags. */
export const phrasesEn: Phrases = {
  ...phrases,
  checks: {
    ...phrases.checks,
    'space-free': '{bytes} free',
    'own-home': 'Log in as its owner, give the account the folder (chown), or choose another one for the connection.',
    'home-bare': '{path} is there, but this account has no Hermes data in it. If it is elsewhere, name that folder in the connection',
    'hermes-not-told': 'cannot be told over SFTP; inspecting looks for its files',
  },
  notes: {
    ...phrases.notes,
    'none-chosen': 'Nothing is chosen of the {count} that can go.',
    'can-go': '{count} can go, {bytes}.',
    'free-now': '{bytes} are free now.',
    'free-later': '{bytes} come free on {day}; until then it can be undone, or freed at once.',
    'freed-here': '{bytes} are free now on this computer.',
    'freed-there': '{bytes} are free now on the remote.',
  },
};
