import { createPrivateKey, pbkdf2Sync } from 'node:crypto'
import { toHex } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { readIfThere, type StateFiles, writePrivate } from './files.ts'
import { createSecret, createSigningKey } from './production/create.ts'

/** Public test mnemonic of Ethereum tools, for the local chain only. Its accounts hold native money from block 0 on, also after a replay. */
export const LOCAL_MNEMONIC = 'test test test test test test test test test test test junk'

/** Account index of each role of the stack. Others are free for demos. */
const INDEX = {
  deployer: 0,
  operator: 1,
  verifier: 2,
  arbitrator: 3,
  admin: 4,
  treasury: 5,
  faucet: 6,
  creditOperator: 7,
  settler: 8,
} as const
export type LocalRole = keyof typeof INDEX
export type LocalKey = { address: `0x${string}`; privateKey: `0x${string}` }

/** Root of the mnemonic by BIP-39. Node derives the seed in a millisecond, the Ethereum library in a tenth of a second. */
const root = HDKey.fromMasterSeed(pbkdf2Sync(LOCAL_MNEMONIC, 'mnemonic', 2048, 64, 'sha512'))

const deriveKey = (addressIndex: number): LocalKey => {
  const account = hdKeyToAccount(root, { addressIndex })
  const secret = account.getHdKey().privateKey
  if (!secret) throw new Error('a derived key has a private part')
  return { address: account.address, privateKey: toHex(secret) }
}

const KEYS = Object.fromEntries(Object.entries(INDEX).map(([role, index]) => [role, deriveKey(index)])) as Record<LocalRole, LocalKey>

/** Address and private key of a role on the local chain; `faucet` pays native gas to demo wallets by plain transfers. */
export const localKey = (role: LocalRole): LocalKey => KEYS[role]

/** Keys of all roles. */
export const localKeys = (): Record<LocalRole, LocalKey> => ({ ...KEYS })

/** Creates a P-256 signing key (PKCS#8 PEM) unless the file exists. */
const ensureSigningKey = (path: string): void => {
  const present = readIfThere(path)
  if (present !== undefined) {
    createPrivateKey(present)
    return
  }
  writePrivate(path, createSigningKey())
}

/** Creates a random secret unless the file exists. */
const ensureSecret = (path: string): void => {
  if (readIfThere(path) === undefined) writePrivate(path, createSecret())
}

/** Creates the keys and secrets of API and worker that do not exist yet. */
export const ensureServiceKeys = (files: StateFiles): void => {
  for (const key of [files.jwtKey, files.receiptKey]) ensureSigningKey(key)
  for (const secret of [files.shareSecret, files.answerSecret, files.verificationSecret]) ensureSecret(secret)
}
