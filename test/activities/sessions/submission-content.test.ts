import { expect, test } from '@jest/globals'
import { dropSubmissionContent, storeSubmissionContent } from '../../../activities/sessions/submission-content.ts'
import type { SessionSubmission } from '../../../schemas/sessions/record.ts'
import { NOW } from '../../api/support/account-world.ts'
import { addSession } from '../../api/support/work-rows.ts'
import { untilLocksWait } from '../../support/postgres/waiting-locks.ts'
import { useOwnDatabase } from '../support/own-database.ts'

const own = useOwnDatabase()

const wallet = `0x${'c4'.repeat(20)}` as const
const evidenceHash = `0x${'5'.repeat(64)}`
const submission = { kind: 'structured', structured: { summary: 'The same work.' } } as unknown as SessionSubmission
const stored = () => own.rows().selectFrom('content').select('hash').where('owner', '=', wallet).execute()
const submit = (sessionId: string) => own.rows().updateTable('session').set({ evidenceHash }).where('sessionId', '=', sessionId)

test('a submission that is dropped leaves the content that another session stores at that moment', async () => {
  const database = own.database()
  const dropped = await addSession(database, wallet, 'dropped', NOW)
  const other = await addSession(database, wallet, 'other', NOW)
  await submit(dropped).execute()
  await database.transaction((rows) => storeSubmissionContent(rows, wallet, submission, NOW))
  const hasStored = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const storing = database.transaction(async (rows) => {
    await rows.updateTable('session').set({ evidenceHash }).where('sessionId', '=', other).execute()
    await storeSubmissionContent(rows, wallet, submission, NOW)
    hasStored.resolve()
    await mayCommit.promise
  })
  await hasStored.promise
  const dropping = database.transaction((rows) => dropSubmissionContent(rows, { sessionId: dropped, wallet, submission, evidenceHash }))
  await untilLocksWait(database)
  mayCommit.resolve()
  await Promise.all([storing, dropping])
  expect(await stored()).toHaveLength(1)
  await submit(other).execute()
  await database.rows.updateTable('session').set({ evidenceHash: null }).where('sessionId', '=', dropped).execute()
  await database.transaction((rows) => dropSubmissionContent(rows, { sessionId: other, wallet, submission, evidenceHash }))
  expect(await stored()).toEqual([])
})
