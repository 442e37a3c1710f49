import { randomBytes } from 'node:crypto'
import { keyError, usageError } from '../failures.ts'
import { createPrivate, isReadableByOthers, readFileIfThere } from '../state/files.ts'
import { findAddress } from './address.ts'
import { readKeystore, type ScryptCost, writeKeystore } from './keystore.ts'

/** A key in memory. */
export interface OpenKey {
  address: string
  privateKey: Buffer
}

/** Opens a key file that was read and checked. */
type KeyOpener = (passphrase: () => Promise<string>) => Promise<OpenKey>

const openKey = (privateKey: Buffer): OpenKey => {
  const address = findAddress(privateKey)
  if (address === undefined) throw keyError('The file does not hold a key of this curve.')
  return { address, privateKey }
}

/** Whether a text is a raw key. It must never be printed. */
const isRawKey = (text: string): boolean => /^(0x)?[0-9a-fA-F]{64}$/.test(text)

/** Reads a keystore file, or a file with one raw key in hex. `warn` gets a text when others can read a raw key. */
export const readKeyFile = (path: string, warn: (text: string) => void): KeyOpener => {
  if (isRawKey(path)) throw usageError('--key-file takes the path of a file, never a key: other programs can see arguments.')
  const text = readFileIfThere(path)?.trim()
  if (text === undefined) throw keyError(`The key file ${path} does not exist.`, 'agent-work login --key-file FILE')
  if (!isRawKey(text)) {
    const decrypt = readKeystore(text)
    return async (passphrase) => openKey(await decrypt(await passphrase()))
  }
  if (isReadableByOthers(path)) warn(`Other users can read ${path}, and it holds a key without a passphrase: chmod 600 it.`)
  const key = openKey(Buffer.from(text.replace(/^0x/, ''), 'hex'))
  return async () => key
}

const newPrivateKey = (): Buffer => {
  for (;;) {
    const bytes = randomBytes(32)
    if (findAddress(bytes) !== undefined) return bytes
  }
}

/** Makes a key and writes it as a keystore file. A file that exists is never replaced. */
export const createKeyFile = async (path: string, passphrase: string, cost?: ScryptCost): Promise<OpenKey> => {
  const key = openKey(newPrivateKey())
  if (!createPrivate(path, await writeKeystore(key.privateKey, passphrase, cost)))
    throw keyError(`The key file ${path} exists already and is not replaced.`)
  return key
}
