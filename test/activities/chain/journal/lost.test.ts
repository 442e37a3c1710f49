// Rows of the journal that a restore lost, put back from the chain.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getAddress, type Hex } from 'viem'
import { createGasGrantSteps } from '../../../../activities/accounts/gas-grant.ts'
import { findLostGrant } from '../../../../activities/accounts/gas-grant-records.ts'
import { restoreJournal } from '../../../../activities/chain/journal/lost.ts'
import { GAS_GRANT_RAW } from '../../../../domain/common/constants.ts'
import { fund } from '../../../contracts/support/jobs.ts'
import { evmIdentities } from '../../../support/native/identities.ts'
import { type Service, startService, walletAt } from '../../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('a gas grant whose records are lost is found paid, and not sent again', async () => {
  const { rows, clients, clock } = service
  const steps = createGasGrantSteps({ ...service, identities: evmIdentities })
  const grant = async (wallet: Hex) => {
    const input = { v: 1 as const, wallet, destination: wallet, amountRaw: '1', liquidRaw: '5000000', requestId: 'request' }
    expect(await steps.reserveGasGrant(input)).toEqual({ kind: 'reserved' })
    return steps.sendGasGrant({ wallet })
  }
  const [earlier, wallet] = [getAddress(walletAt(0x0abb)), getAddress(walletAt(0x0abc))] as const
  for (const one of [earlier, wallet]) await fund(service.world, one, 5_000_000n)
  await grant(earlier)
  const first = await grant(wallet)
  await rows.deleteFrom('gas_grant').where('wallet', '=', wallet).execute()
  await rows.deleteFrom('chain_transaction').where('txHash', '=', first.txHash).execute()

  expect(await restoreJournal(rows, { ...clients, now: clock.now(), findStep: findLostGrant })).toEqual({ stored: 1, missing: [] })
  expect(await grant(wallet)).toEqual(first)
  expect(await clients.reader.getBalance({ address: wallet })).toBe(GAS_GRANT_RAW)
  const row = await rows.selectFrom('gas_grant').select(['status', 'txHash']).where('wallet', '=', wallet).executeTakeFirstOrThrow()
  expect(row).toEqual({ status: 'granted', txHash: first.txHash })
})
