import { idleBalanceMoved, idleConsentUpdate, idleRevokeUpdate } from '../../../schemas/idle-allocation/process.ts'
import { balanceMoved, type LockProgress, lockOpenedUpdate, requestExitUpdate } from '../../../schemas/locked-deposits/process.ts'
import { DAY, type Engine, MINUTE, until } from '../support/engine.ts'
import { refuse, type Scenario } from './scenario.ts'

type Way = Omit<Scenario, 'workflowType'>

const ID = `0x${'e'.repeat(64)}`
const WALLET = '0xsaver'
const ASKED = { requestId: 'r-1' }

/** A lock that time ends at an instant (epoch ms). */
export const locked = (status: LockProgress['status'], until: number): LockProgress => ({
  ...{ status, until: new Date(until).toISOString(), amount: '5 USDC', wallet: WALLET, tier: 't30' },
  releaseReason: status === 'released' ? 'term_completed' : null,
})
export const RELEASED = locked('released', Date.parse('2027-02-01T00:00:00.000Z'))

/** Plays one reading of the lock after the other; the last one stays. */
export const lockStands = ({ service }: Engine, progresses: readonly LockProgress[]): void => {
  let calls = 0
  service.replay({ advanceLock: async () => progresses[Math.min(calls++, progresses.length - 1)] ?? RELEASED })
}
const readings = ({ service }: Engine): number => service.callsOf('advanceLock').length

export const LOCKS: readonly Way[] = [
  {
    ending: 'lock-released-at-its-term',
    result: { status: 'released' },
    through: { openLock: 1, advanceLock: 2, millisecondsUntil: 2 },
    play: async (engine) => {
      lockStands(engine, [locked('active', engine.now() + 30 * DAY), RELEASED])
      const handle = await engine.beginLock(ID)
      await handle.executeUpdate(lockOpenedUpdate, { args: [ASKED] })
      await until(() => readings(engine) === 1)
      await engine.move(30 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'lock-left-early',
    result: { status: 'released' },
    through: { openLock: 1, exitLock: 1, advanceLock: 3 },
    play: async (engine) => {
      lockStands(engine, [locked('active', engine.now() + 30 * DAY), locked('exiting', engine.now() + 2 * DAY), RELEASED])
      const handle = await engine.beginLock(ID)
      await until(() => readings(engine) === 1)
      await handle.executeUpdate(requestExitUpdate, { args: [ASKED] })
      await until(() => readings(engine) === 2)
      await engine.move(2 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'lock-uncovered',
    result: { status: 'released' },
    through: { exitUncoveredLock: 1, advanceLock: 3 },
    play: async (engine) => {
      lockStands(engine, [locked('active', engine.now() + 30 * DAY), locked('exiting', engine.now() + 2 * DAY), RELEASED])
      const handle = await engine.beginLock(ID, null)
      await until(() => readings(engine) === 1)
      await handle.signal(balanceMoved)
      await until(() => readings(engine) === 2)
      await engine.move(2 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'lock-refused',
    result: { status: 'refused:locked_tier_cohort_cap_exceeded' },
    through: { openLock: 1 },
    play: async (engine) => {
      engine.service.play({ openLock: refuse('locked_tier_cohort_cap_exceeded') })
      return engine.beginLock(ID)
    },
  },
]

/** Plays one reading of the consent after the other: its end (epoch ms), or null without an active one. The last one stays. */
export const consentStands = ({ service }: Engine, ends: readonly (number | null)[]): void => {
  let calls = 0
  service.replay({
    readIdleConsent: async () => {
      const end = ends[Math.min(calls++, ends.length - 1)] ?? null
      return end === null ? { expiresAt: null, details: 'Consent: over.' } : { expiresAt: new Date(end).toISOString(), details: 'Consent.' }
    },
  })
}
const moves = ({ service }: Engine): number => service.callsOf('moveIdleBalance').length
const CONSENT = { termsHash: ID, signature: '0x', ...ASKED }

export const IDLE_ALLOCATIONS: readonly Way[] = [
  {
    ending: 'idle-consent-expired',
    result: { consent: 'Consent: over.' },
    through: { recordIdleConsent: 1, moveIdleBalance: 3 },
    play: async (engine) => {
      const end = engine.now() + 90 * DAY
      consentStands(engine, [end, end, end, null])
      const handle = await engine.beginIdleAllocation(WALLET)
      await until(() => moves(engine) === 1)
      await handle.executeUpdate(idleConsentUpdate, { args: [CONSENT] })
      await until(() => moves(engine) === 2)
      await handle.signal(idleBalanceMoved)
      await until(() => moves(engine) === 3)
      await engine.move(90 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'idle-consent-revoked',
    result: { consent: 'Consent: over.' },
    through: { revokeIdleConsent: 1, moveIdleBalance: 1 },
    play: async (engine) => {
      consentStands(engine, [engine.now() + 90 * DAY, null])
      const handle = await engine.beginIdleAllocation(WALLET)
      await until(() => moves(engine) === 1)
      await handle.executeUpdate(idleRevokeUpdate, { args: [ASKED] })
      return handle
    },
  },
  {
    ending: 'idle-consent-refused',
    result: { consent: 'Consent: missing.' },
    through: { readIdleConsent: 1 },
    play: (engine) => engine.beginIdleAllocation(WALLET),
  },
]
