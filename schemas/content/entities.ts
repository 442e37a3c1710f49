import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** A blob by the SHA-256 of its canonical JSON, once per owner: two owners of the same content do not learn of each other. */
export const Content = defineEntity({
  name: 'Content',
  tableName: 'content',
  primaryKeys: ['hash', 'owner'],
  properties: {
    hash: p.text().primary(),
    owner: p.text().primary(),
    contentType: p.text(),
    payload: p.json<Record<string, unknown>>(),
    verdict: p.text().nullable(),
    createdAt: instant(),
    publishedAt: instant().nullable(),
  },
})
