import { type GasGrantActivities, gasGrantWorkflowId } from '../../../../schemas/accounts/process.ts'
import { readCommonEnd, shapeOf } from '../end-state.ts'
import { event, type ProcessRow, type Scenario } from '../scenario.ts'
import { post, type Stage, waitFor } from '../stage.ts'

/** What differs from life to life: instants, and balances after the fees of the wallet's own transactions. */
const INSTANTS = ['txHash', 'reservedAt', 'grantedAt', 'balanceBeforeRaw', 'balanceAfterRaw']

const first = async (stage: Stage): Promise<Scenario> => {
  const agent = await stage.saver(1_000_000n)
  const wallet = agent.account.address
  const key = wallet.toLowerCase()
  const grant = () => stage.database.rows.selectFrom('gas_grant').selectAll().where('wallet', '=', key).executeTakeFirst()
  const coin = () => stage.view.client.getBalance({ address: wallet })
  const before = await coin()
  return {
    key,
    acts: {
      withdraw: async () => {
        await post(agent, '/account/withdraw/transactions', { amount: '1', requestGasGrant: true })
        await waitFor('the gas grant', async () => (await grant())?.status === 'granted')
      },
    },
    readEnd: async () => ({
      ...(await readCommonEnd(stage, { workflowId: gasGrantWorkflowId(key), wallet, key })),
      grant: shapeOf((await grant()) ?? {}, INSTANTS, ['wallet', 'day', 'intentHash', 'requestId']),
      'native coin received': String((await coin()) - before),
    }),
  }
}

const during = { scenario: 'first', act: 'withdraw' } as const

export const gasGrant: ProcessRow<GasGrantActivities> = {
  scenarios: {
    first: {
      create: first,
      leaves: {
        process: 'COMPLETED',
        transactions: [['grantGas', 'mined']],
        'native coin received': '30000000000000000',
        events: { 'operator_gas.first_withdrawal_granted': 1 },
        grant: { status: 'granted', amountRaw: '30000000000000000' },
      },
    },
  },
  steps: {
    reserveGasGrant: [{ ...during, record: { call: '^insert into "gas_grant"', of: [] } }],
    sendGasGrant: [{ ...during, record: event('operator_gas.first_withdrawal_granted'), transaction: [] }],
  },
}
