import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { roleOf } from '../../activities/chain/clients.ts'
import { createNonceStatus, type NonceStatus, type SignerStatus } from '../../activities/chain/journal/nonce-status.ts'
import { createPump, type Pump, type Pumped } from '../../activities/chain/journal/pump.ts'
import { createReplacement, type NonceAct } from '../../activities/chain/journal/replacement.ts'
import { startLoop } from '../../activities/common/loop.ts'
import { nonceRemedy } from '../../domain/chain/nonce-trouble.ts'
import { createAlarm } from '../observability/alarm.ts'
import { brief } from '../observability/error-line.ts'
import type { Metrics, Sample, WorkerDeps } from '../subjects.ts'

const PERIOD_MS = 2_000

export interface NonceKeeperDeps {
  pump: Pump
  status: NonceStatus
  /** Raises the fees of a signer's open transactions within the bounds of the operator. */
  raise: (status: SignerStatus) => Promise<NonceAct[]>
  /** Role of a signer whose key this worker holds. */
  roleOf: (signer: string) => string | undefined
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** Signers at the last successful check. `at` is the process's own clock, ms. */
export interface NonceCheck {
  at: number
  signers: SignerStatus[]
}

const TROUBLES = ['stuck', 'refused', 'missing', 'behind'] as const

export const NONCE_METRICS = {
  chain_nonce_check_age_seconds: { help: 'Time since chain and journal were last compared.' },
  chain_nonce_gap: { help: 'Next nonce of the journal minus what the chain has counted.', labels: ['signer'] },
  chain_nonce_missing: { help: 'Assigned nonces without a row in the journal.', labels: ['signer'] },
  chain_nonce_stuck: { help: '1 while the lowest open nonce blocks the others.', labels: ['signer', 'kind'] },
} satisfies Metrics

/** Before the first check its age is that of the process. */
const ageSeconds = (check: NonceCheck | null): number => (check === null ? process.uptime() : Math.max(0, (Date.now() - check.at) / 1_000))

/** Last checks of all chains; the oldest counts. */
export const nonceSamples = (checks: readonly (NonceCheck | null)[]): Sample[] => [
  { metric: 'chain_nonce_check_age_seconds', value: Math.max(...checks.map(ageSeconds)) },
  ...checks
    .flatMap((check) => check?.signers ?? [])
    .flatMap(({ signer, nextNonce, chainLatest, missing, trouble }) => [
      { metric: 'chain_nonce_gap', labels: { signer }, value: nextNonce - chainLatest },
      { metric: 'chain_nonce_missing', labels: { signer }, value: missing.length },
      ...TROUBLES.map((kind) => ({ metric: 'chain_nonce_stuck', labels: { signer, kind }, value: trouble?.kind === kind ? 1 : 0 })),
    ]),
]

/** Logs a stuck nonce at its second check, then once a minute, and when it is over. At a single check the node may lag. */
export const createNonceAlarm = ({ roleOf, logger }: Pick<NonceKeeperDeps, 'roleOf' | 'logger'>, now: () => number = Date.now) => {
  const alarm = createAlarm({ afterChecks: 2, now })
  return ({ signer, trouble, nextNonce, chainLatest, open }: SignerStatus): void =>
    alarm({
      subject: signer,
      cause: trouble === null ? null : String(trouble.nonce),
      raise: () => {
        if (trouble === null) return
        const [row] = open
        const command = nonceRemedy(trouble, roleOf(signer))
        const isWaiting = row?.nonce === trouble.nonce
        const waiting = isWaiting ? { intentKey: row.intentKey, txHash: row.txHash, requestId: row.intent.requestId } : {}
        logger.error({ signer, ...trouble, nextNonce, chainLatest, ...waiting, command }, `a nonce is stuck (${trouble.kind}): ${command}`)
      },
      end: (nonce) => logger.info({ signer, nonce: Number(nonce) }, 'the nonce is no longer stuck'),
    })
}

/**
 * Checks the journal of every signer, with or without its key: resends transactions without a waiting process, closes settled ones, raises
 * fees within the cap and the alarm above it. Several workers may run it at once. A failed check is repeated at the next one.
 */
export const startNonceKeeper = ({ pump, status, raise, roleOf, logger }: NonceKeeperDeps) => {
  const alarm = createNonceAlarm({ roleOf, logger })
  const refusalAlarm = createAlarm()
  const feeAlarm = createAlarm({ afterChecks: 2 })
  let latest: NonceCheck | null = null

  const logRefusal = (signer: string, refused: Pumped['refused']): void =>
    refusalAlarm({
      subject: signer,
      cause: refused ? `${refused.row.txHash} ${brief(refused.error)}` : null,
      raise: () => {
        if (!refused) return
        const { intentKey, nonce, txHash } = refused.row
        logger.warn({ signer, intentKey, nonce, txHash, reason: brief(refused.error) }, 'a transaction is refused by every write address')
      },
      end: () => logger.info({ signer }, 'no transaction is refused any more'),
    })

  const pumpNeglected = async ({ signer }: SignerStatus): Promise<void> => {
    const { sentCount, refused } = await pump.resumeNeglected(signer)
    if (sentCount > 0) logger.warn({ signer, handedOut: sentCount }, 'transactions without a waiting process were sent again')
    logRefusal(signer, refused)
  }

  const raiseFees = async (found: SignerStatus): Promise<void> => {
    const refused = (await raise(found)).find((act) => !act.done)
    const { signer } = found
    feeAlarm({
      subject: signer,
      cause: refused?.refusal ?? null,
      raise: () => logger.warn({ signer, ...refused }, 'the fees of a transaction are not raised'),
      end: () => logger.info({ signer }, 'no transaction waits for higher fees any more'),
    })
  }

  const check = async (): Promise<void> => {
    const signers = await status()
    latest = { at: Date.now(), signers }
    // All alarms first, and each signer on its own: a failure of one signer must not hide the others.
    for (const signer of signers) alarm(signer)
    for (const signer of signers)
      await pumpNeglected(signer)
        .then(() => raiseFees(signer))
        .catch((error: unknown) =>
          logger.warn({ signer: signer.signer, reason: brief(error) }, 'the journal of a signer could not be processed'),
        )
  }

  const onFailure = (error: unknown): void => logger.warn({ reason: brief(error) }, 'the journal could not be checked')
  return { ...startLoop({ round: check, every: PERIOD_MS, onFailure }), latest: (): NonceCheck | null => latest }
}

type KeeperDeps = Pick<WorkerDeps, 'settings' | 'signingChains' | 'signers' | 'database' | 'clock' | 'observe' | 'logger'>

/** One keeper for each chain that the service signs on. */
export const startNonceKeepers = (deps: KeeperDeps) => {
  const { settings, signingChains, signers, logger } = deps
  const bounds = { factor: settings.FEE_RAISE_FACTOR, dailyRaw: settings.FEE_RAISE_DAILY_RAW }
  const findRole = (signer: string) => roleOf(signers, signer)
  return signingChains.map(({ clients }) => {
    const own = { ...deps, clients, pause: (milliseconds: number) => sleep(milliseconds) }
    const replacement = createReplacement(own)
    return startNonceKeeper({
      pump: createPump(own),
      status: createNonceStatus({ ...own, stuckAfterSeconds: settings.NONCE_STUCK_SECONDS }),
      raise: async ({ signer, open }) => {
        const role = findRole(signer)
        return role === undefined ? [] : replacement.raise(role, open, bounds)
      },
      roleOf: findRole,
      logger,
    })
  })
}
