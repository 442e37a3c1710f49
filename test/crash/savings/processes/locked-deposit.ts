import { encodeFunctionData, type Hex } from 'viem'
import { agentAccountCoreAbi } from '../../../../activities/chain/abi/agent-account-core.ts'
import {
  type LockChainActivities,
  type LockRecordActivities,
  lockedDepositWorkflowId,
} from '../../../../schemas/locked-deposits/process.ts'
import { consentTo, exitPath, lockRequest } from '../../../support/records/locked-deposits.ts'
import type { Print } from '../../prints/print.ts'
import { readCommonEnd, shapeOf } from '../end-state.ts'
import { event, type ProcessRow, type Scenario } from '../scenario.ts'
import { post, type Stage, waitFor } from '../stage.ts'

const HELD_RAW = 1_000_000n
const TAKEN_RAW = 500_000n
const INSTANTS = ['lockedAt', 'expiresAt', 'exitRequestedAt', 'releaseAt', 'releasedAt']

/** A consent that becomes a lock, and the lock until its release; `exit` begins its early end. */
const lockScenario = async (stage: Stage, exit: (agent: Lock) => Promise<void>): Promise<Scenario> => {
  const agent = await stage.saver(HELD_RAW)
  const wallet = agent.account.address
  const quote = await post(agent, '/locked-deposits/quote', lockRequest('600000'))
  const consent = await consentTo(agent, quote)
  const key: string = quote.termsHash
  const row = () => stage.database.rows.selectFrom('locked_deposit').selectAll().where('id', '=', key).executeTakeFirst()
  const hasStatus = (status: string) => waitFor(`the lock that is ${status}`, async () => (await row())?.status === status)
  return {
    key,
    acts: {
      open: async () => {
        await post(agent, '/locked-deposits/consent', consent)
        await hasStatus('active')
      },
      exit: async () => {
        await exit({ agent, key })
        await hasStatus('exiting')
      },
      passTerms: async () => {
        await stage.passTerms()
        await hasStatus('released')
      },
    },
    readEnd: async () => ({
      ...(await readCommonEnd(stage, { workflowId: lockedDepositWorkflowId(key), wallet, key })),
      lock: shapeOf((await row()) ?? {}, INSTANTS, ['id', 'wallet', 'requestId']),
    }),
  }
}

interface Lock {
  agent: Awaited<ReturnType<Stage['saver']>>
  key: string
}

const requested = (stage: Stage) => lockScenario(stage, async ({ agent, key }) => void (await post(agent, exitPath(key), {})))

/** The wallet takes so much that the lock is not covered any more. */
const uncovered = (stage: Stage) =>
  lockScenario(stage, async ({ agent }) => {
    const { agentAccount } = stage.chainFile.contracts
    const args = [stage.chainFile.asset.address as Hex, TAKEN_RAW] as const
    const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'withdraw', args })
    await stage.view.send(agent.account, { to: agentAccount.address as Hex, data })
  })

const leaves = (exitReason: string, accountRaw: bigint): Print => ({
  process: 'COMPLETED',
  transactions: [],
  events: { 'locked_deposit.opened': 1, 'locked_deposit.exiting': 1, 'locked_deposit.released': 1 },
  lock: { status: 'released', releaseReason: 'early_exit_vesting_completed', exitReason },
  money: { account: [String(accountRaw), '0', '0', '0', '0', '0'], tokens: String(HELD_RAW - accountRaw) },
})

export const lockedDeposit: ProcessRow<LockRecordActivities & LockChainActivities> = {
  scenarios: {
    requested: { create: requested, leaves: leaves('requested', HELD_RAW) },
    uncovered: { create: uncovered, leaves: leaves('balance_below_encumbered', HELD_RAW - TAKEN_RAW) },
  },
  steps: {
    openLock: [{ scenario: 'requested', act: 'open', record: event('locked_deposit.opened') }],
    exitLock: [{ scenario: 'requested', act: 'exit', record: event('locked_deposit.exiting') }],
    exitUncoveredLock: [{ scenario: 'uncovered', act: 'exit', record: event('locked_deposit.exiting') }],
    advanceLock: [{ scenario: 'requested', act: 'passTerms', record: event('locked_deposit.released'), result: ['released'] }],
  },
}
