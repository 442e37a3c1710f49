import { readNativeAccount } from '../../../domain/identity/native/account.ts'
import { formatNativeMessage, nativeChainId, parseNativeMessage } from '../../../domain/identity/native/message.ts'
import { verifyNativeSignature } from '../../../domain/identity/native/signature.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import type { AccountKind } from './kind.ts'

/** Native accounts (SS58): their messages name the network by its genesis hash. */
export const nativeAccounts: AccountKind = {
  chainId: ({ native }) => (native === undefined ? null : nativeChainId(native.genesisHash)),
  format: ({ native }, address, terms) => {
    if (native === undefined) throw new Error('this chain serves no native accounts')
    return formatNativeMessage({ ...terms, address, chainId: nativeChainId(native.genesisHash) })
  },
  parse: (text) => {
    const message = parseNativeMessage(text)
    const account = message === null ? 'alphabet' : readNativeAccount(message.address)
    if (message === null || typeof account === 'string') return 'malformed'
    const { domain, uri, chainId, issuedAt, expirationTime } = message
    return Number.isNaN(Date.parse(issuedAt)) ? 'bad_issued_at' : { domain, uri, chainId, subject: account.ss58, issuedAt, expirationTime }
  },
  assertSigned: async (_deps, subject, text, signature) => {
    const account = readNativeAccount(subject)
    if (typeof account === 'string') throw new Error(`a challenge names ${subject}, which is no native account`)
    const verdict = verifyNativeSignature(text, signature, account.accountId)
    if (verdict === 'unsupported') throw new ServiceError('native_signature_type_unsupported')
    if (verdict === 'invalid') throw new ServiceError('native_signature_invalid')
  },
}
