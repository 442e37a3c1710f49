import type { PaymentTerms } from '../../../domain/paid-verification/requirements.ts'
import { cutText } from '../../../domain/paid-verification/result.ts'
import { settleRequest } from '../../../domain/paid-verification/settle-request.ts'
import type { Settings } from '../../../schemas/settings.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import type { RunRecord } from '../records.ts'

/** A facilitator answers when its transaction is mined; the step's heartbeat is due soon after this time. */
const TIMEOUT_MS = 10_000
const MAX_BYTES = 16_384
const MAX_REASON = 80

/** Sends payments to the chain in place of the settler. */
export interface Facilitator {
  /** Asks for the payment of a run, any number of times. Never throws. It returns what was answered, for operators: only the chain says what happened. */
  settle(run: RunRecord): Promise<string>
}

interface Parts {
  fetch: GuardedFetch
  /** Base address, with or without a trailing slash. */
  url: string
  token: string | undefined
  terms: PaymentTerms
  timeoutMs?: number
}

const parse = (body: Buffer): { success?: unknown; errorReason?: unknown } => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

export const createFacilitator = ({ fetch, url, token, terms, timeoutMs = TIMEOUT_MS }: Parts): Facilitator => ({
  settle: async (run) => {
    if (run.signature === null) return 'The authorisation is erased.'
    const { amountRaw, validBefore, signature } = run
    const request = settleRequest({ ...run, signature, amountRaw: String(amountRaw), validBefore: Number(validBefore) }, terms)
    const answer = await fetch({
      url: `${url.replace(/\/+$/, '')}/settle`,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(request),
      timeoutMs,
      maxBytes: MAX_BYTES,
      redirects: 0,
    })
    if (!answer.ok) return `The facilitator gave no answer (${answer.failure}).`
    const { success, errorReason } = parse(answer.body)
    if (success === true) return 'The facilitator reports success. Waits for the chain.'
    const reason = typeof errorReason === 'string' ? cutText(errorReason, MAX_REASON) : 'no reason'
    return `The facilitator answered ${answer.status}: ${reason}.`
  },
})

/** The facilitator of the settings; null where the service settles itself. */
export const readFacilitator = (
  { VERIFICATION_FACILITATOR_URL: url, VERIFICATION_FACILITATOR_TOKEN: token }: Settings,
  parts: Pick<Parts, 'fetch' | 'terms'>,
): Facilitator | null => (url === undefined ? null : createFacilitator({ ...parts, url, token }))
