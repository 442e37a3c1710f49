import { encodeFunctionData, getAbiItem, type Hex, toFunctionSelector } from 'viem'
import { agentAccountCoreAbi } from '../../../../activities/chain/abi/agent-account-core.ts'
import {
  type IdleChainActivities,
  type IdleRecordActivities,
  idleAllocationWorkflowId,
} from '../../../../schemas/idle-allocation/process.ts'
import { consentTo, idleRequest } from '../../../support/records/locked-deposits.ts'
import { readCommonEnd, shapeOf } from '../end-state.ts'
import { event, type ProcessRow, type Scenario } from '../scenario.ts'
import { post, type Stage, waitFor } from '../stage.ts'

const PATH = '/account/idle-allocation'
/** Above the working capital of 2 USDC by one movement. */
const HELD_RAW = 2_600_000n
const TAKEN_RAW = 550_000n

const selector = (name: 'allocateIdleFunds' | 'deallocateIdleFunds'): string =>
  toFunctionSelector(getAbiItem({ abi: agentAccountCoreAbi, name })).slice(2)

/** A consent, the allocation that follows, and what else happens to it. */
const allocated = async (stage: Stage) => {
  const agent = await stage.saver(HELD_RAW)
  const wallet = agent.account.address
  const key = wallet.toLowerCase()
  const consent = await consentTo(agent, await post(agent, `${PATH}/quote`, idleRequest()))
  const { rows } = stage.database
  const consents = () => rows.selectFrom('idle_consent').selectAll().where('wallet', '=', key).execute()
  const movements = () => rows.selectFrom('idle_movement').selectAll().where('wallet', '=', key).orderBy('step').execute()
  const moved = (count: number) =>
    waitFor(`movement ${count}`, async () => (await movements()).filter(({ txHash }) => txHash !== null).length === count)
  const ended = (column: 'revokedAt' | 'expiredAt') => waitFor('the end of the consent', async () => (await consents())[0]?.[column])
  const acts = {
    consent: async () => {
      await post(agent, `${PATH}/consent`, consent)
      await moved(1)
    },
  }
  const readEnd: Scenario['readEnd'] = async () => ({
    ...(await readCommonEnd(stage, { workflowId: idleAllocationWorkflowId(key), wallet, key })),
    consents: (await consents()).map((row) =>
      shapeOf(row, ['consentedAt', 'expiresAt', 'revokedAt', 'expiredAt'], ['termsHash', 'wallet', 'requestId']),
    ),
    movements: (await movements()).map((row) => shapeOf(row, ['signedAt', 'minedAt', 'txHash'], ['step', 'termsHash', 'wallet'])),
  })
  return { agent, key, acts, readEnd, moved, ended }
}

const revoked = async (stage: Stage): Promise<Scenario> => {
  const { agent, key, acts, readEnd, moved, ended } = await allocated(stage)
  const { agentAccount } = stage.chainFile.contracts
  const args = [stage.chainFile.asset.address as Hex, TAKEN_RAW] as const
  const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'withdraw', args })
  return {
    key,
    acts: {
      ...acts,
      withdraw: async () => {
        await stage.view.send(agent.account, { to: agentAccount.address as Hex, data })
        await moved(2)
      },
      revoke: async () => {
        await post(agent, `${PATH}/revoke`, {})
        await ended('revokedAt')
      },
    },
    readEnd,
  }
}

const expired = async (stage: Stage): Promise<Scenario> => {
  const { key, acts, readEnd, ended } = await allocated(stage)
  const passTerms = async () => {
    await stage.passTerms()
    await ended('expiredAt')
  }
  return { key, acts: { ...acts, passTerms }, readEnd }
}

const movement = { call: '^update "idle_movement"', of: [] }

export const idleAllocation: ProcessRow<IdleRecordActivities & IdleChainActivities> = {
  scenarios: {
    revoked: {
      create: revoked,
      leaves: {
        process: 'COMPLETED',
        transactions: [
          ['allocateIdleFunds', 'mined'],
          ['deallocateIdleFunds', 'mined'],
        ],
        events: { 'idle_allocation.consented': 1, 'idle_allocation.revoked': 1 },
        money: { account: ['2000000', '0', '50000', '0', '0', '0'], tokens: String(TAKEN_RAW) },
        movements: [
          { kind: 'allocate', amountRaw: '600000', txHash: true },
          { kind: 'recall', amountRaw: '550000', txHash: true },
        ],
      },
    },
    expired: {
      create: expired,
      leaves: {
        process: 'COMPLETED',
        transactions: [['allocateIdleFunds', 'mined']],
        events: { 'idle_allocation.consented': 1, 'idle_allocation.expired': 1 },
        money: { account: ['2000000', '0', '600000', '0', '0', '0'], tokens: '0' },
        movements: [{ kind: 'allocate', amountRaw: '600000', txHash: true }],
      },
    },
  },
  steps: {
    recordIdleConsent: [{ scenario: 'revoked', act: 'consent', record: event('idle_allocation.consented') }],
    revokeIdleConsent: [{ scenario: 'revoked', act: 'revoke', record: event('idle_allocation.revoked') }],
    readIdleConsent: [{ scenario: 'expired', act: 'passTerms', record: event('idle_allocation.expired'), result: ['expired'] }],
    moveIdleBalance: [
      { name: 'allocate', scenario: 'revoked', act: 'consent', record: movement, transaction: [selector('allocateIdleFunds')] },
      { name: 'recall', scenario: 'revoked', act: 'withdraw', record: movement, transaction: [selector('deallocateIdleFunds')] },
    ],
  },
}
