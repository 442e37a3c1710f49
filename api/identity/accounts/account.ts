import { type NativeAccount, readNativeAccount } from '../../../domain/identity/native/account.ts'
import type { Ss58Fault } from '../../../domain/identity/native/ss58.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { invalidRequest } from '../../http/problem.ts'

type Hex = `0x${string}`

/** Whose key signs in. `subject` stands in tokens and messages; `wallet` (lower-case address) is the key of every record. */
export type SignInAccount =
  | { kind: 'evm'; subject: Hex; wallet: Hex; native: null }
  | { kind: 'native'; subject: string; wallet: Hex; native: NativeAccount }

const isAddress = (text: string): text is Hex => text.startsWith('0x')

/** The account of a subject: a lower-case address, or an SS58 address of any network. */
export const accountOf = (subject: string): SignInAccount | Ss58Fault => {
  if (isAddress(subject)) return { kind: 'evm', subject, wallet: subject, native: null }
  const native = readNativeAccount(subject)
  return typeof native === 'string' ? native : { kind: 'native', subject: native.ss58, wallet: native.wallet, native }
}

const FAULTS: Record<Ss58Fault, string> = {
  alphabet: 'holds a character that an SS58 address does not have',
  length: 'is neither 0x and 40 hex digits nor an SS58 address of an account id (32 bytes)',
  prefix: 'has no valid network prefix of an SS58 address',
  checksum: 'has a wrong checksum: an SS58 address is copied exactly, its letter case counts',
}

/** The account of a wallet that a caller names. Throws 400 with the rule that an SS58 address breaks, at `pointer`. */
const readAccount = (wallet: string, pointer: string): SignInAccount => {
  const account = accountOf(wallet)
  if (typeof account !== 'string') return account
  throw invalidRequest([{ pointer, rule: account, message: FAULTS[account] }])
}

/** The same for an account that is to sign in: 400 for a native account where the chain serves none. */
export const readSigningAccount = (chain: ChainFile, wallet: string, pointer: string): SignInAccount => {
  const account = readAccount(wallet, pointer)
  if (account.kind === 'evm' || chain.native !== undefined) return account
  throw invalidRequest([
    { pointer, rule: 'unsupported', message: 'is a native account (SS58), which this chain does not serve: name a 0x address' },
  ])
}
