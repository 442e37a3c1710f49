import { expect, test } from '@jest/globals'
import { createNativeSide } from '../../../local/chain/native-side.ts'
import { createNativeAgent } from '../../../local/demo/native/agent.ts'
import { awaitVerdict } from '../../../local/demo/worker.ts'
import { eventually } from '../../support/eventually.ts'
import { createJob, encode, GOOD_WORK } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })

const readPage = async (path: string): Promise<string> =>
  (await fetch(`${world().base}${path}`, { headers: { accept: 'text/html' } })).text()

test('a native account is shown beside its wallet wherever a worker is shown, and its signed documents stay as they are', async () => {
  const agent = createNativeAgent(world().base)
  const { client, native } = agent
  const { ss58, accountId, wallet } = native
  const nativeAccount = { ss58, accountId32: accountId }
  const side = createNativeSide(world().info.rpcUrl)
  await side.fund(native, 10n ** 18n)
  await side.map(native)
  await client.signIn()
  await world().view.fund(agent.account.address, 5_000_000n)

  const { templates } = await client.buildAccountDepositTransactions({ amount: 1_000_000n })
  for (const { to, data, revive } of templates)
    expect(revive).toMatchObject({ pallet: 'Revive', call: 'call', args: { dest: to, data, value: '0' } })

  const jobId = await createJob(world(), { onboardingWaiverEligible: true })
  const { sessionId } = await client.claimJob({ jobId })
  await client.submitWork({ sessionId, submission: GOOD_WORK })
  await awaitVerdict(agent, sessionId)
  const badge = await eventually(
    'the badge',
    () => client.getBadge({ sessionId }).catch(() => null),
    (found) => found !== null,
  )

  expect(await client.getSession({ sessionId })).toMatchObject({ wallet, nativeAccount })
  expect((await client.getSessionTimeline({ sessionId })).session).toMatchObject({ wallet, nativeAccount })
  expect((await client.listSessions({ jobId })).sessions).toMatchObject([{ wallet, nativeAccount }])
  const { badges } = await client.listBadges({ limit: 500 })
  expect(badges.find((row) => row.sessionId === sessionId)).toMatchObject({ worker: wallet, nativeAccount })
  expect(JSON.stringify(badge)).not.toContain(ss58)
  const { receipts } = await client.listReceipts()
  expect(receipts).toMatchObject([{ sessionId, nativeAccount }])
  const receiptId = receipts[0]?.receiptId ?? ''
  expect(JSON.stringify(await client.getReceipt({ receiptId }))).not.toContain(ss58)

  await client.setAgentConsent({ publicProfileOptIn: true })
  expect(await client.getAgentProfile({ wallet })).toMatchObject({ wallet, nativeAccount })
  const shares = [
    await client.createShare({ surface: 'agent', wallet, ttlSeconds: 600 }),
    await client.createShare({ surface: 'session', sessionId, ttlSeconds: 600 }),
  ]
  for (const path of [
    `/badges/${encode(sessionId)}`,
    `/receipts/${receiptId}`,
    `/agents/${wallet}`,
    ...shares.map(({ apiPath }) => apiPath),
  ])
    expect([path, (await readPage(path)).includes(ss58)]).toEqual([path, true])
})
