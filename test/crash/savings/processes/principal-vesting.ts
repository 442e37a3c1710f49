import type { Hex } from 'viem'
import { depositsMoved, type VestingActivities, vestingWorkflowId } from '../../../../schemas/pool/process.ts'
import type { PatientAgent } from '../../acts/agent.ts'
import { readCommonEnd } from '../end-state.ts'
import { event, type ProcessRow, type Scenario } from '../scenario.ts'
import { post, type Stage, waitFor } from '../stage.ts'

const DEPOSIT_RAW = 2_000_000n

/** Events behind which the vesting stores a checkpoint. */
const CHECKPOINT_EVENTS = 64
const PART_RAW = 10_000n

interface Call {
  to: Hex
  data: Hex
}

/** Sends a call this often, one behind the other. */
const sendOften = async ({ view: { client } }: Stage, { account }: PatientAgent, call: Call, times: number) => {
  const [chainId, first, fees] = await Promise.all([
    client.getChainId(),
    client.getTransactionCount({ address: account.address }),
    client.estimateFeesPerGas(),
  ])
  const sign = (nonce: number) => account.signTransaction({ type: 'eip1559', chainId, nonce, gas: 500_000n, ...fees, ...call })
  for (let index = 0; index < times; index += 1) await client.sendRawTransaction({ serializedTransaction: await sign(first + index) })
}

/** A wallet with test money of its own, and the calls that deposit so much in the pool: the approval, then the deposit. */
const depositor = async (stage: Stage, raw: bigint) => {
  const agent = await stage.saver(0n)
  const wallet = agent.account.address
  await stage.view.fund(wallet, raw)
  const build = async (assets: bigint): Promise<Call[]> => {
    const { templates } = await post(agent, '/pool/transactions', { direction: 'deposit', amount: String(assets) })
    return templates.map(({ to, data }: Call) => ({ to, data }))
  }
  const send = (call: Call) => stage.view.send(agent.account, call)
  const key = wallet.toLowerCase()
  const vested = () => stage.database.rows.selectFrom('vested_tranche').selectAll().where('wallet', '=', key).execute()
  /** A process that starts after the term is over has nothing to wait for. */
  const started = () =>
    waitFor('the start of the vesting', () =>
      stage.engine.workflow
        .getHandle(vestingWorkflowId(key))
        .describe()
        .then(({ searchAttributes }) => searchAttributes.DeadlineAt !== undefined)
        .catch(() => false),
    )
  const wake = () => stage.engine.workflow.getHandle(vestingWorkflowId(key)).signal(depositsMoved)
  const passTerms = async (count: number) => {
    await stage.passTerms()
    await waitFor('the vested deposits', async () => (await vested()).length >= count)
  }
  const readEnd = async () => ({
    ...(await readCommonEnd(stage, { workflowId: vestingWorkflowId(key), wallet, key })),
    vested: (await vested()).length,
  })
  return { agent, key, build, send, started, wake, passTerms, readEnd }
}

const deposited = async (stage: Stage): Promise<Scenario> => {
  const { key, build, send, started, passTerms, readEnd } = await depositor(stage, DEPOSIT_RAW)
  const calls = await build(DEPOSIT_RAW)
  const deposit = async () => {
    for (const call of calls) await send(call)
    await started()
  }
  return { key, acts: { deposit, passTerms: () => passTerms(1) }, readEnd }
}

/** So many deposits that the next one brings a checkpoint. */
const checkpointed = async (stage: Stage): Promise<Scenario> => {
  const all = PART_RAW * BigInt(CHECKPOINT_EVENTS)
  const { agent, key, build, send, started, wake, passTerms, readEnd } = await depositor(stage, all)
  const [[approval], [, part]] = [await build(all), await build(PART_RAW)]
  if (approval === undefined || part === undefined) throw new Error('a deposit takes two calls')
  const { rows } = stage.database
  const checkpoint = () => rows.selectFrom('vesting_checkpoint').select('wallet').where('wallet', '=', key).executeTakeFirst()
  return {
    key,
    acts: {
      deposit: async () => {
        await send(approval)
        await sendOften(stage, agent, part, CHECKPOINT_EVENTS - 1)
        await started()
      },
      depositAgain: async () => {
        await send(part)
        // A checkpoint takes in what is older than the lag of the records; the next reading would be at the end of the term.
        await waitFor('the checkpoint', async () => (await checkpoint()) ?? (await wake().then(() => null)))
      },
      passTerms: () => passTerms(CHECKPOINT_EVENTS),
    },
    readEnd: async () => ({ ...(await readEnd()), checkpoint: (await checkpoint()) !== undefined }),
  }
}

export const principalVesting: ProcessRow<VestingActivities> = {
  scenarios: {
    deposited: {
      create: deposited,
      leaves: {
        process: 'COMPLETED',
        transactions: [],
        vested: 1,
        events: { 'pool.tranche_vested': 1 },
        money: { shares: String(DEPOSIT_RAW), tokens: '0' },
      },
    },
    checkpointed: {
      create: checkpointed,
      leaves: {
        process: 'COMPLETED',
        transactions: [],
        vested: CHECKPOINT_EVENTS,
        checkpoint: true,
        events: { 'pool.tranche_vested': CHECKPOINT_EVENTS },
        money: { shares: String(PART_RAW * BigInt(CHECKPOINT_EVENTS)) },
      },
    },
  },
  steps: {
    advanceVesting: [
      { name: 'announce', scenario: 'deposited', act: 'passTerms', record: event('pool.tranche_vested') },
      {
        name: 'checkpoint',
        scenario: 'checkpointed',
        act: 'depositAgain',
        record: { call: '^insert into "vesting_checkpoint"', of: [] },
        result: [`"waiting":${CHECKPOINT_EVENTS}`],
      },
    ],
  },
}
