import { depositsMoved, type VestingProgress } from '../../../schemas/pool/process.ts'
import { DAY, type Engine, HOUR, MINUTE, until } from '../support/engine.ts'
import { refuse, type Scenario } from './scenario.ts'

type Way = Omit<Scenario, 'workflowType'>

export const GAS_GRANTS: readonly Way[] = [
  {
    ending: 'gas-granted',
    result: { txHash: `0x${'a'.repeat(64)}` },
    through: { reserveGasGrant: 1, sendGasGrant: 1 },
    play: (engine) => engine.beginGasGrant('0xworker'),
  },
  {
    ending: 'gas-grant-refused',
    result: { failed: 'first_withdrawal_gas_grant_daily_cap_reached' },
    through: { reserveGasGrant: 1 },
    play: (engine) => {
      engine.service.play({ reserveGasGrant: async () => ({ kind: 'refused', reason: 'first_withdrawal_gas_grant_daily_cap_reached' }) })
      return engine.beginGasGrant('0xother')
    },
  },
]

export const DISCLOSURES: readonly Way[] = [
  {
    ending: 'content-disclosed',
    result: { details: `Published. Event: 0x${'a'.repeat(64)}.` },
    through: { publishContent: 1, discloseContent: 1 },
    play: (engine) => engine.beginDisclosure(`0x${'1'.repeat(64)}`),
  },
  {
    ending: 'content-disclosure-refused-for-a-while',
    result: { details: `Published. Event: 0x${'a'.repeat(64)}.` },
    through: { publishContent: 1, discloseContent: 2 },
    play: async (engine) => {
      engine.service.play({ discloseContent: refuse('blockchain_revert') })
      const handle = await engine.beginDisclosure(`0x${'2'.repeat(64)}`)
      await until(() => engine.service.callsOf('discloseContent').length === 1)
      engine.service.replay({ discloseContent: engine.service.usual.discloseContent })
      await engine.move(11 * MINUTE)
      return handle
    },
  },
]

const HASH = `0x${'d'.repeat(64)}`
const PRINCIPAL = '10 USDC'

/** A deposit that vests in full at an instant (epoch ms), or that a loan delays. */
export const waits = (next: number | null): VestingProgress => ({
  kind: 'vesting',
  waiting: 1,
  principal: PRINCIPAL,
  vested: '0 USDC',
  next: next === null ? null : { at: new Date(next).toISOString(), readAt: new Date(next).toISOString(), amount: PRINCIPAL, txHash: HASH },
})
export const VESTED: VestingProgress = { kind: 'vesting', waiting: 0, principal: PRINCIPAL, vested: PRINCIPAL, next: null }

/** Number of readings that a wallet's process began. */
export const readings = ({ service }: Engine): number => service.callsOf('advanceVesting').length
/** Plays one reading after the other; the last one stays. */
export const read = ({ service }: Engine, progresses: readonly VestingProgress[]): void => {
  let calls = 0
  service.replay({ advanceVesting: async () => progresses[Math.min(calls++, progresses.length - 1)] ?? VESTED })
}

export const VESTINGS: readonly Way[] = [
  {
    ending: 'deposit-vested',
    result: { principal: PRINCIPAL },
    through: { advanceVesting: 2, millisecondsUntil: 2 },
    play: async (engine) => {
      read(engine, [waits(engine.now() + 2 * DAY), VESTED])
      const handle = await engine.beginVesting('0xdepositor')
      await until(() => readings(engine) === 1)
      await engine.move(2 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'deposit-burned-by-a-withdrawal',
    result: { principal: PRINCIPAL },
    through: { advanceVesting: 2 },
    play: async (engine) => {
      read(engine, [waits(engine.now() + 2 * DAY), VESTED])
      const handle = await engine.beginVesting('0xdepositor')
      await until(() => readings(engine) === 1)
      await handle.signal(depositsMoved)
      return handle
    },
  },
  {
    ending: 'deposit-delayed-by-a-loan',
    result: { principal: PRINCIPAL },
    through: { advanceVesting: 3 },
    play: async (engine) => {
      read(engine, [waits(null), waits(engine.now() + 2 * DAY + HOUR), VESTED])
      const handle = await engine.beginVesting('0xdepositor')
      await until(() => readings(engine) === 1)
      await engine.move(HOUR)
      await handle.signal(depositsMoved)
      await until(() => readings(engine) === 2)
      await engine.move(2 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'vesting-of-incomplete-records',
    result: { principal: PRINCIPAL },
    through: { advanceVesting: 2 },
    play: async (engine) => {
      read(engine, [{ kind: 'unread', reason: 'chain_events_incomplete' }, VESTED])
      const handle = await engine.beginVesting('0xdepositor')
      await until(() => readings(engine) === 1)
      await engine.move(2 * MINUTE)
      return handle
    },
  },
]
