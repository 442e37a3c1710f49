// Keystore files of version 3 ("Web3 Secret Storage"), as geth and most wallets write them.
import { randomUUID } from 'node:crypto'
import { parseJson } from '../../src/json.ts'
import { keyError } from '../failures.ts'
import { findAddress } from './address.ts'
import { broken, encryptSecret, hexOf, membersOf, readEncrypted, type ScryptCost, STANDARD_COST } from './encryption.ts'

/** Checks a keystore file without deriving anything. Returns a function that decrypts its key, and throws when the passphrase is wrong. */
export const readKeystore = (text: string): ((passphrase: string) => Promise<Buffer>) => {
  const parsed = parseJson(text)
  if (parsed === undefined) return broken('it is not JSON')
  const file = membersOf(parsed, 'the file')
  if (file.version !== 3) return broken('its version is not 3')
  const decrypt = readEncrypted(membersOf(file.crypto ?? file.Crypto, 'crypto'))
  const address = file.address === undefined ? undefined : `0x${hexOf(file, 'address', { exactly: 20 }).toString('hex')}`
  return async (passphrase) => {
    const privateKey = await decrypt(passphrase)
    const found = findAddress(privateKey)
    if (found === undefined) return broken('it does not hold a key of this curve')
    return address === undefined || address === found ? privateKey : broken('its address is not that of its key')
  }
}

/** Encrypts a key with a passphrase in the form of new keys. Returns the text of a keystore file. */
export const writeKeystore = async (privateKey: Uint8Array, passphrase: string, cost: ScryptCost = STANDARD_COST): Promise<string> => {
  const address = findAddress(privateKey)
  if (address === undefined) throw keyError('The bytes are not a key of this curve.')
  const crypto = await encryptSecret(privateKey, passphrase, cost)
  return `${JSON.stringify({ version: 3, id: randomUUID(), address: address.slice(2), crypto }, null, 2)}\n`
}
