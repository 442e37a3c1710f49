import { z } from 'zod'
import { createChainClients } from '../../activities/chain/clients.ts'
import { openChainNodes } from '../../activities/chain/node/nodes.ts'
import { createPaymentChain, type DomainCheck, readPaymentTerms } from '../../activities/paid-verification/payment/chain.ts'
import { listRuns } from '../../activities/paid-verification/records.ts'
import {
  type AvailabilityOf,
  listProfiles,
  paymentAvailability,
  quoteRun,
  readVerificationRequest,
  runnerAvailability,
  x402Manifest,
} from '../../domain/paid-verification/offers.ts'
import { statesSeenAs } from '../../domain/paid-verification/run-states.ts'
import { runOverview } from '../../domain/paid-verification/run-view.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as operations from '../../schemas/paid-verification/operations.ts'
import { RUNNER_PROFILES } from '../../schemas/paid-verification/runner.ts'
import type { ApiDeps } from '../deps.ts'
import { memoizeFor } from '../http/cache.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { SERVICE_NAME } from '../service.ts'
import { createRunHandlers } from './runs.ts'

/** Maximum age of what the token states as its signing domain. A payment is checked against a reading of its own. */
const DOMAIN_CHECK_MS = 10_000

/** Maximum age of what the engine says of the runners. */
const RUNNERS_MS = 5_000

const RunPosition = z.object({ submittedAt: InstantKey, runKey: TextKey })

type Deps = Pick<ApiDeps, 'settings' | 'logger' | 'clock' | 'baseUrl' | 'database'> & { engine: Pick<ApiDeps['engine'], 'readRunners'> }

const reportDomain = ({ logger }: Pick<Deps, 'logger'>, check: DomainCheck): void => {
  if (check.isConfirmed === null) logger.warn('the payment chain does not answer: no verification is sold until it does')
  if (check.isConfirmed === false)
    logger.error({ problem: check.problem }, 'the payment token has another signing domain than configured: no verification is sold')
}

/** Profiles of verification, their prices and discovery by x402. */
export const createPaidVerificationHandlers = (deps: Deps): HandlersOf<typeof operations> => {
  const { settings, logger, clock, baseUrl, engine, database } = deps
  const payment = readPaymentTerms(settings)
  const terms = payment?.terms ?? null
  const chain =
    payment && createPaymentChain(payment.terms, createChainClients(payment.file, openChainNodes(payment.file, settings, logger)))
  const domain = memoizeFor(DOMAIN_CHECK_MS, async (): Promise<DomainCheck> => {
    const check: DomainCheck = chain === null ? { isConfirmed: null } : await chain.checkDomain()
    if (chain !== null) reportDomain(deps, check)
    return check
  })
  // Compared at the start, so that the log names a wrong token before the first buyer meets it.
  void domain.get().catch((error: unknown) => logger.error({ err: error }, 'the payment token could not be checked'))

  const runners = memoizeFor(RUNNERS_MS, () => engine.readRunners())
  const sale = {
    terms,
    hasSecret: settings.VERIFICATION_SECRET !== undefined,
    hasSettler: (settings.SETTLER_KEY ?? settings.VERIFICATION_FACILITATOR_URL) !== undefined,
  }
  const readAvailability = async (): Promise<AvailabilityOf> => {
    const payable = paymentAvailability(sale, (await domain.get()).isConfirmed)
    if (payable.status === 'unavailable') return () => payable
    const runnable = runnerAvailability(await runners.get().catch(() => null))
    return (profileRef) => (RUNNER_PROFILES.includes(profileRef) ? runnable : payable)
  }

  const manifest = async () => ({
    status: 200 as const,
    body: x402Manifest({ baseUrl, serviceName: SERVICE_NAME }, terms, await readAvailability()),
  })

  return {
    ...createRunHandlers(deps, chain === null || terms === null ? null : { terms, chain }, readAvailability),
    listVerificationProfiles: async () => ({ status: 200, body: listProfiles(terms, await readAvailability()) }),
    listVerificationRuns: async ({ query }) => {
      const { status, billing, profile, customer } = query
      const filters = { status, billing, profile, customer }
      const page = listPage({ ...query, operationId: 'listVerificationRuns', filters, position: RunPosition })
      const states = status === undefined && billing === undefined ? undefined : statesSeenAs({ status, billing })
      const found = await listRuns(database.rows, { states, profile, customer }, { limit: page.readLimit, after: page.after })
      const { rows, ...envelope } = page.cut(found, ({ submittedAt, runKey }) => ({ submittedAt, runKey }))
      return { status: 200, body: { runs: rows.map((run) => runOverview(run, baseUrl)), ...envelope } }
    },
    getX402Manifest: manifest,
    getX402ManifestFile: manifest,
    quoteVerificationRun: async ({ body }) => {
      const request = readVerificationRequest(body)
      const availability = (await readAvailability())(request.profile.ref)
      return { status: 200, body: quoteRun(request, { terms, availability, now: clock.now() }) }
    },
  }
}
