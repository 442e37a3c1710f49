import { randomBytes } from 'node:crypto'
import { keyError, usageError } from '../failures.ts'
import { createPrivate, isReadableByOthers, readFileIfThere } from '../state/files.ts'
import { findAddress } from './address.ts'
import { type Keystore, readKeystore, writeKeystore } from './keystore.ts'
import type { ScryptCost } from './scrypt.ts'

/** A key in memory. */
export interface OpenKey {
  address: string
  privateKey: Buffer
}

/** A key file before it is opened. */
export interface KeyFile {
  /** Address in lower case, when the file tells it without a passphrase. */
  address: string | undefined
  open(passphrase: () => Promise<string>): Promise<OpenKey>
}

const openKey = (privateKey: Buffer): OpenKey => {
  const address = findAddress(privateKey)
  if (address === undefined) throw keyError('The file does not hold a key of this curve.')
  return { address, privateKey }
}

const ofKeystore = ({ address, open }: Keystore): KeyFile => ({
  address,
  open: async (passphrase) => openKey(await open(await passphrase())),
})

/** Whether a text is a raw key. It must never be printed. */
const isRawKey = (text: string): boolean => /^(0x)?[0-9a-fA-F]{64}$/.test(text)

/** Reads a keystore file, or a file with one raw key in hex. `warn` gets a text when others can read a raw key. */
export const readKeyFile = (path: string, warn: (text: string) => void): KeyFile => {
  if (isRawKey(path)) throw usageError('--key-file takes the path of a file, never a key: other programs can see arguments.')
  const text = readFileIfThere(path)?.trim()
  if (text === undefined) throw keyError(`The key file ${path} does not exist.`, 'agent-work login --key-file FILE')
  if (!isRawKey(text)) return ofKeystore(readKeystore(text))
  if (isReadableByOthers(path)) warn(`Other users can read ${path}, and it holds a key without a passphrase: chmod 600 it.`)
  const key = openKey(Buffer.from(text.replace(/^0x/, ''), 'hex'))
  return { address: key.address, open: async () => key }
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
