import { type Phrases, phrases } from '../../../shared/phrase';

/** What a window says in English: as everywhere, but with amounts for a reader. */
export const phrasesEn: Phrases = {
  ...phrases,
  checks: { ...phrases.checks, 'space-free': '{bytes} free' },
  notes: {
    ...phrases.notes,
    'can-go': '{count} can go, {bytes}.',
    'free-now': '{bytes} are free now.',
    'free-later': '{bytes} come free on {day}; until then it can be undone, or freed at once.',
    'freed-here': '{bytes} are free now on this computer.',
    'freed-there': '{bytes} are free now on the remote.',
  },
};
