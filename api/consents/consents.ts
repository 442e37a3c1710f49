import { assertConsent, getOffer, insertQuote, type SignedConsent, type StoredQuote } from '../../activities/consents/records.ts'
import { keccakOf } from '../../domain/common/hashes.ts'
import { type ConsentProduct, consentMessage, consentStatement, type OfferedTerms } from '../../domain/consents/message.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { ServiceDeps } from '../deps.ts'
import { type KeyedInput, type ProcessKey, withProcessKey } from '../http/idempotency.ts'
import { signInTerms } from '../identity/challenge.ts'
import type { Outcome } from '../temporal/calls.ts'

/** Quotes of a product, and the signed consents of wallets to them. */
export const createConsents = (deps: ServiceDeps, product: ConsentProduct) => ({
  /** Stores terms as a quote of the wallet. `authorises`: what it signs, in words. Returns the members of an answer with the message. */
  offer: async <Terms extends OfferedTerms & Readonly<Record<string, unknown>>>(wallet: string, terms: Terms, authorises: string) => {
    const { kind, path } = product
    const termsHash = keccakOf(terms)
    const message = consentMessage(
      product,
      { terms, statement: consentStatement(authorises, terms) },
      { ...signInTerms(deps), baseUrl: deps.baseUrl },
    )
    await insertQuote(deps.database.rows, {
      termsHash,
      kind,
      wallet,
      terms: { ...terms },
      message,
      expiresAt: Date.parse(terms.quoteExpiresAt),
    })
    const consent = { required: true as const, method: 'SIWE_EIP4361' as const, message, submit: { method: 'POST' as const, path } }
    return { terms, termsHash, consent }
  },

  /** Runs `work` with the quote to which the caller consents, under the key of the request. Throws the refusal of the consent. */
  withConsent: <Given extends { status: number; body: unknown }>(
    input: KeyedInput & { caller: { wallet: string }; body: SignedConsent },
    work: (quote: StoredQuote, key: ProcessKey) => Promise<Given>,
  ) =>
    withProcessKey(deps, input, async (key) => {
      const quote = await getOffer(deps.database.rows, product, input.body.termsHash)
      await assertConsent(deps.database.rows, product, quote, input.body, input.caller.wallet)
      return work(quote, key)
    }),

  /** Throws for a process that has not answered in time. */
  assertDone: (outcome: Outcome<void>): void => {
    if (outcome.kind === 'pending') throw new ServiceError(product.errors.pending, { retryAfterSeconds: 2 })
  },
})
