import type { Logger } from 'pino'
import type { NonceStatus, SignerStatus } from '../../activities/chain/journal/nonce-status.ts'
import type { Pump, Pumped } from '../../activities/chain/journal/pump.ts'
import { nonceRemedy } from '../../domain/chain/nonce-trouble.ts'
import { brief } from '../observability/error-line.ts'

const PERIOD_MS = 2_000
/** An alarm that goes on is said again this often. */
const REPEAT_MS = 60_000

export interface NonceKeeperDeps {
  pump: Pump
  status: NonceStatus
  /** Role of a signer whose key this worker holds. */
  roleOf: (signer: string) => string | undefined
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  periodMs?: number
}

/** Signers at the last look that got an answer. `at` is the process's own clock, ms. */
export interface NonceLook {
  at: number
  signers: SignerStatus[]
}

type Told = { nonce: number; looks: number; toldAt: number | null }

/** Says a trouble at its second look, then once a minute, and when it is over. One look alone may be a node that lags. */
export const createNonceAlarm = ({ roleOf, logger }: Pick<NonceKeeperDeps, 'roleOf' | 'logger'>, now: () => number = Date.now) => {
  const told = new Map<string, Told>()

  const over = (signer: string): void => {
    const was = told.get(signer)
    told.delete(signer)
    if (was !== undefined && was.toldAt !== null) logger.info({ signer, nonce: was.nonce }, 'the nonce is no longer stuck')
  }

  return ({ signer, trouble, nextNonce, chainLatest, open }: SignerStatus): void => {
    const was = told.get(signer)
    if (trouble === null || (was !== undefined && was.nonce !== trouble.nonce)) over(signer)
    if (trouble === null) return
    const { nonce, looks, toldAt } = told.get(signer) ?? { nonce: trouble.nonce, looks: 0, toldAt: null }
    const due = looks > 0 && (toldAt === null || now() - toldAt >= REPEAT_MS)
    told.set(signer, { nonce, looks: looks + 1, toldAt: due ? now() : toldAt })
    if (!due) return
    const [row] = open
    const command = nonceRemedy(trouble, roleOf(signer))
    const waiting = row?.nonce === nonce ? { intentKey: row.intentKey, txHash: row.txHash, requestId: row.intent.requestId } : {}
    logger.error({ signer, ...trouble, nextNonce, chainLatest, ...waiting, command }, `a nonce is stuck (${trouble.kind}): ${command}`)
  }
}

/**
 * Looks after the journal of every signer, whoever holds the key: hands out what lost its process, closes what nobody waits for,
 * and raises the alarm. Any number of workers may do it at once. What fails is tried again at the next look.
 */
export const startNonceKeeper = ({ pump, status, roleOf, logger, periodMs = PERIOD_MS }: NonceKeeperDeps) => {
  const alarm = createNonceAlarm({ roleOf, logger })
  let stopped = false
  let latest: NonceLook | null = null

  const refusals = new Map<string, string>()

  /** Says a refusal once, not at every look. */
  const sayRefused = (signer: string, refused: Pumped['refused']): void => {
    const reason = refused ? `${refused.row.txHash} ${brief(refused.error)}` : ''
    if (refused && refusals.get(signer) !== reason) {
      const { intentKey, nonce, txHash } = refused.row
      logger.warn({ signer, intentKey, nonce, txHash, reason: brief(refused.error) }, 'a transaction is refused by every write address')
    }
    refusals.set(signer, reason)
  }

  const care = async ({ signer }: SignerStatus): Promise<void> => {
    const { sentCount, refused } = await pump.resumeNeglected(signer)
    if (sentCount > 0) logger.warn({ signer, handedOut: sentCount }, 'transactions that nobody waited for were handed out again')
    sayRefused(signer, refused)
  }

  const look = async (): Promise<void> => {
    const signers = await status()
    latest = { at: Date.now(), signers }
    // Every alarm first, and each signer for itself: one that cannot be looked after must not hide the others.
    for (const signer of signers) alarm(signer)
    for (const signer of signers)
      await care(signer).catch((error: unknown) =>
        logger.warn({ signer: signer.signer, reason: brief(error) }, 'the journal of a signer could not be looked after'),
      )
  }

  const loop = async (): Promise<void> => {
    while (!stopped) {
      await look().catch((error: unknown) => logger.warn({ reason: brief(error) }, 'the journal could not be looked after'))
      await new Promise((resolve) => setTimeout(resolve, periodMs).unref())
    }
  }
  void loop()

  return {
    latest: (): NonceLook | null => latest,
    stop: (): void => {
      stopped = true
    },
  }
}
export type NonceKeeper = ReturnType<typeof startNonceKeeper>
