import type { Hex } from 'viem'
import { type GasGrantActivities, gasGrantWorkflowId } from '../../../../schemas/accounts/process.ts'
import { readCommonEnd, shapeOf } from '../end-state.ts'
import { event, type ProcessRow, type Scenario } from '../scenario.ts'
import { post, type Stage, waitFor } from '../stage.ts'

/** What differs from life to life: instants, and balances after the fees of the wallet's own transactions. */
const INSTANTS = ['txHash', 'reservedAt', 'grantedAt', 'failedAt', 'balanceBeforeRaw', 'balanceAfterRaw']

/** Bytecode of a wallet that refuses every call. */
const REFUSES_ALL = '0x60006000fd'

/** The first withdrawal of a wallet, which asks for the grant; `status` is that of its grant afterwards. */
const withdrawal = async (stage: Stage, status: 'granted' | 'failed', code: Hex | null = null): Promise<Scenario> => {
  const agent = await stage.saver(1_000_000n)
  const wallet = agent.account.address
  const key = wallet.toLowerCase()
  const { client } = stage.view
  if (code !== null) await client.request({ method: 'anvil_setCode', params: [wallet, code] } as never)
  const grant = () => stage.database.rows.selectFrom('gas_grant').selectAll().where('wallet', '=', key).executeTakeFirst()
  const coin = () => client.getBalance({ address: wallet })
  const before = await coin()
  return {
    key,
    acts: {
      withdraw: async () => {
        await post(agent, '/account/withdraw/transactions', { amount: '1', requestGasGrant: true })
        await waitFor('the gas grant', async () => (await grant())?.status === status)
      },
    },
    readEnd: async () => ({
      ...(await readCommonEnd(stage, { workflowId: gasGrantWorkflowId(key), wallet, key })),
      grant: shapeOf((await grant()) ?? {}, INSTANTS, ['wallet', 'day', 'intentHash', 'requestId']),
      'native coin received': String((await coin()) - before),
    }),
  }
}

const during = { scenario: 'granted', act: 'withdraw' } as const

export const gasGrant: ProcessRow<GasGrantActivities> = {
  scenarios: {
    granted: {
      create: (stage) => withdrawal(stage, 'granted'),
      leaves: {
        process: 'COMPLETED',
        transactions: [['grantGas', 'mined']],
        'native coin received': '30000000000000000',
        events: { 'operator_gas.first_withdrawal_granted': 1 },
        grant: { status: 'granted', amountRaw: '30000000000000000' },
      },
    },
    refused: {
      create: (stage) => withdrawal(stage, 'failed', REFUSES_ALL),
      leaves: {
        process: 'FAILED',
        transactions: [['grantGas', 'reverted']],
        'native coin received': '0',
        grant: { status: 'failed', txHash: true },
      },
    },
  },
  steps: {
    reserveGasGrant: [{ ...during, record: { call: '^insert into "gas_grant"', of: [] } }],
    sendGasGrant: [
      { ...during, record: event('operator_gas.first_withdrawal_granted'), transaction: [] },
      {
        name: 'refused',
        scenario: 'refused',
        act: 'withdraw',
        transaction: [],
        record: { call: '^update "gas_grant"', of: ['failed'], isAlone: true },
      },
    ],
  },
}
