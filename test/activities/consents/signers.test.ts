// Who signed the text of a consent: a wallet by personal_sign, a native account by its own key.
import { beforeAll, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { signerOf } from '../../../activities/consents/records.ts'
import { rememberNativeAccount } from '../../../activities/identity/native-accounts.ts'
import { ed25519Signer, sr25519Signer } from '../../domain/identity/native/signers.ts'
import { useOwnDatabase } from '../support/own-database.ts'

const TEXT = 'work.example wants you to sign in with your Ethereum account:\n\nLock 5 USDC.'
const evm = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const wallet = evm.address.toLowerCase()
const sr = sr25519Signer(5)
const ed = ed25519Signer(6)

const own = useOwnDatabase()
beforeAll(async () => {
  for (const { account } of [sr, ed]) await rememberNativeAccount(own.rows(), account, 0)
})

test.each([
  ['a wallet', wallet, () => evm.signMessage({ message: TEXT }), wallet],
  ['an sr25519 key', sr.account.wallet, () => sr.sign(TEXT), sr.account.wallet],
  ['an ed25519 key', ed.account.wallet, () => ed.sign(TEXT, 'bare'), ed.account.wallet],
  ['another native account', sr.account.wallet, () => ed.sign(TEXT), null],
  ['a wallet, for a native account', sr.account.wallet, () => evm.signMessage({ message: TEXT }), null],
  ['a native account, for a wallet', wallet, () => sr.sign(TEXT), null],
  ['a native account, of another text', sr.account.wallet, () => sr.sign(`${TEXT} `), null],
])('the signature of %s', async (_name, of, sign, expected) => {
  expect(await signerOf(own.rows(), of, TEXT, await sign())).toBe(expected)
})
