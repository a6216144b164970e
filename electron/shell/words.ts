import { type ChosenLanguage, chooseLanguage } from '../../shared/language';
import type { Language } from '../../shared/settings';
import { en, type ShellWords } from './locales/en';
import { fr } from './locales/fr';
import { ptBr } from './locales/pt-br';
import { zhCn } from './locales/zh-cn';

/** A language and its words, for tray, notifications and dialogs alike. */
export interface Speech {
  readonly words: ShellWords;
  /** The tag for numbers and times. */
  readonly locale: ChosenLanguage['locale'];
}

const dictionaries: Readonly<Record<Language, ShellWords>> = { en, fr, 'pt-BR': ptBr, 'zh-CN': zhCn };

/** The words of the wanted language; null is the first of the computer's own list that we speak. */
export function speechFor(preferred: readonly string[], wanted: Language | null): Speech {
  const { language, locale } = chooseLanguage(preferred, wanted);
  return { words: dictionaries[language], locale };
}
