import { z } from 'zod'
import { operation, PUBLIC } from '../operations/operation.ts'
import { listAnswer, listQuery } from '../operations/values.ts'
import { DayValue, HeadShape, PublishedEntryShape } from './shapes.ts'

const open = { tags: ['Sessions'], auth: PUBLIC } as const

export const listLogHeads = operation('listLogHeads', 'GET /log/heads', {
  fromReplica: true,
  summary: 'Signed heads of the session log, one a day, newest first.',
  description:
    'At midnight UTC the service lists the entries of all session histories that no earlier head has, by their hashes, and signs the hash of that list with the hash of the head before. Who keeps a head can tell later whether a history was altered, cut or reordered.',
  ...open,
  query: z.object(listQuery(30, 400)),
  responses: { 200: z.object({ heads: z.array(HeadShape), ...listAnswer }) },
  cache: 'public, max-age=60',
  hasPage: true,
  examples: { query: { limit: '30' } },
})

export const listLogEntries = operation('listLogEntries', 'GET /log/heads/:day/entries', {
  fromReplica: true,
  summary: 'The list that the head of a day signs, in its order.',
  description:
    '`entriesHash` of the head is SHA-256 of the canonical JSON of all these entries, each with `hash` and `previousHash` alone.',
  ...open,
  params: z.object({ day: DayValue }),
  query: z.object(listQuery(1_000, 5_000)),
  responses: {
    200: z.object({ day: DayValue, entries: z.array(PublishedEntryShape), ...listAnswer }),
  },
  errors: ['log_head_not_found'],
  cache: 'public, max-age=300',
  examples: { params: { day: '2026-11-26' } },
})
