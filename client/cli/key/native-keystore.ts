// Keystore files of native accounts: the encryption of the keystore files of wallets, under a kind of its own, so that neither opens as the other.
import { randomUUID } from 'node:crypto'
import { isRecord, parseJson } from '../../src/json.ts'
import { broken, encryptSecret, membersOf, readEncrypted, type ScryptCost, STANDARD_COST } from './encryption.ts'
import { accountIdOf, encodeSs58, type NativeAccount, payoutAddress, SCHEMES, type Scheme } from './native-account.ts'

const KIND = 'agent-work-native'

/** Whether a text is a keystore file of a native account. */
export const isNativeKeystore = (text: string): boolean => {
  const parsed = parseJson(text)
  return isRecord(parsed) && parsed.kind === KIND
}

/** Checks a keystore file without deriving anything. Returns its account, and a function that decrypts its mini secret. */
export const readNativeKeystore = (text: string): NativeAccount & { decrypt: (passphrase: string) => Promise<Buffer> } => {
  const file = membersOf(parseJson(text), 'the file')
  if (file.kind !== KIND) return broken(`its kind is not ${KIND}`)
  if (file.version !== 1) return broken('its version is not 1')
  const scheme = SCHEMES.find((known) => known === file.scheme) ?? broken(`its scheme is not ${SCHEMES.join(' or ')}`)
  const { ss58 } = file
  if (typeof ss58 !== 'string') return broken('it has no ss58')
  const decrypt = readEncrypted(membersOf(file.crypto, 'crypto'))
  return {
    ss58,
    scheme,
    decrypt: async (passphrase) => {
      const secret = await decrypt(passphrase)
      return encodeSs58(accountIdOf(secret, scheme)) === ss58 ? secret : broken('its ss58 is not that of its key')
    },
  }
}

/** Encrypts a mini secret. Returns the text of a keystore file, which names both addresses of the account. */
export const writeNativeKeystore = async (
  secret: Uint8Array,
  scheme: Scheme,
  passphrase: string,
  cost: ScryptCost = STANDARD_COST,
): Promise<string> => {
  const accountId = accountIdOf(secret, scheme)
  const crypto = await encryptSecret(secret, passphrase, cost)
  const names = { ss58: encodeSs58(accountId), payoutAddress: payoutAddress(accountId) }
  return `${JSON.stringify({ kind: KIND, version: 1, id: randomUUID(), scheme, ...names, crypto }, null, 2)}\n`
}
