import { safeStorage } from 'electron';
import type { OsCipher } from '../store/secrets';

/** Linux backends under which the text is only disguised, with a key that is part of every copy of Chromium (Electron's documentation of safeStorage). */
const disguises: readonly string[] = ['basic_text', 'unknown'];

/** Electron's access to Keychain, DPAPI, the Secret Service or KWallet. Asked only when needed: some systems then want the user's consent. */
export function osCipher(platform: NodeJS.Platform): OsCipher {
  return {
    isTrusted: () =>
      safeStorage.isEncryptionAvailable() && (platform !== 'linux' || !disguises.includes(safeStorage.getSelectedStorageBackend())),
    encrypt: (text) => safeStorage.encryptString(text),
    decrypt: (sealed) => safeStorage.decryptString(sealed),
  };
}
