import { admitRun } from '../../activities/paid-verification/admit.ts'
import type { PaymentChain } from '../../activities/paid-verification/payment/chain.ts'
import { createPaymentGate, type GatedPayment } from '../../activities/paid-verification/payment/gate.ts'
import { countUnpaid, findPaidRun, findRun, type RunRecord } from '../../activities/paid-verification/records.ts'
import { createRunSecrets, type RunSecrets, runKeyOf } from '../../activities/paid-verification/secrets.ts'
import { DAY_MS } from '../../domain/common/instants.ts'
import { type AvailabilityOf, assertSold, type ReadRequest, readVerificationRequest } from '../../domain/paid-verification/offers.ts'
import type { PresentedPayment } from '../../domain/paid-verification/presented-payment.ts'
import {
  buildRequirements,
  challengeOf,
  type PaymentTerms,
  settlementHeaders,
  timeoutSeconds,
} from '../../domain/paid-verification/requirements.ts'
import { runView } from '../../domain/paid-verification/run-view.ts'
import type { JsonValue } from '../../schemas/catalogue/job-definition.ts'
import { ERRORS, ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as operations from '../../schemas/paid-verification/operations.ts'
import type { ApiDeps } from '../deps.ts'
import { SERVICE_NAME } from '../service.ts'

/** How long a run is kept. */
const KEPT_MS = 30 * DAY_MS
const TARGET_CREDENTIAL = 'verification-target-authorization'

type Deps = Pick<ApiDeps, 'settings' | 'database' | 'clock' | 'baseUrl'>
type RunHandlers = Pick<HandlersOf<typeof operations>, 'startVerificationRun' | 'getVerificationRun'>

/** What a process needs to sell runs; null where it is not configured. */
export interface Selling {
  terms: PaymentTerms
  chain: PaymentChain
}

interface Admission {
  read: ReadRequest
  body: { target: Record<string, unknown>; inputs: Record<string, unknown> }
  payment: PresentedPayment
  decimals: number
  admittedBlock: bigint
  credential: string | undefined
  now: number
}

const recordOf = (secrets: RunSecrets, { read, body, payment, decimals, admittedBlock, credential, now }: Admission): RunRecord => {
  const { network, asset, from: payer, to: payTo, nonce, value, validAfter, validBefore, signature } = payment
  const runKey = runKeyOf(secrets.runIdOf({ network, asset, payer, nonce }))
  return {
    ...{ runKey, state: 'authorized', profileRef: read.profile.ref, profileDigest: read.profile.digest, requestHash: read.requestHash },
    ...{ target: body.target as JsonValue, inputs: body.inputs as JsonValue, hasCredential: credential !== undefined },
    sealedCredential: credential === undefined ? null : secrets.sealCredential(credential, runKey),
    ...{ network, asset, payer, payTo, nonce, amountRaw: value, decimals, signature },
    ...{ validAfter: Number(validAfter), validBefore: validBefore as never, admittedBlock: admittedBlock as never },
    ...{ attempts: 0, verdict: null, result: null, uncollectable: null, txHash: null, blockNumber: null, receiptId: null },
    ...{ submittedAt: now, executedAt: null, endedAt: null, expiresAt: now + KEPT_MS, wokenAt: null },
  }
}

/** Paid runs. Source: HTTP facts, "paid runs"; rulings on payments. */
export const createRunHandlers = (deps: Deps, selling: Selling | null, readAvailability: () => Promise<AvailabilityOf>): RunHandlers => {
  const { settings, database, clock, baseUrl } = deps
  const { rows } = database
  const { VERIFICATION_SECRET: secret } = settings
  const secrets = secret === undefined ? null : createRunSecrets(secret)
  const records = {
    findKnown: ({ network, asset, from: payer, nonce }: PresentedPayment) => findPaidRun(rows, { network, asset, payer, nonce }),
    countUnpaid: (payer: string) => countUnpaid(rows, payer),
  }

  /** Adds to a refused payment what the request costs. */
  const withChallenge = (error: unknown, { profile, requestHash }: ReadRequest, terms: PaymentTerms): unknown => {
    if (!(error instanceof ServiceError) || ERRORS[error.code].status !== 402) return error
    const word = error.info.details?.x402Reason
    const service = { baseUrl, serviceName: SERVICE_NAME }
    const { challenge, headers } = challengeOf(service, { terms, profile, requestHash, ...(typeof word === 'string' && { error: word }) })
    return new ServiceError(error.code, { ...error.info, members: { ...challenge }, headers })
  }

  /** Headers of x402 for a payment that was collected. */
  const paidHeaders = ({ txHash, payer, network, amountRaw }: RunRecord) =>
    txHash === null
      ? {}
      : settlementHeaders({ success: true, payer: payer as never, transaction: txHash as never, network, amount: amountRaw.toString() })

  return {
    startVerificationRun: async ({ body, request: { headers } }) => {
      const read = readVerificationRequest(body)
      /** Refuses a new run while none is sold; the payment of a stored run is still answered with it. */
      const assertOpen = async (): Promise<void> => {
        assertSold(read, { terms: selling?.terms ?? null, availability: (await readAvailability())(read.profile.ref) })
      }
      if (selling === null || secrets === null) {
        await assertOpen()
        throw new ServiceError('verification_profile_unavailable')
      }
      const { terms, chain } = selling
      const { profile, requestHash } = read
      const gate = createPaymentGate({ chain, records, assertSold: assertOpen })
      const demanded = { requirement: buildRequirements(terms, profile, requestHash), requestHash, timeoutSeconds: timeoutSeconds(profile) }
      const admit = async ({ payment, admittedBlock }: GatedPayment): Promise<RunRecord> => {
        const { network, asset, from: payer, nonce } = payment
        if (admittedBlock === null) return (await findPaidRun(rows, { network, asset, payer, nonce })) as RunRecord
        const run = recordOf(secrets, {
          ...{ read, body, payment, decimals: terms.asset.decimals, admittedBlock },
          ...{ credential: headers[TARGET_CREDENTIAL], now: clock.now() },
        })
        return database.transaction((locked) => admitRun(locked, run))
      }
      try {
        const run = await admit(await gate(headers, demanded))
        // Two requests at once may have brought one payment for two requests: the first one owns it.
        if (run.requestHash !== requestHash) throw new ServiceError('payment_authorization_reused')
        const runId = secrets.runIdOf(run)
        const answer = { body: runView(run, { runId, baseUrl }), headers: paidHeaders(run) }
        if (run.endedAt !== null) return { status: 200, ...answer }
        return { status: 202, ...answer, headers: { ...answer.headers, location: answer.body.runUrl } }
      } catch (error) {
        throw withChallenge(error, read, terms)
      }
    },

    getVerificationRun: async ({ params: { runId } }) => {
      const run = await findRun(rows, runKeyOf(runId))
      if (run === null || run.expiresAt <= clock.now()) throw new ServiceError('verification_run_not_found')
      return { status: 200, body: runView(run, { runId, baseUrl }), headers: paidHeaders(run) }
    },
  }
}
