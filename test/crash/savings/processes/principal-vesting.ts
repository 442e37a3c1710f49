import { type VestingActivities, vestingWorkflowId } from '../../../../schemas/pool/process.ts'
import { readCommonEnd } from '../end-state.ts'
import { event, type ProcessRow, type Scenario } from '../scenario.ts'
import { post, type Stage, waitFor } from '../stage.ts'

const DEPOSIT_RAW = 2_000_000n

const deposited = async (stage: Stage): Promise<Scenario> => {
  const agent = await stage.saver(0n)
  const wallet = agent.account.address
  const key = wallet.toLowerCase()
  await stage.view.fund(wallet, DEPOSIT_RAW)
  const { templates } = await post(agent, '/pool/transactions', { direction: 'deposit', assets: String(DEPOSIT_RAW) })
  const vested = () => stage.database.rows.selectFrom('vested_tranche').selectAll().where('wallet', '=', key).execute()
  return {
    key,
    acts: {
      deposit: async () => {
        for (const { to, data } of templates) await stage.view.send(agent.account, { to, data })
        // A process that starts after the term is over has nothing to wait for.
        const { workflow } = stage.engine
        await waitFor('the start of the vesting', () =>
          workflow
            .getHandle(vestingWorkflowId(key))
            .describe()
            .then(({ searchAttributes }) => searchAttributes.DeadlineAt !== undefined)
            .catch(() => false),
        )
      },
      passTerms: async () => {
        await stage.passTerms()
        await waitFor('the vested deposit', async () => (await vested()).length > 0)
      },
    },
    readEnd: async () => ({
      ...(await readCommonEnd(stage, { workflowId: vestingWorkflowId(key), wallet, key })),
      vested: (await vested()).length,
    }),
  }
}

export const principalVesting: ProcessRow<VestingActivities> = {
  scenarios: {
    deposited: {
      create: deposited,
      leaves: {
        ...{ process: 'COMPLETED', transactions: [], vested: 1, events: { 'pool.tranche_vested': 1 } },
        money: { shares: String(DEPOSIT_RAW), tokens: '0' },
      },
    },
  },
  steps: { advanceVesting: [{ scenario: 'deposited', act: 'passTerms', record: event('pool.tranche_vested') }] },
}
