// A mapping that appears, changes or ends while a claim lives. What is credited stays in the account contract; what is sent is not sent.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createGasGrantSteps } from '../../../activities/accounts/gas-grant.ts'
import { createAdmission } from '../../../activities/claims/admission.ts'
import { createEarningIdentities } from '../../../activities/identity/earning-identity.ts'
import { rememberNativeAccount } from '../../../activities/identity/native-accounts.ts'
import { createMappingReader } from '../../../activities/identity/native-mapping.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { GAS_GRANT_RAW } from '../../../domain/common/constants.ts'
import { fund } from '../../contracts/support/jobs.ts'
import { NATIVE_CHAIN } from '../../domain/identity/native/accounts.ts'
import { createPrecompileControl } from '../../support/native/precompile.ts'
import { type Service, startService, walletAt } from '../support/service.ts'
import { codeOf, GOOD, openSettlements } from '../support/settlements.ts'

const OTHER_ID = `0x${'34'.repeat(32)}` as const
const NO_ID = `0x${'00'.repeat(32)}` as const
const MONEY = 10_000_000n

let service: Service
let control: ReturnType<typeof createPrecompileControl>
const identitiesNow = () => {
  const { clients, clock } = service
  const native = NATIVE_CHAIN
  const mappings = createMappingReader({ reader: clients.reader, native, clock, timeoutMs: 2_000 })
  return createEarningIdentities(mappings, { native, nativeSymbol: 'PAS' })
}
beforeAll(async () => {
  const started = await startService()
  service = started
  service = { ...started, admission: createAdmission({ ...started, identities: identitiesNow() }) }
  control = createPrecompileControl(service.chain.rpc.primary)
})
afterAll(() => service.stop())

const { claimed, submitted, evaluate, liquidOf, gained, admit } = openSettlements(() => service)

let count = 9_000
/** A native account with money for its bond, mapped. */
const mappedAccount = async () => {
  count += 1
  const wallet = walletAt(count) as Hex
  const accountId = `0x${count.toString(16).padStart(64, '7')}` as Hex
  await rememberNativeAccount(service.rows, { wallet, accountId, ss58: `address ${count}` }, 0)
  await fund(service.world, wallet, MONEY)
  await control.install()
  await control.mapTo(wallet, accountId)
  return { wallet, accountId }
}
type Native = Awaited<ReturnType<typeof mappedAccount>>

/** How a mapping is lost, with the code for callers and the reason of the gas grant. */
const LOSSES = [
  ['is gone', ({ wallet }: Native) => control.mapTo(wallet, NO_ID), 'native_account_mapping_required', 'address_unmapped'],
  ['names another account', ({ wallet }: Native) => control.mapTo(wallet, OTHER_ID), 'native_mapping_mismatch', 'address_unmapped'],
  ['cannot be read', () => control.replace('reverts'), 'native_mapping_unreadable', 'status_read_failed'],
] as const

/** What was sent to the address itself: tokens and native coin reach another account while it is not mapped. */
const sentTo = async (wallet: Hex) => ({
  coin: await service.clients.reader.getBalance({ address: wallet }),
  tokens: await service.world.read('token', 'balanceOf', wallet),
})
const NOTHING = { coin: 0n, tokens: 0n }

const grantSteps = () => createGasGrantSteps({ ...service, identities: identitiesNow() })
const grantInput = async ({ wallet }: Native) => ({
  v: 1 as const,
  ...{ wallet, destination: wallet, amountRaw: '1', liquidRaw: (await liquidOf(wallet)).toString(), requestId: 'request' },
})

describe.each(LOSSES)('a mapping that %s', (_how, lose, code, reason) => {
  test('before the claim refuses it, and no money moves', async () => {
    const account = await mappedAccount()
    await lose(account)
    expect(await codeOf(admit({ wallet: account.wallet }))).toBe(code)
    expect([await liquidOf(account.wallet), await sentTo(account.wallet)]).toEqual([MONEY, NOTHING])
  })

  test('between claim and submission refuses the submission, and leaves the bond in the escrow', async () => {
    const account = await mappedAccount()
    const { wallet } = account
    await claimed({ wallet })
    const locked = MONEY - (await liquidOf(wallet))
    expect(locked).toBe(250_000n)
    await lose(account)
    expect(await codeOf(identitiesNow().assertCanEarn(service.rows, wallet))).toBe(code)
    expect([await liquidOf(wallet), await sentTo(wallet)]).toEqual([MONEY - locked, NOTHING])
  })

  test.each(['between submission and verdict', 'between verdict and settlement'] as const)(
    '%s leaves the reward to the position of the account',
    async (step) => {
      const account = await mappedAccount()
      const { wallet } = account
      const claim = await claimed({ wallet })
      const locked = MONEY - (await liquidOf(wallet))
      expect(locked).toBe(250_000n)
      await submitted(GOOD, claim)
      if (step === 'between submission and verdict') await lose(account)
      const judged = { ...claim, ...(await evaluate(claim)) }
      if (step === 'between verdict and settlement') await lose(account)
      const earned = await gained(claim, () => service.steps.settleApproval(judged))
      const session = await getSession(service.rows, claim.sessionId)
      expect([session.status, await sentTo(wallet)]).toEqual(['resolved', NOTHING])
      // The bond comes back with the reward; the escrow keeps what it retains.
      expect(earned).toBeGreaterThan(locked)
      expect(await liquidOf(wallet)).toBe(MONEY - locked + earned)
    },
  )

  test('before the gas grant sends none, and the grant stays free for the account', async () => {
    const account = await mappedAccount()
    await lose(account)
    const refused = await grantSteps().reserveGasGrant(await grantInput(account))
    expect(refused).toEqual({ kind: 'refused', reason: `first_withdrawal_gas_grant_${reason}` })
    expect(await sentTo(account.wallet)).toEqual(NOTHING)
    await control.install()
    await control.mapTo(account.wallet, account.accountId)
    expect(await grantSteps().reserveGasGrant(await grantInput(account))).toEqual({ kind: 'reserved' })
  })

  test('after the reservation of the gas grant sends none, and its return sends one', async () => {
    const account = await mappedAccount()
    // The steps have read the mapping, and would believe it for a minute.
    const steps = grantSteps()
    expect(await steps.reserveGasGrant(await grantInput(account))).toEqual({ kind: 'reserved' })
    await lose(account)
    for (const _try of [1, 2]) expect(await codeOf(steps.sendGasGrant(account))).toBe(code)
    expect(await sentTo(account.wallet)).toEqual(NOTHING)
    await control.install()
    await control.mapTo(account.wallet, account.accountId)
    await steps.sendGasGrant(account)
    expect(await sentTo(account.wallet)).toEqual({ coin: GAS_GRANT_RAW, tokens: 0n })
  })
})
