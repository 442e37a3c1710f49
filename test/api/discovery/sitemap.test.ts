import { expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { changeListing } from '../../../activities/consents/listing.ts'
import type { ServiceDeps } from '../../../api/deps.ts'
import { createDiscoveryHandlers } from '../../../api/discovery/handlers.ts'
import { chainJobId, sessionId } from '../../../domain/common/ids.ts'
import { badgeUrl } from '../../../domain/reputation/badge.ts'
import * as discovery from '../../../schemas/discovery/operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { ask, BASE_URL, NOW } from '../support/account-world.ts'
import { useDatabase } from '../support/own-database.ts'
import { addBadge, addSession } from '../support/work-rows.ts'

const database = useDatabase()
const walletOf = (index: number): Hex => `0x${(0x51_0000 + index).toString(16).padStart(40, '0')}`
const [LISTED, PRIVATE, WITHDRAWN, CANARY] = [1, 2, 3, 4].map(walletOf) as [Hex, Hex, Hex, Hex]
const OWN = ['/', '/jobs', '/docs', '/docs/guides', '/verify']

const read = async () => {
  const identities = JSON.stringify({ [CANARY]: { kind: 'canary' } })
  const settings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused', OPERATOR_IDENTITIES: identities })
  const handlers = createDiscoveryHandlers({ database, settings, baseUrl: BASE_URL, clock: { now: () => NOW } } as ServiceDeps)
  const { body } = await ask(discovery.getSitemap, handlers.getSitemap, {})
  return { body, named: [...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address?.replace(BASE_URL, '')) }
}

const consent = (wallet: Hex, publicProfileOptIn: boolean) =>
  database.transaction((rows) => changeListing(rows, { wallet, jti: null, at: NOW, publicProfileOptIn }))

test('the sitemap has profiles of wallets that consent, and neither private ones nor those of the operator', async () => {
  for (const wallet of [LISTED, WITHDRAWN, CANARY]) await consent(wallet, true)
  expect((await read()).named).toContain(`/agents/${WITHDRAWN}`)
  await consent(WITHDRAWN, false)
  await consent(PRIVATE, false)
  expect((await read()).named).toEqual([...OWN, `/agents/${LISTED}`])
})

test('the sitemap has the newest thousand badges, each with the instant of its issue', async () => {
  const { rows } = database
  await addSession(database, LISTED, 'newest & first', NOW)
  await addBadge(database, LISTED, 'newest & first', NOW)
  const [job, session, badge] = await Promise.all([
    rows.selectFrom('job').selectAll().executeTakeFirstOrThrow(),
    rows.selectFrom('session').selectAll().executeTakeFirstOrThrow(),
    rows.selectFrom('badge').selectAll().executeTakeFirstOrThrow(),
  ])
  const older = Array.from({ length: 1_000 }, (_, index) => {
    const jobId = `older-${index}`
    return { jobId, chainJobId: chainJobId(jobId), sessionId: sessionId(jobId, LISTED), issuedAt: NOW - (index + 1) * 1_000 }
  })
  await rows
    .insertInto('job')
    .values(older.map(({ jobId, chainJobId }) => ({ ...job, id: jobId, chainJobId })))
    .execute()
  await rows
    .insertInto('session')
    .values(older.map(({ issuedAt: _, ...own }) => ({ ...session, ...own, runId: own.jobId, idempotencyKey: own.jobId })))
    .execute()
  await rows
    .insertInto('badge')
    .values(older.map((own) => ({ ...badge, ...own })))
    .execute()
  const { body, named } = await read()
  const badges = named.filter((path) => path?.startsWith('/badges/'))
  expect(badges).toHaveLength(1_000)
  const newest = badgeUrl('', sessionId('newest & first', LISTED))
  expect([badges[0], badges.at(-1)]).toEqual([newest, badgeUrl('', sessionId('older-998', LISTED))])
  expect(body).toContain(`<url><loc>${BASE_URL}${newest}</loc><lastmod>${new Date(NOW).toISOString()}</lastmod></url>`)
  expect(body).not.toMatch(/&(?!amp;)/)
})
