import { readFileSync, statSync } from 'node:fs'
import type { Hex } from 'viem'
import { SettingsError } from '../../schemas/settings-error.ts'

const isKey = (text: string): text is Hex => /^0x[0-9a-fA-F]{64}$/.test(text)

/** Reads a key from a file that only its owner may read. No message contains the key. */
export const readKeyFile = (option: string, path: string): Hex => {
  let text: string
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new SettingsError([`${option}: others than its owner may read or write ${path}; run chmod 600 ${path}`])
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw error instanceof SettingsError ? error : new SettingsError([`${option}: ${path} cannot be read`])
  }
  if (!isKey(text)) throw new SettingsError([`${option}: ${path} holds no key; it is 0x and 64 hexadecimal digits`])
  return text
}
