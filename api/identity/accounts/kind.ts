import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import type { ServiceDeps } from '../../deps.ts'

type Hex = `0x${string}`

/** What a message binds beside its account. Times are ISO 8601. */
interface MessageTerms {
  domain: string
  uri: string
  statement: string
  nonce: string
  issuedAt: string
  expirationTime: string
  /** The request of OAuth that the signature answers. */
  requestId?: string
  /** Addresses that the token is for. */
  resources?: string[]
}

/** Members of a text that the service checks. `subject` is spelled as challenges have it. */
export interface SignInText {
  domain: string
  uri: string
  chainId: number | string
  subject: string
  issuedAt: string
  expirationTime?: string | undefined
  notBefore?: string | undefined
}

/** How the accounts of one kind sign in. */
export interface AccountKind {
  /** Name of the chain in messages; null where the chain serves no such account. */
  chainId: (chain: ChainFile) => number | string | null
  /** The text to sign. */
  format: (chain: ChainFile, subject: string, terms: MessageTerms) => string
  /** The members of a text: `malformed` when it is no message of this kind, `bad_issued_at` when only its issue time is unreadable. */
  parse: (text: string) => SignInText | 'malformed' | 'bad_issued_at'
  /** Throws the code of a signature that is not one of the subject. */
  assertSigned: (deps: ServiceDeps, subject: string, text: string, signature: Hex) => Promise<void>
}
