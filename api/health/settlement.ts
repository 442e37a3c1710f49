import type { Logger } from 'pino'
import { createChainClients } from '../../activities/chain/clients.ts'
import { openChainNodes } from '../../activities/chain/node/nodes.ts'
import { createPaymentChain, type DomainCheck, readPaymentTerms } from '../../activities/paid-verification/payment/chain.ts'
import type { Health } from '../../schemas/health/shapes.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Probed } from '../http/probe.ts'

type Settlement = NonNullable<Health['components']['settlement']>

/** Compares the token of the payment chain with its configured domain; null where no payments are configured. */
export const createSettlementProbe = (settings: Settings, logger: Logger): (() => Promise<DomainCheck | null>) => {
  const payment = readPaymentTerms(settings)
  if (payment === null) return async () => null
  const clients = createChainClients(payment.file, openChainNodes(payment.file, settings, logger))
  return createPaymentChain(payment.terms, clients).checkDomain
}

/** Whether payments of runs can be taken; absent where none are configured. */
export const settlementOf = (probed: Probed<DomainCheck | null>): Settlement | undefined => {
  if (!probed.ok || probed.value?.isConfirmed === null) return { ok: false, state: 'no_answer' }
  if (probed.value === null) return undefined
  return probed.value.isConfirmed ? { ok: true, state: 'ready' } : { ok: false, state: 'another_domain' }
}

const MESSAGES = {
  no_answer: 'The payment chain does not answer: no run of verification is sold, and payments that are due wait.',
  another_domain:
    'The payment token has another signing domain than configured, so no run of verification is sold. See the log of the API.',
} as const

/** No error: jobs need no payment chain. */
export const settlementWarnings = (probed: Probed<DomainCheck | null>): Health['warnings'] => {
  const state = settlementOf(probed)?.state ?? 'ready'
  return state === 'ready' ? [] : [{ code: `settlement_${state}`, severity: 'warn', message: MESSAGES[state] }]
}
