import type { Logger } from 'pino'
import type { NonceStatus, SignerStatus } from '../../activities/chain/journal/nonce-status.ts'
import type { Pump, Pumped } from '../../activities/chain/journal/pump.ts'
import { nonceRemedy } from '../../domain/chain/nonce-trouble.ts'
import { brief } from '../observability/error-line.ts'

const PERIOD_MS = 2_000
/** A continuing alarm is logged again at this interval. */
const REPEAT_MS = 60_000

export interface NonceKeeperDeps {
  pump: Pump
  status: NonceStatus
  /** Role of a signer whose key this worker holds. */
  roleOf: (signer: string) => string | undefined
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  periodMs?: number
}

/** Signers at the last successful check. `at` is the process's own clock, ms. */
export interface NonceCheck {
  at: number
  signers: SignerStatus[]
}

/** A stuck nonce: how many checks saw it and when it was logged last. */
type Alarm = { nonce: number; checks: number; loggedAt: number | null }

/** Logs a stuck nonce at its second check, then once a minute, and when it is over. At a single check the node may lag. */
export const createNonceAlarm = ({ roleOf, logger }: Pick<NonceKeeperDeps, 'roleOf' | 'logger'>, now: () => number = Date.now) => {
  const alarms = new Map<string, Alarm>()

  const clear = (signer: string): void => {
    const alarm = alarms.get(signer)
    alarms.delete(signer)
    if (alarm !== undefined && alarm.loggedAt !== null) logger.info({ signer, nonce: alarm.nonce }, 'the nonce is no longer stuck')
  }

  return ({ signer, trouble, nextNonce, chainLatest, open }: SignerStatus): void => {
    if (trouble === null || alarms.get(signer)?.nonce !== trouble.nonce) clear(signer)
    if (trouble === null) return
    const { nonce, checks, loggedAt } = alarms.get(signer) ?? { nonce: trouble.nonce, checks: 0, loggedAt: null }
    const isDue = checks > 0 && (loggedAt === null || now() - loggedAt >= REPEAT_MS)
    alarms.set(signer, { nonce, checks: checks + 1, loggedAt: isDue ? now() : loggedAt })
    if (!isDue) return
    const [row] = open
    const command = nonceRemedy(trouble, roleOf(signer))
    const waiting = row?.nonce === nonce ? { intentKey: row.intentKey, txHash: row.txHash, requestId: row.intent.requestId } : {}
    logger.error({ signer, ...trouble, nextNonce, chainLatest, ...waiting, command }, `a nonce is stuck (${trouble.kind}): ${command}`)
  }
}

/**
 * Checks the journal of every signer, with or without its key: resends transactions without a waiting process, closes settled ones and
 * raises the alarm. Several workers may run it at once. A failed check is repeated at the next one.
 */
export const startNonceKeeper = ({ pump, status, roleOf, logger, periodMs = PERIOD_MS }: NonceKeeperDeps) => {
  const alarm = createNonceAlarm({ roleOf, logger })
  let stopped = false
  let latest: NonceCheck | null = null

  const refusals = new Map<string, string>()

  /** Logs a refusal once, not at every check. */
  const logRefusal = (signer: string, refused: Pumped['refused']): void => {
    const reason = refused ? `${refused.row.txHash} ${brief(refused.error)}` : ''
    if (refused && refusals.get(signer) !== reason) {
      const { intentKey, nonce, txHash } = refused.row
      logger.warn({ signer, intentKey, nonce, txHash, reason: brief(refused.error) }, 'a transaction is refused by every write address')
    }
    refusals.set(signer, reason)
  }

  const pumpNeglected = async ({ signer }: SignerStatus): Promise<void> => {
    const { sentCount, refused } = await pump.resumeNeglected(signer)
    if (sentCount > 0) logger.warn({ signer, handedOut: sentCount }, 'transactions without a waiting process were sent again')
    logRefusal(signer, refused)
  }

  const check = async (): Promise<void> => {
    const signers = await status()
    latest = { at: Date.now(), signers }
    // All alarms first, and each signer on its own: a failure of one signer must not hide the others.
    for (const signer of signers) alarm(signer)
    for (const signer of signers)
      await pumpNeglected(signer).catch((error: unknown) =>
        logger.warn({ signer: signer.signer, reason: brief(error) }, 'the journal of a signer could not be processed'),
      )
  }

  const loop = async (): Promise<void> => {
    while (!stopped) {
      await check().catch((error: unknown) => logger.warn({ reason: brief(error) }, 'the journal could not be checked'))
      await new Promise((resolve) => setTimeout(resolve, periodMs).unref())
    }
  }
  void loop()

  return {
    latest: (): NonceCheck | null => latest,
    stop: (): void => {
      stopped = true
    },
  }
}
