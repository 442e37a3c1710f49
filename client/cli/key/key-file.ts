import { randomBytes } from 'node:crypto'
import { keyError, usageError } from '../failures.ts'
import { createPrivate, isReadableByOthers, readFileIfThere } from '../state/files.ts'
import { findAddress } from './address.ts'
import type { ScryptCost } from './encryption.ts'
import { readKeystore, writeKeystore } from './keystore.ts'
import { accountIdOf, encodeSs58, type NativeAccount, payoutAddress, type Scheme } from './native-account.ts'
import { isNativeKeystore, readNativeKeystore, writeNativeKeystore } from './native-keystore.ts'

/** A key in memory. */
export interface OpenKey {
  /** Wallet of the key, in lower case. */
  address: string
  privateKey: Buffer
  /** The account of a key of the native side, whose wallet is the address that contracts know it by. */
  native?: NativeAccount | undefined
}

/** Opens a key file that was read and checked. */
type KeyOpener = (passphrase: () => Promise<string>) => Promise<OpenKey>

const openKey = (privateKey: Buffer): OpenKey => {
  const address = findAddress(privateKey)
  if (address === undefined) throw keyError('The file does not hold a key of this curve.')
  return { address, privateKey }
}

const openNativeKey = (privateKey: Buffer, scheme: Scheme): OpenKey => {
  const accountId = accountIdOf(privateKey, scheme)
  return { address: payoutAddress(accountId), privateKey, native: { ss58: encodeSs58(accountId), scheme } }
}

/** Whether a text is a raw key. It must never be printed. */
const isRawKey = (text: string): boolean => /^(0x)?[0-9a-fA-F]{64}$/.test(text)

/** Opens the keystore file of either kind. */
const readEitherKeystore = (text: string): KeyOpener => {
  if (!isNativeKeystore(text)) {
    const decrypt = readKeystore(text)
    return async (passphrase) => openKey(await decrypt(await passphrase()))
  }
  const { decrypt, scheme } = readNativeKeystore(text)
  return async (passphrase) => openNativeKey(await decrypt(await passphrase()), scheme)
}

/**
 * Reads a keystore file of either kind, or a file with one raw key in hex: with `rawScheme` a mini secret of a native account, else a key of
 * a wallet. `warn` gets a text when others can read a raw key.
 */
export const readKeyFile = (path: string, warn: (text: string) => void, rawScheme?: Scheme): KeyOpener => {
  if (isRawKey(path)) throw usageError('--key-file takes the path of a file, never a key: other programs can see arguments.')
  const text = readFileIfThere(path)?.trim()
  if (text === undefined) throw keyError(`The key file ${path} does not exist.`, 'agent-work login --key-file FILE')
  if (!isRawKey(text)) return readEitherKeystore(text)
  if (isReadableByOthers(path)) warn(`Other users can read ${path}, and it holds a key without a passphrase: chmod 600 it.`)
  const bytes = Buffer.from(text.replace(/^0x/, ''), 'hex')
  const key = rawScheme === undefined ? openKey(bytes) : openNativeKey(bytes, rawScheme)
  return async () => key
}

/** Whether a key file belongs to a native account; false also for a file that cannot be read. */
export const isNativeKeyFile = (path: string): boolean => isNativeKeystore(readFileIfThere(path) ?? '')

const newPrivateKey = (): Buffer => {
  for (;;) {
    const bytes = randomBytes(32)
    if (findAddress(bytes) !== undefined) return bytes
  }
}

/** Makes a key and writes it as a keystore file, with `scheme` for a native account. A file that exists is never replaced. */
export const createKeyFile = async (
  path: string,
  passphrase: string,
  { scheme, cost }: { scheme?: Scheme | undefined; cost?: ScryptCost } = {},
): Promise<OpenKey> => {
  const key = scheme === undefined ? openKey(newPrivateKey()) : openNativeKey(randomBytes(32), scheme)
  const text =
    scheme === undefined
      ? await writeKeystore(key.privateKey, passphrase, cost)
      : await writeNativeKeystore(key.privateKey, scheme, passphrase, cost)
  if (!createPrivate(path, text)) throw keyError(`The key file ${path} exists already and is not replaced.`)
  return key
}
