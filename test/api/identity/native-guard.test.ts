// Operations that earn, called for a native account: by its wallet, and by a delegate of it.
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { rememberNativeAccount } from '../../../activities/identity/native-accounts.ts'
import type { HandlerMap } from '../../../api/http/calls.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { startAnvil } from '../../contracts/support/anvil.ts'
import { NATIVE_CHAIN } from '../../domain/identity/native/accounts.ts'
import { accounts, tokenOf } from '../../support/api.ts'
import { createPrecompileControl } from '../../support/native/precompile.ts'
import { useStarted } from '../../support/started.ts'
import { grantTo } from '../support/delegates.ts'
import { useApi } from '../support/started.ts'

/** Every operation after which a wallet can be owed money or a position. A new one belongs here if it earns. */
const EARNING = [
  ...[
    'buildAccountDepositTransactions',
    'buildCreditTransactions',
    'buildPoolTransactions',
    'buildPostJobTransactions',
    'claimJob',
    'consentToIdleAllocation',
  ],
  ...['createLockedDeposit', 'quoteIdleAllocation', 'quoteLockedDeposit', 'submitWork'],
]

const ID = `0x${'12'.repeat(32)}` as const
const OTHER_ID = `0x${'34'.repeat(32)}` as const
const NO_ID = `0x${'00'.repeat(32)}` as const
const holder = accounts.worker
const wallet = holder.address.toLowerCase() as Hex

let reached: string[] = []
const earning = operationList.filter((spec) => spec.earning)
const recorders: HandlerMap = Object.fromEntries(
  earning.map(({ id }) => [
    id,
    async () => {
      reached.push(id)
      throw new Error('reached')
    },
  ]),
) as HandlerMap

const LIMITS = JSON.stringify(Object.fromEntries(Object.keys(RATE_BUCKETS).map((name) => [name, { limit: 999 }])))
const anvil = useStarted(startAnvil, (node) => node.stop())
const api = useApi(() => ({ rpcUrl: anvil.rpcUrl, native: NATIVE_CHAIN, handlers: recorders, settings: { RATE_LIMITS: LIMITS } }))
let control: ReturnType<typeof createPrecompileControl>
let token: string
beforeAll(async () => {
  control = createPrecompileControl(anvil.rpcUrl)
  token = await tokenOf(api, holder)
  await rememberNativeAccount(api.deps.database.rows, { wallet, accountId: ID, ss58: 'the address' }, 0)
})
beforeEach(async () => {
  reached = []
  await control.install()
  await control.mapTo(wallet, NO_ID)
})

const send = ({ path, examples }: OperationSpec, as = token) => {
  const params: Record<string, string> = examples?.params ?? {}
  return api.call(
    path.replaceAll(/:(\w+)/g, (_whole, name: string) => params[name] ?? ''),
    { token: as, body: examples?.body },
  )
}

test('the operations that earn are these', () => {
  expect(earning.map(({ id }) => id).sort()).toEqual(EARNING)
})

describe.each(earning.map((spec) => [spec.id, spec] as const))('%s', (id, spec) => {
  test('is refused to a native account that is not mapped, with what maps it', async () => {
    const { status, body } = await send(spec)
    expect([status, body.code, reached]).toEqual([409, 'native_account_mapping_required', []])
    expect(body.details).toMatchObject({
      accountId32: ID,
      payoutAddress: wallet,
      mapping: { status: 'unmapped', storage: { pallet: 'Revive', item: 'OriginalAccount', expectedValue: ID } },
      mappingMechanism: 'extrinsic',
      remedy: { pallet: 'Revive', call: 'map_account', args: [], undo: 'unmap_account', signer: 'the address', rpcUrls: [] },
      deposit: { asset: 'TEST', raw: '2005200000', decimals: 10, display: '0.20052', bytes: 52, heldReason: 'AddressMapping' },
      existentialDeposit: { asset: 'TEST', raw: '100000000', decimals: 10 },
    })
    expect(body.nextActions[0].description).toContain('Then repeat the same request.')
  })

  test('is refused while the address is mapped to another account, or the chain cannot be read', async () => {
    await control.mapTo(wallet, OTHER_ID)
    const mismatch = await send(spec)
    await control.replace('answers 31 bytes')
    const unreadable = await send(spec)
    expect([mismatch.status, mismatch.body.code]).toEqual([409, 'native_mapping_mismatch'])
    expect([unreadable.status, unreadable.body.code, unreadable.body.retryable]).toEqual([503, 'native_mapping_unreadable', true])
    expect(reached).toEqual([])
  })

  test('reaches its handler for an EVM wallet, whatever the precompile answers', async () => {
    await control.replace('reverts')
    await send(spec, await tokenOf(api, accounts.other))
    expect(reached).toEqual([id])
  })
})

test('a claim of a delegate is refused like one of its native account', async () => {
  const delegate = (await grantTo(api, holder)).body.token
  const byHttp = await api.call('/jobs/claim', { token: delegate, body: { jobId: 'job-1', idempotencyKey: 'key-1' } })
  expect([byHttp.status, byHttp.body.code]).toEqual([409, 'native_account_mapping_required'])
  expect(reached).toEqual([])
})

test('a claim reaches its handler when the account is mapped, and again within a minute of a mapping that was read', async () => {
  const claim = earning.find(({ id }) => id === 'claimJob') as OperationSpec
  expect((await send(claim)).status).toBe(409)
  await control.mapTo(wallet, ID)
  await send(claim)
  await control.mapTo(wallet, NO_ID)
  await send(claim)
  expect(reached).toEqual(['claimJob', 'claimJob'])
})
